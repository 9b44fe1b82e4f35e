"""From a query to its first row in Hive: where the filter keeps one of many files, and where there is one.

Both tables are Hudi tables with an index, queried through the handler on the same server in turn.
"""

from __future__ import annotations

import hashlib
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pyhive import hive
from pyspark.sql import DataFrame, SparkSession

from pycompiler.hiveserver import HiveServer
from pycompiler.hiveserver.log_lines import fields_about
from pycompiler.spark.writer import write_indexed

from ..results import Result
from ..wide_case import WORK

FILES: Final = 1_288
SMALL_FILES: Final = 40

_ROWS: Final = 5_000
"""Of a file."""

_HANDLER: Final = "io.hudiskip.hive.HudiStorageHandler"
_ROUNDS: Final = 15
_WARM_UP_ROUNDS: Final = 5
_GOAL: Final = 1.2
_MANY: Final = "many_files"
_ONE: Final = "one_file"
_OPTIONS: Final = {
    "hoodie.datasource.write.operation": "bulk_insert",
    "hoodie.datasource.write.recordkey.field": "k",
    "hoodie.datasource.write.precombine.field": "n",
    "hoodie.datasource.write.partitionpath.field": "",
    "hoodie.bulkinsert.sort.mode": "NONE",
    "hoodie.metadata.enable": "false",
    "hoodie.clean.automatic": "false",
}


@dataclass(frozen=True, slots=True)
class _Run:
    """One run of a query, in milliseconds.

    Attributes:
        total: Until the first row.
        planned: Of that, until the splits were there: listing and pruning, as the server's log has it.
    """

    total: float
    planned: float


def run(spark: SparkSession, files: int) -> list[Result]:
    """Writes both tables and asks them in turn.

    Args:
        spark: A session with Hudi.
        files: How many the large table has.
    """
    wanted = files // 2
    _write(spark, _MANY, _rows(spark, range(files)))
    _write(spark, _ONE, _rows(spark, [wanted]))
    queries = {
        "rows of a day": f"SELECT * FROM {{}} WHERE day = {wanted}",
        "sum over a range": f"SELECT sum(price) FROM {{}} WHERE day BETWEEN {wanted} AND {wanted}",
        "row of a key": f"SELECT * FROM {{}} WHERE k = '{_key(wanted * _ROWS + 17)}'",
        "LIMIT": f"SELECT * FROM {{}} WHERE day = {wanted} LIMIT 100",
    }
    with tempfile.TemporaryDirectory() as home, HiveServer.start(Path(home)) as server:
        host, _, port = server.address.partition(":")
        with closing(hive.connect(host=host, port=int(port), username="bench")) as connection:
            asking = _Asking(connection, server.log)
            for table in (_MANY, _ONE):
                asking.first_row(
                    f"CREATE EXTERNAL TABLE {table} STORED BY '{_HANDLER}' LOCATION '{_path(table)}'"
                )
            found = {title: _compare(asking, query) for title, query in queries.items()}
    for table in (_MANY, _ONE):
        shutil.rmtree(_path(table))
    return [result for title, runs in found.items() for result in _results(files, title, runs)]


class _Asking:
    """A session, and the log of its server."""

    def __init__(self, connection: hive.Connection, log: Path) -> None:
        self._connection = connection
        self._log = log

    def first_row(self, statement: str) -> float:
        """Milliseconds until the first row is there, or until the end of a statement without rows."""
        with closing(self._connection.cursor()) as cursor:
            start = time.perf_counter()
            cursor.execute(statement)
            if cursor.description:
                cursor.fetchone()
            return (time.perf_counter() - start) * 1000

    def run(self, query: str, table: str) -> _Run:
        """Runs a query about one table.

        Raises:
            AssertionError: It has not kept exactly one file.
        """
        position = self._log.stat().st_size
        total = self.first_row(query.format(table))
        scan = self._scan(position)
        if scan["kept"] != "1":
            raise AssertionError(f"{query.format(table)} keeps {scan['kept']} files, expected 1")
        return _Run(total, float(scan["ms"]))

    def _scan(self, position: int) -> Mapping[str, str]:
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            with self._log.open("rb") as log:
                log.seek(position)
                lines = log.read().decode("utf-8", "replace").rpartition("\n")[0].splitlines()
            for line in lines:
                fields = fields_about("scan", line)
                if fields is not None:
                    return fields
            time.sleep(0.02)
        raise AssertionError("the log says nothing about the scan")


