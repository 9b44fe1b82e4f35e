"""Spark's answers to the demo's queries, stored beside the tables that they were computed from.

A second run with the same tables and queries need not start Spark.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from pycompiler.demo.common.answers import Answer

_FILE: Final = "spark-answers.json"


def stored_answers(lake: Path, queries: Iterable[str]) -> dict[str, Answer] | None:
    """The answers that an earlier run has stored, by the query's text; None unless all are there."""
    try:
        kept = json.loads((lake / _FILE).read_text(encoding="utf-8"))
        return {query: [tuple(row) for row in kept[query]] for query in queries}
    except (FileNotFoundError, ValueError, KeyError):
        # No file yet, a run that was killed while writing, or other queries.
        return None


def store_answers(lake: Path, answers: Mapping[str, Answer]) -> None:
    """Stores answers for the next run."""
    (lake / _FILE).write_text(json.dumps(dict(answers)), encoding="utf-8")


def delete_answers(lake: Path) -> None:
    """Deletes stored answers, before a table is written again."""
    (lake / _FILE).unlink(missing_ok=True)
