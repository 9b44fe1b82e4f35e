"""Times ORDER BY with LIMIT, and max, in Hive: with skipping by the order and without, in turns."""

import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Final

from pyhive import hive

from pycompiler.hiveserver import HiveServer
from pycompiler.spark.writer import write_indexed

from ..e2e.harness.scans import ScanLog
from ..e2e.harness.servers import PATIENCE
from ..e2e.harness.session import create_statement
from .environment import WORK, spark_session
from .results import Goal, Result, at_most
from .timing import in_turns, median_ratio

_ROWS: Final = 1_000
"""Rows per file, each of a day."""

_ROUNDS: Final = 3
_TABLE: Final = "readings"
_TAG: Final = "bench"
_MOST_FILES: Final = 3.0
_NO_SLOWER: Final = 1.1
_QUERIES: Final[Mapping[str, str]] = {
    "the last 100 by a clustered column": "SELECT * FROM {} ORDER BY ts DESC NULLS LAST LIMIT 100",
    "the last 100 of a range": (
        "SELECT * FROM {} WHERE ts >= TIMESTAMP'2022-01-01 00:00:00' ORDER BY ts DESC NULLS LAST LIMIT 100"
    ),
    "greatest of a clustered column": "SELECT max(ts) FROM {}",
    "the last 100 by a scattered column": "SELECT * FROM {} ORDER BY scattered DESC NULLS LAST LIMIT 100",
}
_SCATTERED: Final = "the last 100 by a scattered column"
_OPTIONS: Final = {
    "hoodie.table.name": _TABLE,
    "hoodie.datasource.write.operation": "bulk_insert",
    "hoodie.datasource.write.recordkey.field": "id",
    "hoodie.datasource.write.precombine.field": "id",
    "hoodie.datasource.write.partitionpath.field": "",
    "hoodie.bulkinsert.sort.mode": "NONE",
    "hoodie.metadata.enable": "false",
    "hoodie.clean.automatic": "false",
}


def run(small: bool) -> list[Result]:
    """Writes a table of a file per day, and queries it."""
    files = 40 if small else 1_000
    with spark_session() as spark:
        rows = spark.range(0, files * _ROWS, 1, files).selectExpr(
            "id",
            f"timestamp_seconds(1577836800 + id * {86_400 // _ROWS}) as ts",
            f"id * 7919 % {files * _ROWS} as scattered",
            "cast(id % 100000 as double) / 100 as price",
            "concat('comment ', id % 977) as comment",
        )
        written = write_indexed(rows, str(WORK / _TABLE), _OPTIONS, mode="append")
        if written.index is None:
            raise AssertionError(f"no index: {written.index_failure}")
    results: list[Result] = []
    with tempfile.TemporaryDirectory() as home, HiveServer.start(Path(home)) as server:
        host, _, port = server.address.partition(":")
        settings = {"hive.query.tag": _TAG, "hive.fetch.task.conversion": "none", **PATIENCE}
        with closing(hive.connect(host, int(port), configuration=settings)) as connection:
            _execute(connection, create_statement(_TABLE, WORK / _TABLE))
            for title, query in _QUERIES.items():
                results += _compare(title, connection, ScanLog(server.log), query.format(_TABLE))
    return results


def _execute(connection: hive.Connection, statement: str) -> int:
    """Returns the number of rows."""
    with closing(connection.cursor()) as cursor:
        cursor.execute(statement)
        return len(cursor.fetchall()) if cursor.description else 0


def _asked(connection: hive.Connection, log: ScanLog, query: str, switch: str) -> tuple[float, int, int]:
    """Seconds of a query, files that it opens and all files."""
    _execute(connection, f"SET hudi.skipping.topk={switch}")
    position = log.position()
    start = time.perf_counter()
    _execute(connection, query)
    seconds = time.perf_counter() - start
    scan, *_ = log.scans(_TAG, position)
    return seconds, scan.kept, scan.files


def _compare(title: str, connection: hive.Connection, log: ScanLog, query: str) -> Iterator[Result]:
    """Runs a query with skipping by the order and without; the ratio is the median of the rounds' ratios."""
    works = [partial(_asked, connection, log, query, switch) for switch in ("on", "off")]
    on, off = in_turns(works, _ROUNDS)
    benchmark = f"topk: {title}, {on[0][2]:,} files"
    is_scattered = title == _SCATTERED
    files: Goal = (None, None) if is_scattered else at_most(_MOST_FILES + 0.5, on[0][1], "files")
    yield Result(benchmark, "files opened", on[0][1], "files", "off", on[0][1] / off[0][1], *files)
    ratio = median_ratio(*([seconds for seconds, *_ in rounds] for rounds in (on, off)))
    goal = at_most(_NO_SLOWER if is_scattered else None, ratio, "times")
    yield Result(benchmark, "seconds", statistics.median(found[0] for found in on), "s", "off", ratio, *goal)
    yield Result(benchmark, "seconds, off", statistics.median(found[0] for found in off), "s")
