import json
from pathlib import Path
from typing import Any

import pytest

from pycompiler.tools.explain.text import explanation_text

_VECTORS = json.loads((Path(__file__).parent / "explain.json").read_text("utf-8"))["vectors"]


@pytest.mark.parametrize("vector", _VECTORS, ids=lambda vector: vector["name"])
def test_the_command_line_explains_in_the_words_of_the_handlers_log(vector: dict[str, Any]) -> None:
    document = {
        "files_kept": vector["kept"],
        "files_total": vector["files"],
        "source": f"generation {vector['generation']}, instant {vector['instant']}",
        **{name: vector[name] for name in ("filter", "rewrites", "unused")},
        "nodes": [{**node, "node": node["text"]} for node in vector["nodes"]],
    }

    # Only Hive knows run-time values.
    end = len(vector["text"]) - (2 if vector["dynamic_terms"] else 0)
    assert explanation_text(document) == vector["text"][:end]
