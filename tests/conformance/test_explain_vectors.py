import json
from pathlib import Path
from typing import Any

import pytest

from pycompiler.compile.compiler.compile import Unused
from pycompiler.compile.compiler.trace import Rewrite
from pycompiler.tools.explain.text import explanation_lines

_VECTORS = json.loads((Path(__file__).parent / "explain.json").read_text("utf-8"))["vectors"]


@pytest.mark.parametrize("vector", _VECTORS, ids=lambda vector: vector["name"])
def test_the_command_line_explains_in_the_words_of_the_handlers_log(vector: dict[str, Any]) -> None:
    lines = explanation_lines(
        understood=vector["filter"],
        kept=vector["kept"],
        files=vector["files"],
        index=f"generation {vector['generation']}, instant {vector['instant']}",
        rewrites=[Rewrite(**step) for step in vector["rewrites"]],
        nodes=[(node["depth"], node["text"], node["kept"]) for node in vector["nodes"]],
        unused=[Unused(**term) for term in vector["unused"]],
    )

    # Only Hive knows run-time values.
    end = len(vector["text"]) - (2 if vector["dynamic_terms"] else 0)
    assert lines == vector["text"][:end]
