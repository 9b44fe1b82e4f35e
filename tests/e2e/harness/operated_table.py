"""A copy-on-write table that Hudi operates on, what Spark reads in it, and what Hive answers."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from typer.testing import CliRunner

from pycompiler.cli.main import app
from pycompiler.index.index import StatisticsIndex
from pycompiler.spark.hudi_table import HudiTable

from ...spark.tables import check_listing_says_the_same
from .check import WITHOUT_SKIPPING, Checker, assert_same_rows

_NUMBERS = itertools.count(1)
_COMPLETED = re.compile(r"\d{17}(_\d{17})?\.(?!inflight|requested)(?P<action>[a-z]+)")
_METADATA = "hoodie.metadata.enable"
COLUMN_STATISTICS: Final = {_METADATA: "true", "hoodie.metadata.index.column.stats.enable": "true"}
SCHEMA = "id int, grp string, v string, n bigint"

MODES: Final[Mapping[str, Mapping[str, str]]] = {
    "vectorised": {"hive.fetch.task.conversion": "none", "hive.vectorized.execution.enabled": "true"},
    "rows": {"hive.fetch.task.conversion": "none", "hive.vectorized.execution.enabled": "false"},
    "fetch task": {"hive.fetch.task.conversion": "more"},
}
"""The ways in which Hive reads a table, as settings."""

OPTIONS: Mapping[str, str] = {
    "hoodie.table.name": "operated",
    "hoodie.datasource.write.recordkey.field": "id",
    "hoodie.datasource.write.precombine.field": "n",
    "hoodie.datasource.write.partitionpath.field": "grp",
    "hoodie.bulkinsert.sort.mode": "NONE",
    "hoodie.upsert.shuffle.parallelism": "2",
    # These make small commits slow, and no test needs them.
    "hoodie.metadata.index.column.stats.enable": "false",
    "hoodie.metadata.index.partition.stats.enable": "false",
    "hoodie.bloom.index.filter.type": "SIMPLE",
    "hoodie.index.bloom.num_entries": "100",
    # Tests that need cleaning or archiving turn them on.
    "hoodie.clean.automatic": "false",
    "hoodie.archive.automatic": "false",
}


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


@dataclass(frozen=True, slots=True)
class OperatedTable:
    """The table at a path."""

    spark: SparkSession
    path: Path

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
        self, rows: DataFrame | Iterable[Row], operation: str, extra: Mapping[str, str] | None = None
    ) -> None:
        """One write of Hudi's Spark writer, without updating the index."""
        frame = rows if isinstance(rows, DataFrame) else self.frame(rows)
        # Statements take it from the session, where a test may have turned it on; the writer does not.
        metadata = {_METADATA: self.spark.conf.get(_METADATA, "false") or "false"}
        options = {**metadata, **write_options(operation, extra)}
        frame.write.format("hudi").options(**options).mode("append").save(str(self.path))

    @contextmanager
    def named(self) -> Iterator[str]:
        """The table under a name in Spark's catalog, which statements need."""
        name = f"operated_{next(_NUMBERS)}"
        self.spark.sql(f"create table {name} using hudi location '{self.path}'")
        try:
            yield name
        finally:
            self.spark.sql(f"drop table {name}")

    def call(self, procedure: str, **arguments: object) -> None:
        """One of Hudi's procedures on the table."""
        given = "".join(f", {name} => {_literal(value)}" for name, value in arguments.items())
        self.sql(f"call {procedure}(table => '{{table}}'{given})")

    def sql(self, statement: str) -> None:
        """A statement of Spark SQL in which `{table}` stands for the table."""
        with self.named() as name:
            self.spark.sql(statement.format(table=name)).collect()

    def completed(self) -> list[tuple[str, str]]:
        """Instant and action of everything that completed and is not archived, oldest first."""
        folder = self.path / ".hoodie"
        files = [*folder.glob("*"), *folder.glob("timeline/*")]
        found = [match for file in files if (match := _COMPLETED.fullmatch(file.name))]
        return sorted((match[0][:17], match["action"]) for match in found)

    def index_command(self, command: str, *arguments: str) -> dict[str, Any]:
        """Runs `hudi-skip index …` on the table and returns its JSON output."""
        done = CliRunner().invoke(app, ["index", command, str(self.path), *arguments, "--json"])
        assert done.exit_code == 0, f"index {command}: {done.stdout}\n{done.stderr}"
        result: dict[str, Any] = json.loads(done.stdout)
        return result

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


def write_options(operation: str, extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Options of Hudi's writer for an operation on the table."""
    return {**OPTIONS, "hoodie.datasource.write.operation": operation, **(extra or {})}


def _literal(value: object) -> str:
    return f"'{value}'" if isinstance(value, str) else str(value).lower()
