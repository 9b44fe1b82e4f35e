"""Times a query to its first row in Hive, if the filter keeps one of many files and if there is only one.

Both Hudi tables have an index. One server queries them through the handler, in turns.
"""

import hashlib
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from pyhive import hive
from pyspark.sql import DataFrame, SparkSession
from TCLIService.ttypes import TOperationState

from pycompiler.demo.common.hive import HANDLER
from pycompiler.hiveserver import HiveServer
from pycompiler.scan_log.lines import fields_about
from pycompiler.spark.writer import write_indexed

from ...e2e.harness.scans import ScanLog
from ..environment import WORK, spark_session
from ..results import Result, up_to
from ..timing import in_turns

_ROWS: Final = 5_000
"""Rows per file."""

_ROUNDS: Final = 15
_WARM_UP_ROUNDS: Final = 5
_GOAL: Final = 1.2
_WITH_GOAL: Final = ("many files", "first row")
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
    """Milliseconds of a query.

    Attributes:
        total: Until the first row.
        compiled: Until the server has compiled the query and starts it.
        planned: Listing and pruning, from the server's log.
    """

    total: float
    compiled: float
    planned: float

    def parts(self) -> dict[str, float]:
        """The parts of the time until the first row."""
        return {
            "compiled and planned by Hive": self.compiled,
            "listed and pruned": self.planned,
            "started, read and fetched": self.total - self.compiled - self.planned,
            "first row": self.total,
        }


def run(small: bool) -> list[Result]:
    """Writes both tables and queries them in turns."""
    files = 40 if small else 1_288
    wanted = files // 2
    with spark_session() as spark:
        _write(_MANY, _rows(spark, range(files)))
        _write(_ONE, _rows(spark, [wanted]))
    key = hashlib.sha1(str(wanted * _ROWS + 17).encode(), usedforsecurity=False).hexdigest()
    queries = {
        "rows of a day": f"SELECT * FROM {{}} WHERE day = {wanted}",
        "sum over a range": f"SELECT sum(price) FROM {{}} WHERE day BETWEEN {wanted} AND {wanted}",
        "row of a key": f"SELECT * FROM {{}} WHERE k = '{key}'",
        "LIMIT": f"SELECT * FROM {{}} WHERE day = {wanted} LIMIT 100",
    }
    results: list[Result] = []
    with tempfile.TemporaryDirectory() as home, HiveServer.start(Path(home)) as server:
        host, _, port = server.address.partition(":")
        with closing(hive.connect(host=host, port=int(port), username="bench")) as connection:
            session = _Session(connection, ScanLog(server.log))
            for table in (_MANY, _ONE):
                location = WORK / table
                session.execute(f"CREATE EXTERNAL TABLE {table} STORED BY '{HANDLER}' LOCATION '{location}'")
            for title, query in queries.items():
                results += _compare(f"first row: {title}, 1 of {files:,} files", session, query)
    return results


@dataclass(frozen=True, slots=True)
class _Session:
    """A connection, and the log of its server."""

    connection: hive.Connection
    log: ScanLog

    def execute(self, statement: str) -> tuple[float, float]:
        """Returns milliseconds until a statement is compiled, and until its first row or its end."""
        with closing(self.connection.cursor()) as cursor:
            start = time.perf_counter()
            cursor.execute(statement, async_=True)  # Returns when the statement is compiled.
            compiled = time.perf_counter()
            while cursor.poll().operationState in _UNDER_WAY:
                pass  # The server answers when the state changes.
            if cursor.description:
                cursor.fetchone()
            return (compiled - start) * 1000, (time.perf_counter() - start) * 1000

    def run(self, query: str) -> _Run:
        """Runs a query.

        Raises:
            AssertionError: It did not keep exactly one file.
        """
        position = self.log.position()
        compiled, total = self.execute(query)
        scan = self._scan(position)
        if scan["kept"] != "1":
            raise AssertionError(f"{query} keeps {scan['kept']} files, expected 1")
        return _Run(total, compiled, float(scan["ms"]))

    def _scan(self, position: int) -> Mapping[str, str]:
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            for line in self.log.since(position).rpartition("\n")[0].splitlines():
                fields = fields_about("scan", line)
                if fields is not None:
                    return fields
            time.sleep(0.02)
        raise AssertionError("the log has no line about the scan")


def _compare(benchmark: str, session: _Session, query: str) -> Iterator[Result]:
    """Runs a query on both tables in turns; the ratio is the median of the rounds' ratios."""
    works = [partial(session.run, query.format(table)) for table in (_MANY, _ONE)]
    many, one = in_turns(works, _ROUNDS, _WARM_UP_ROUNDS)
    ratio = statistics.median(a.total / b.total for a, b in zip(many, one, strict=True))
    for name, runs in (("many files", many), ("one file", one)):
        for part in runs[0].parts():
            value = statistics.median(each.parts()[part] for each in runs)
            peer = ("one file", ratio, *up_to(_GOAL, ratio)) if (name, part) == _WITH_GOAL else ()
            yield Result(benchmark, f"{name}: {part}", value, "ms", *peer)


def _rows(spark: SparkSession, days: Sequence[int]) -> DataFrame:
    """Returns the rows of some days, one file per day."""
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


def _write(table: str, rows: DataFrame) -> None:
    path = WORK / table
    shutil.rmtree(path, ignore_errors=True)
    options = {**_OPTIONS, "hoodie.table.name": table}
    kinds = {"k": "bloom", **dict.fromkeys(("day", "supplier", "price", "n"), "range")}
    written = write_indexed(rows, str(path), options, kinds, mode="append")
    if written.index is None:
        raise AssertionError(f"no index of {table}: {written.index_failure}")
