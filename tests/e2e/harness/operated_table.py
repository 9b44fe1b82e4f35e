"""A copy-on-write table that Hudi operates on, what Spark reads in it, and what Hive answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from pycompiler.index.index import StatisticsIndex
from pycompiler.spark.hudi_table import HudiTable

from ...spark.tables import check_listing_says_the_same
from .check import WITHOUT_SKIPPING, Checker, assert_same_rows
from .command import hudi_skip
from .hudi_writer import OPTIONS, HudiWriter

_COMPLETED = re.compile(r"\d{17}(_\d{17})?\.(?!inflight|requested)(?P<action>[a-z]+)")
SCHEMA = "id int, grp string, v string, n bigint"


class Row(NamedTuple):
    """A row of the table."""

    id: int
    grp: str
    v: str | None
    n: int


def row(number: int, v: str | None = None, n: int | None = None) -> Row:
    """The row of a key: keys below 24 are in `east`, and eight keys in a row have the same `v`."""
    return Row(number, "east" if number < 24 else "west", v or f"v{number // 8}", n or 10 * number)


@dataclass(frozen=True, slots=True)
class Filter:
    """A WHERE clause, and whether minimum, maximum and NULL count let a file's rows match it.

    The second is the finest that statistics can tell: it says which files are to be kept, and no other.
    """

    where: str
    may_match: Callable[[Sequence[Row]], bool]


def _meets(values: Iterable[Any], least: Any, greatest: Any) -> bool:
    known = [value for value in values if value is not None]
    return bool(known) and min(known) <= greatest and max(known) >= least


FILTERS = (
    Filter("id between 12 and 19", lambda rows: _meets((row.id for row in rows), 12, 19)),
    Filter(
        "v in ('v1', 'moved')",
        lambda rows: any(_meets((row.v for row in rows), point, point) for point in ("v1", "moved")),
    ),
    Filter(
        "v is null or (grp = 'west' and n > 420)",
        lambda rows: (
            any(row.v is None for row in rows)
            or (rows[0].grp == "west" and _meets((row.n for row in rows), 421, 10**18))
        ),
    ),
)


class OperatedTable(HudiWriter):
    """The table at a path, which may be a copy of another one's."""

    defaults: ClassVar[Mapping[str, str]] = {**OPTIONS, "hoodie.table.name": "operated"}

    @staticmethod
    def create(spark: SparkSession, path: Path) -> OperatedTable:
        """A table of six files of eight rows, the third of them in its second version, and its index."""
        table = OperatedTable(spark, path)
        rows = table.frame(row(number) for number in range(48))
        table.write(rows.repartitionByRange(6, "id"), "bulk_insert")
        table.write([row(16, n=161)], "upsert")
        table.update_index()
        assert len(table.files()) == len(table.indexed()) == 6
        return table

    def frame(self, rows: Iterable[Row]) -> DataFrame:
        """Rows as a DataFrame of one partition."""
        return self.spark.createDataFrame(list(rows), SCHEMA).coalesce(1)

    def write(
        self,
        rows: DataFrame | Iterable[Row],
        operation: str = "upsert",
        extra: Mapping[str, str] | None = None,
    ) -> None:
        """One write of Hudi's Spark writer, without updating the index."""
        super().write(rows if isinstance(rows, DataFrame) else self.frame(rows), operation, extra)

    def completed(self) -> list[tuple[str, str]]:
        """Instant and action of everything that completed and is not archived, oldest first."""
        folder = self.path / ".hoodie"
        files = [*folder.glob("*"), *folder.glob("timeline/*")]
        found = [match for file in files if (match := _COMPLETED.fullmatch(file.name))]
        return sorted((match[0][:17], match["action"]) for match in found)

    def index_command(self, command: str, *arguments: str) -> dict[str, Any]:
        """Runs `hudi-skip index …` on the table and returns its JSON output."""
        return hudi_skip("index", command, str(self.path), *arguments)

    def update_index(self) -> None:
        """Brings the index up to date, and holds it against one that is brought up to date by a listing."""
        self.index_command("update")
        check_listing_says_the_same(self.spark, self.path)

    def files(self) -> dict[str, int]:
        """Sizes of the latest base files, by path relative to the table, in Hudi's file-system view."""
        snapshot = HudiTable(self.spark, str(self.path)).snapshot()
        return {file.relative_path: file.size for file in snapshot.files}

    def indexed(self) -> set[str]:
        """Those of the latest base files whose statistics the index has."""
        known = StatisticsIndex.open(self.path).files()
        return {path for path, size in self.files().items() if path in known and known[path].size == size}

    def read(self, filters: Sequence[Filter]) -> tuple[dict[str, list[Row]], list[list[Row]]]:
        """What Spark reads: the rows of each file that has any, and those that it finds for each filter."""
        flags = [F.expr(item.where).alias(f"f{number}") for number, item in enumerate(filters)]
        live = self.spark.read.format("hudi").load(str(self.path))
        found = live.select(
            "_hoodie_partition_path", "_hoodie_file_name", "id", "grp", "v", "n", *flags
        ).collect()
        by_file: dict[str, list[Row]] = {}
        for item in found:
            by_file.setdefault(f"{item[0]}/{item[1]}".lstrip("/"), []).append(Row(*item[2:6]))
        answers = [[Row(*item[2:6]) for item in found if item[6 + number]] for number in range(len(flags))]
        return by_file, answers


@dataclass(frozen=True, slots=True)
class QueriedTable:
    """The table under its name in Hive."""

    check: Checker
    table: OperatedTable
    name: str

    def assert_right(self, state: str, *, without_skipping: bool = False) -> None:
        """Asserts that Hive answers like Spark, and opens only the files that the index cannot exclude.

        These are the files without statistics, and those whose statistics allow a matching row.

        Args:
            state: What happened to the table, for messages.
            without_skipping: Whether to ask with skipping off as well.
        """
        rows, answers = self.table.read(FILTERS)
        files, indexed = self.table.files(), self.table.indexed()
        for item, answer in zip(FILTERS, answers, strict=True):
            query = f"select id, grp, v, n from {self.name} where {item.where}"
            with_skipping = self.check.run(query)
            what = f"{state}: {item.where}"
            assert_same_rows(with_skipping.rows, answer, f"Hive and Spark, {what}", with_skipping.scans)
            matching = {name for name, of_file in rows.items() if item.may_match(of_file)}
            wanted = (files.keys() - indexed) | matching
            scan = with_skipping.scan
            assert (scan.kept, scan.files) == (len(wanted), len(files)), (
                f"{what}: should have opened {len(wanted)} of {len(files)} files: {scan.line}"
            )
            if without_skipping:
                off = self.check.run(query, WITHOUT_SKIPPING, scans=0)
                assert_same_rows(off.rows, answer, f"without skipping, {what}")
