"""Spark's answers to the demo's queries, kept beside the tables that Spark read them from.

A second run has the same tables and asks the same, so that it need not start Spark again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from pycompiler.demo.common.answers import Answer
from pycompiler.demo.common.query import DemoQuery

_FILE: Final = "spark-answers.json"


def kept_answers(lake: Path, queries: Iterable[DemoQuery]) -> dict[DemoQuery, Answer] | None:
    """Gives the answers that an earlier run has kept; None unless it has all of them."""
    try:
        kept = json.loads((lake / _FILE).read_text(encoding="utf-8"))
        return {query: [tuple(row) for row in kept[query.sql]] for query in queries}
    except (FileNotFoundError, ValueError, KeyError):
        # None yet, a run that was killed while it wrote, or other queries than today's.
        return None


def keep_answers(lake: Path, answers: Mapping[DemoQuery, Answer]) -> None:
    """Keeps answers for the next run."""
    text = json.dumps({query.sql: rows for query, rows in answers.items()})
    (lake / _FILE).write_text(text, encoding="utf-8")


def forget_answers(lake: Path) -> None:
    """Drops what was kept, before a table is written again."""
    (lake / _FILE).unlink(missing_ok=True)