@dataclass(frozen=True, slots=True)
class _Compared:
    """Runs of one query: of each round, and compilations alone."""

    many: Sequence[_Run]
    one: Sequence[_Run]
    compiled: Mapping[str, float]


def _compare(asking: _Asking, query: str) -> _Compared:
    many, one = [], []
    compiled: dict[str, list[float]] = {_MANY: [], _ONE: []}
    for number in range(_WARM_UP_ROUNDS + _ROUNDS):
        runs = asking.run(query, _MANY), asking.run(query, _ONE)
        for table, times in compiled.items():
            times.append(asking.first_row("EXPLAIN " + query.format(table)))
        if number >= _WARM_UP_ROUNDS:
            many.append(runs[0])
            one.append(runs[1])
    alone = {table: statistics.median(times[_WARM_UP_ROUNDS:]) for table, times in compiled.items()}
    return _Compared(many, one, alone)


def _results(files: int, title: str, found: _Compared) -> Iterator[Result]:
    benchmark = f"first row: {title}, 1 of {files:,} files"
    for table, runs in ((_MANY, found.many), (_ONE, found.one)):
        total = statistics.median(run.total for run in runs)
        planned = statistics.median(run.planned for run in runs)
        name = table.replace("_", " ")
        yield Result(
            benchmark, f"{name}: compiled and planned by Hive (EXPLAIN)", found.compiled[table], "ms"
        )
        yield Result(benchmark, f"{name}: listed and pruned", planned, "ms")
        rest = total - found.compiled[table] - planned
        yield Result(benchmark, f"{name}: started, read and fetched (the rest)", rest, "ms")
        if table == _MANY:
            # Of the same round each: what else the machine does then is the same for both.
            ratio = statistics.median(a.total / b.total for a, b in zip(found.many, found.one, strict=True))
            yield Result(
                benchmark,
                f"{name}: first row",
                total,
                "ms",
                "one file",
                ratio,
                f"≤ {_GOAL:g} times",
                ratio <= _GOAL,
            )
        else:
            yield Result(benchmark, f"{name}: first row", total, "ms")


def _rows(spark: SparkSession, days: Sequence[int]) -> DataFrame:
    """The rows of some days, a file each."""
    start = days[0] * _ROWS
    rows = spark.range(start, start + len(days) * _ROWS, 1, len(days))
    return rows.selectExpr(
        "sha1(cast(id as string)) as k",
        f"cast(id div {_ROWS} as int) as day",
        "cast(id % 1000 as int) as supplier",
        "cast(id % 100000 as double) / 100 as price",
        "concat('comment ', id % 977) as comment",
        "id as n",
    )


def _key(number: int) -> str:
    return hashlib.sha1(str(number).encode(), usedforsecurity=False).hexdigest()


def _write(spark: SparkSession, table: str, rows: DataFrame) -> None:
    path = _path(table)
    shutil.rmtree(path, ignore_errors=True)
    options = {**_OPTIONS, "hoodie.table.name": table}
    kinds = {"k": "bloom", "day": "range", "supplier": "range", "price": "range", "n": "range"}
    written = write_indexed(rows, str(path), options, kinds, mode="append")
    if written.index is None:
        raise AssertionError(f"no index of {table}: {written.index_failure}")


def _path(table: str) -> Path:
    return (WORK / table).resolve()
