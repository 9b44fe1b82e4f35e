"""The states of a table as Spark reads them, in both of Hudi's ways, and which of the two is right."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pyspark.sql import DataFrameReader, SparkSession

from pycompiler.predicate.model import Column

from ..slices.layouts import Layout
from ..slices.records import file_id, shown
from ..tables import Row

_META: Final = ("_hoodie_commit_time", "_hoodie_partition_path", "_hoodie_file_name")
_GROUP_READER: Final = "hoodie.file.group.reader.enabled"


@dataclass(frozen=True, slots=True)
class Found:
    """A row of a table.

    Attributes:
        commit: Its `_hoodie_commit_time`.
        slice: Partition and file id of the slice that has it.
        values: Its values by column.
    """

    commit: str
    slice: tuple[str, str]
    values: Row

    @property
    def key(self) -> str:
        """What rows that are the same have in common."""
        return repr((self.commit, self.slice, sorted(self.values.items())))


@dataclass(frozen=True, slots=True)
class State:
    """The rows of a table as of a commit.

    Attributes:
        with_group_reader: As Hudi's file group reader has them.
        without: As the readers that were before it have them.
    """

    with_group_reader: Sequence[Found]
    without: Sequence[Found]


class Truth:
    """Reads one table.

    Args:
        spark: Reads.
        path: The table's root.
        layout: How it is laid out.
        columns: What is read.
        is_updated_in_part: Whether some columns of rows have been updated.
    """

    def __init__(
        self,
        spark: SparkSession,
        path: Path,
        layout: Layout,
        columns: Sequence[Column],
        *,
        is_updated_in_part: bool,
    ) -> None:
        self._spark = spark
        self._path = path
        self.layout = layout
        self.columns = columns
        self._is_updated_in_part = is_updated_in_part
        self._states: dict[str, State] = {}

    def state(self, instant: str) -> State:
        """The table as of a commit."""
        if instant not in self._states:
            as_of = {"as.of.instant": instant}
            self._states[instant] = State(self._read(as_of, True), self._read(as_of, False))
        return self._states[instant]

    def rows(self, instant: str, commits: Collection[str]) -> list[Found] | None:
        """The rows as of a commit that some commits have written; None if it is not known which they are."""
        state = self.state(instant)
        one, other = (
            [row for row in rows if row.commit in commits]
            for rows in (state.with_group_reader, state.without)
        )
        if sorted(row.key for row in one) == sorted(row.key for row in other):
            return one
        if self._is_updated_in_part:
            return one  # The old readers take a record of some columns for the row.
        return other if self._compares_texts else None

    def reading(self, instant: str) -> Sequence[Found]:
        """All rows as of a commit, by the reader that is right where it is known which one is."""
        state = self.state(instant)
        return state.without if self._compares_texts else state.with_group_reader

    @property
    def _compares_texts(self) -> bool:
        """Whether Hudi 1.0.2's file group reader takes updates that have lost for the latest."""
        return self.layout.orders_by_text and self.layout.has_parquet_blocks

    def of_files(self, first: str, last: str) -> list[Found]:
        """What Spark's own incremental query makes of the files of a range alone.

        Args:
            first: When the first commit was completed.
            last: When the last one was.
        """
        asked = {
            "hoodie.datasource.query.type": "incremental",
            "hoodie.datasource.read.begin.instanttime": first,
            "hoodie.datasource.read.end.instanttime": last,
        }
        return self._read(asked, True)

    def _read(self, options: dict[str, str], with_group_reader: bool) -> list[Found]:
        reader: DataFrameReader = self._spark.read.format("hudi").options(
            **options,
            **{
                "hoodie.metadata.enable": "false",
                "hoodie.enable.data.skipping": "false",
                _GROUP_READER: str(with_group_reader).lower(),
            },
        )
        names = [column.name for column in self.columns]
        return [
            Found(commit, (partition, file_id(file)), dict(zip(names, values, strict=True)))
            for commit, partition, file, *values in reader.load(str(self._path))
            .selectExpr(*_META, *shown(self.columns))
            .collect()
        ]
