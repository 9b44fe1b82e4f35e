"""A part of the demo: tables, and the queries on them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from examples.demo.answers import Answer
from examples.demo.lake import LakeTable, Layout, SourceTable

Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class State:
    """A state of a table, or what followed one; `{first}` stands for the table's first commit.

    Attributes:
        hive: Settings of a Hive session, without the prefix `hoodie.<table>.consume.`.
        spark: Options of Spark's reader.
        where: A further condition on Spark's rows.
    """

    hive: Pairs = ()
    spark: Pairs = ()
    where: str = "true"

    def settings(self, table: str, first: str) -> dict[str, str]:
        """The settings for a table, by full name."""
        return {f"hoodie.{table}.consume.{name}": value.format(first=first) for name, value in self.hive}


NOW: Final = State()


@dataclass(frozen=True, slots=True)
class DemoQuery:
    """A query and its expectations.

    Attributes:
        title: The kind of condition.
        sql: Its text.
        most: The greatest share of the files that it may read.
        beeline: Whether beeline runs it, instead of PyHive.
        state: The state of its table that it reads.
    """

    title: str
    sql: str
    most: float = 1 / 3
    beeline: bool = False
    state: State = NOW


@dataclass(frozen=True, slots=True)
class Part:
    """The definition of a part.

    Attributes:
        title: Its name in the steps.
        lake: Directory of its Hudi tables.
        tables: The data and layout of each table.
    """

    title: str
    lake: Path
    tables: tuple[tuple[SourceTable, Layout], ...]
    queries: tuple[DemoQuery, ...]


@dataclass(frozen=True, slots=True)
class PreparedPart:
    """A part whose tables have been written."""

    tables: Sequence[LakeTable]
    expected: Mapping[DemoQuery, Answer]
