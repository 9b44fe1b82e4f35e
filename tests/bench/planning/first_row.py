"""Times a query to its first row in Hive, if the filter keeps one of many files and if there is only one.

Both Hudi tables have an index. One server queries them through the handler, in turns.
"""

import hashlib
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Final

from pyhive import hive
from pyspark.sql import DataFrame, SparkSession
from TCLIService.ttypes import TOperationState

from pycompiler.hive.server import HiveServer
from pycompiler.spark.writer import write_indexed
from pycompiler.tools.scan_log.lines import fields_about

from ...e2e.harness.scans import ScanLog
from ...e2e.harness.session import create_statement
from ..environment import WORK, spark_session
from ..results import Result, at_most
from ..timing import in_turns, median_ratio

_ROWS: Final = 5_000
"""Rows per file."""

_ROUNDS: Final = 15
_WARM_UP_ROUNDS: Final = 5
_GOAL: Final = 1.2
_FIRST_ROW: Final = "first row"
_TAG: Final = "bench"
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
        settings = {"hive.query.tag": _TAG}
        with closing(hive.connect(host, int(port), configuration=settings)) as connection:
            for table in (_MANY, _ONE):
                _execute(connection, create_statement(table, WORK / table))
            for title, query in queries.items():
                benchmark = f"first row: {title}, 1 of {files:,} files"
                results += _compare(benchmark, connection, ScanLog(server.log), query)
    return results


def _execute(connection: hive.Connection, statement: str) -> tuple[float, float]:
    """Returns milliseconds until a statement is compiled, and until its first row or its end."""
    with closing(connection.cursor()) as cursor:
        start = time.perf_counter()
        cursor.execute(statement, async_=True)  # Returns when the statement is compiled.
        compiled = time.perf_counter()
        while cursor.poll().operationState in _UNDER_WAY:
            pass  # The server answers when the state changes.
        if cursor.description:
            cursor.fetchone()
        return (compiled - start) * 1000, (time.perf_counter() - start) * 1000


def _parts(connection: hive.Connection, log: ScanLog, query: str) -> dict[str, float]:
    """Runs a query; returns the milliseconds of each part of the time until the first row, and their sum.

    Raises:
        AssertionError: It did not keep exactly one file.
    """
    position = log.position()
    compiled, total = _execute(connection, query)
    scan, *_ = log.scans(_TAG, position)
    assert scan.kept == 1, f"{query} keeps {scan.kept} files, expected 1"
    listed = float((fields_about("scan", scan.line) or {})["ms"])
    return {
        "compiled and planned by Hive": compiled,
        "listed and pruned": listed,
        "started, read and fetched": total - compiled - listed,
        _FIRST_ROW: total,
    }


def _compare(benchmark: str, connection: hive.Connection, log: ScanLog, query: str) -> Iterator[Result]:
    """Runs a query on both tables in turns; the ratio is the median of the rounds' ratios."""
    works = [partial(_parts, connection, log, query.format(table)) for table in (_MANY, _ONE)]
    many, one = in_turns(works, _ROUNDS, _WARM_UP_ROUNDS)
    ratio = median_ratio(*([each[_FIRST_ROW] for each in rounds] for rounds in (many, one)))
    for name, rounds in (("many files", many), ("one file", one)):
        for part in rounds[0]:
            value = statistics.median(each[part] for each in rounds)
            has_goal = (name, part) == ("many files", _FIRST_ROW)
            peer = ("one file", ratio, *at_most(_GOAL, ratio, "times")) if has_goal else ()
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
    options = {**_OPTIONS, "hoodie.table.name": table}
    kinds = {"k": "bloom", **dict.fromkeys(("day", "supplier", "price", "n"), "range")}
    written = write_indexed(rows, str(WORK / table), options, kinds, mode="append")
    if written.index is None:
        raise AssertionError(f"no index of {table}: {written.index_failure}")
