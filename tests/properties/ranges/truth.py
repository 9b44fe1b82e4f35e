"""Reads the rows of ranges in Spark with both of Hudi's readers, and decides which one is right."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from pycompiler.compile.predicate.model import Column

from ..slices.layouts import Layout
from ..slices.records import file_id, shown
from .rule import Found, answer
from .spans import Commit

_META: Final = ("_hoodie_commit_time", "_hoodie_partition_path", "_hoodie_file_name")


@dataclass(frozen=True, slots=True)
class Table:
    """A table to read.

    Attributes:
        path: Its root.
        layout: Its layout.
        columns: Columns to read.
        completed: Its completed commits.
        is_updated_in_part: Whether single columns have been updated.
        repeats_keys: Whether keys may be there several times.
    """

    path: Path
    layout: Layout
    columns: Sequence[Column]
    completed: Sequence[Commit]
    is_updated_in_part: bool
    repeats_keys: bool


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads a table's states with one of Hudi's two readers in Spark.

    Attributes:
        spark: Spark session.
        table: The table.
        has_group_reader: Whether to use Hudi's file group reader.
    """

    spark: SparkSession
    table: Table
    has_group_reader: bool
    _states: dict[str, list[Found]] = field(default_factory=dict)

    def as_of(self, commit: str) -> list[Found]:
        if commit not in self._states:
            self._states[commit] = self._read({"as.of.instant": commit})
        return self._states[commit]

    def latest(self) -> list[Found]:
        return self.as_of(max(commit.requested for commit in self.table.completed))

    def of_files(self, commits: Collection[str]) -> list[Found]:
        """Runs Spark's own incremental query, which merges no other files."""
        times = [commit.completed for commit in self.table.completed if commit.requested in commits]
        asked = {
            "hoodie.datasource.query.type": "incremental",
            "hoodie.datasource.read.begin.instanttime": min(times),
            "hoodie.datasource.read.end.instanttime": max(times),
        }
        return self._read(asked)

    def _read(self, asked: Mapping[str, str]) -> list[Found]:
        options = {
            **asked,
            "hoodie.metadata.enable": "false",
            "hoodie.enable.data.skipping": "false",
            "hoodie.file.group.reader.enabled": str(self.has_group_reader).lower(),
        }
        names = [column.name for column in self.table.columns]
        rows = self.spark.read.format("hudi").options(**options).load(str(self.table.path))
        found = [
            Found(commit, (partition, file_id(file)), dict(zip(names, values, strict=True)))
            for commit, partition, file, *values in rows.selectExpr(
                *_META, *shown(self.table.columns)
            ).collect()
        ]
        # So that draws from the rows are the same in every run.
        return sorted(found, key=lambda row: repr(row.values))


class Truth:
    """Provides the correct rows of ranges.

    Attributes:
        spark: Spark session.
        table: The table.
    """

    def __init__(self, spark: SparkSession, table: Table) -> None:
        self.table = table
        self._new = Reader(spark, table, has_group_reader=True)
        self._old = Reader(spark, table, has_group_reader=False)

    @property
    def reader(self) -> Reader:
        """Returns the reader that is known to be right, if one is."""
        return self._old if self.table.layout.is_misread_by_group_reader else self._new

    def rows(self, commits: Collection[str]) -> Sequence[Found] | None:
        """Returns the rows of a range of commits, or None if they are unknown."""
        if self._ends_between(commits):
            return None
        try:
            rows = answer(self.reader, commits)
            # The old readers take a record of some columns for a whole row, and merge by key alone.
            has_one = self.table.is_updated_in_part or self.table.repeats_keys
            if has_one or self.reader is self._old:
                return rows
            other = answer(self._old, commits)
        except PySparkException:
            return None
        return rows if sorted(row.key for row in rows) == sorted(row.key for row in other) else None

    def _ends_between(self, commits: Collection[str]) -> bool:
        """Returns whether a commit requested earlier was still in progress at the range's end.

        Spark has no such state.
        """
        within = [commit.completed for commit in self.table.completed if commit.requested in commits]
        return any(
            commit.requested < max(commits) and commit.completed > max(within)
            for commit in self.table.completed
            if within and not self._is_compaction(commit)
        )

    def _is_compaction(self, commit: Commit) -> bool:
        return commit.action == "commit" and not self.table.layout.is_on_write
