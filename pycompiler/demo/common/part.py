"""A part of the demo: tables, and the queries that are run on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pycompiler.demo.common.answers import Answer
from pycompiler.demo.common.lake import LakeTable, Layout
from pycompiler.demo.common.query import DemoQuery
from pycompiler.demo.common.source import SourceTable


@dataclass(frozen=True, slots=True)
class Part:
    """What a part needs.

    Attributes:
        title: Its name in the steps.
        lake: Directory of its Hudi tables and of Spark's answers.
        tables: The data of each table, and how it is cut into files.
        queries: What is asked.
        cached: Whether Spark keeps the tables in memory while it answers.
    """

    title: str
    lake: Path
    tables: tuple[tuple[SourceTable, Layout], ...]
    queries: tuple[DemoQuery, ...]
    cached: bool


@dataclass(frozen=True, slots=True)
class PreparedPart:
    """A part whose tables are written.

    Attributes:
        tables: The Hudi tables.
        expected: Spark's answer to each query.
    """

    tables: Sequence[LakeTable]
    expected: Mapping[DemoQuery, Answer]
