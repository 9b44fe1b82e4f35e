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
from TCLIService.ttypes import TOperationState

from pycompiler.demo.common.hive import HANDLER
from pycompiler.hiveserver import HiveServer
from pycompiler.hiveserver.log_lines import fields_about
from pycompiler.spark.writer import write_indexed

from ...e2e.harness.scans import ScanLog
from ..results import Result
from ..wide_case import WORK

FILES: Final = 1_288
SMALL_FILES: Final = 40

_ROWS: Final = 5_000
"""Of a file."""

_ROUNDS: Final = 15
_WARM_UP_ROUNDS: Final = 5
_GOAL: Final = 1.2
_MANY: Final = "many_files"
_ONE: Final = "one_file"
_UNDER_WAY: Final = (
    TOperationState.INITIALIZED_STATE,
    TOperationState.PENDING_STATE,
    TOperationState.RUNNING_STATE,
)
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
        compiled: Of that, until the server had compiled the query and began to run it.
        planned: Of the rest, until the splits were there: listing and pruning, as the server's log has it.
    """

    total: float
    compiled: float
    planned: float

    @property
    def rest(self) -> float:
        """Starting, reading and fetching."""
        return self.total - self.compiled - self.planned


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
            asking = _Asking(connection, ScanLog(server.log))
            for table in (_MANY, _ONE):
                asking.execute(
                    f"CREATE EXTERNAL TABLE {table} STORED BY '{HANDLER}' LOCATION '{_path(table)}'"
                )
            found = {title: _compare(asking, query) for title, query in queries.items()}
    for table in (_MANY, _ONE):
        shutil.rmtree(_path(table))
    return [result for title, runs in found.items() for result in _results(files, title, runs)]


class _Asking:
    """A session, and the log of its server."""

    def __init__(self, connection: hive.Connection, log: ScanLog) -> None:
        self._connection = connection
        self._log = log

    def execute(self, statement: str) -> tuple[float, float]:
        """Milliseconds until a statement is compiled, and until its first row, or its end without rows."""
        with closing(self._connection.cursor()) as cursor:
            start = time.perf_counter()
            cursor.execute(statement, async_=True)  # returns when it is compiled
            compiled = time.perf_counter()
            while cursor.poll().operationState in _UNDER_WAY:
                pass  # The server answers when the state changes.
            if cursor.description:
                cursor.fetchone()
            return (compiled - start) * 1000, (time.perf_counter() - start) * 1000

    def run(self, query: str, table: str) -> _Run:
        """Runs a query about one table.

        Raises:
            AssertionError: It has not kept exactly one file.
        """
        position = self._log.position()
        compiled, total = self.execute(query.format(table))
        scan = self._scan(position)
        if scan["kept"] != "1":
            raise AssertionError(f"{query.format(table)} keeps {scan['kept']} files, expected 1")
        return _Run(total, compiled, float(scan["ms"]))

    def _scan(self, position: int) -> Mapping[str, str]:
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            for line in self._log.since(position).rpartition("\n")[0].splitlines():
                fields = fields_about("scan", line)
                if fields is not None:
                    return fields
            time.sleep(0.02)
        raise AssertionError("the log says nothing about the scan")


def _compare(asking: _Asking, query: str) -> list[tuple[_Run, _Run]]:
    """Runs of both tables, round by round."""
    rounds = [(asking.run(query, _MANY), asking.run(query, _ONE)) for _ in range(_WARM_UP_ROUNDS + _ROUNDS)]
    return rounds[_WARM_UP_ROUNDS:]


def _results(files: int, title: str, rounds: Sequence[tuple[_Run, _Run]]) -> Iterator[Result]:
    benchmark = f"first row: {title}, 1 of {files:,} files"
    # Of the same round each: what else the machine does then is the same for both.
    ratio = statistics.median(many.total / one.total for many, one in rounds)
    for at, table in enumerate((_MANY, _ONE)):
        runs = [both[at] for both in rounds]
        parts = {
            "compiled and planned by Hive": statistics.median(run.compiled for run in runs),
            "listed and pruned": statistics.median(run.planned for run in runs),
            "started, read and fetched": statistics.median(run.rest for run in runs),
        }
        name = table.replace("_", " ")
        for part, value in parts.items():
            yield Result(benchmark, f"{name}: {part}", value, "ms")
        total = statistics.median(run.total for run in runs)
        if table == _MANY:
            goal = f"≤ {_GOAL:g} times"
            yield Result(
                benchmark, f"{name}: first row", total, "ms", "one file", ratio, goal, ratio <= _GOAL
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
