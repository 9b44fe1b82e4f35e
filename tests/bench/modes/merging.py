"""A merge-on-read snapshot: read by a task of Hive's and by Spark, in turns, each in one thread."""

from __future__ import annotations

import os
import shutil
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pyspark.sql import DataFrame, SparkSession

from .. import jvm
from ..jvm import Conversation
from ..results import Result, at_most
from ..wide_case import WORK

_SLICES: Final = 4
_UPDATED: Final = 20
"""One row of so many is updated."""

_WARM_UPS: Final = 2
_ROUNDS: Final = 5
_GOAL: Final = 1.0
_SAME: Final = 1.1
"""What is read in the same way may take so much longer by chance."""

_HEAP: Final = "4g"
_META: Final = ("commit_time", "commit_seqno", "record_key", "partition_path", "file_name")
_COLUMNS: Final[Mapping[str, tuple[str, str]]] = {
    "k": ("string", "concat('key-', lpad(id, 10, '0'))"),
    "part": ("string", f"concat('p', id % {_SLICES})"),
    "n": ("bigint", "cast({version} as bigint)"),
    "id": ("bigint", "id"),
    "amount": ("decimal(12,2)", "cast((id * 7919 + {version}) % 1000003 / 100 as decimal(12, 2))"),
    "quantity": ("int", "cast(id % 50 as int)"),
    "price": ("double", "(id + {version}) * 0.25D"),
    "is_paid": ("boolean", "(id + {version}) % 2 = 0"),
    "day": ("date", "date_add(date'2020-02-29', cast(id % 1500 as int))"),
    "changed": ("timestamp", "timestamp_micros(1600000000123456L + id * 1000003L + {version})"),
    "status": ("string", "elt(1 + cast(id % 3 as int), 'open', 'shipped', 'returned')"),
    "customer": ("string", "concat('customer-', id % 50021)"),
    "note": ("string", "sha1(cast(id + {version} as string))"),
}
_NAMES: Final = (*(f"_hoodie_{name}" for name in _META), *_COLUMNS)
_READ: Final = {"2 columns": ("id", "amount"), "all columns": _NAMES}
_OPTIONS: Final = {
    "hoodie.table.name": "orders",
    "hoodie.datasource.write.recordkey.field": "k",
    "hoodie.datasource.write.partitionpath.field": "part",
    "hoodie.datasource.write.precombine.field": "n",
    "hoodie.compact.inline": "false",
    "hoodie.metadata.index.column.stats.enable": "false",
    "hoodie.metadata.index.partition.stats.enable": "false",
    "hoodie.bulkinsert.shuffle.parallelism": "1",
    "hoodie.upsert.shuffle.parallelism": "1",
}


_TIME: Final = "time"
_CPU: Final = "CPU time"
_Times = dict[tuple[str, str], dict[str, list[float]]]
"""In milliseconds, by reader and table."""


@dataclass(frozen=True)
class _Contender:
    """Who reads what.

    Attributes:
        reader: Hive's way, or Spark.
        table: Which of the tables.
        pid: The process that reads.
        read: Reads all rows; returns their number and the milliseconds.
    """

    reader: str
    table: str
    pid: int
    read: Callable[[], tuple[int, float]]


def run(spark: SparkSession, rows: int) -> list[Result]:
    """Times readers of the same slices.

    Args:
        spark: A session with Hudi and one thread.
        rows: Of each table.
    """
    tables = _build(spark, rows)
    readers = {"batches": True, "rows": False}
    queries: dict[str, Any] = {
        f"{reader} {table} {columns}": {
            "table": str(path),
            "columns": ",".join(_NAMES),
            "types": ":".join([*["string"] * len(_META), *(kind for kind, _ in _COLUMNS.values())]),
            "read": [_NAMES.index(name) for name in names],
            "batches": batches,
        }
        for reader, batches in readers.items()
        for table, path in tables.items()
        for columns, names in _READ.items()
    }
    results: list[Result] = []
    with jvm.handler_conversation("SliceReading", {"queries": queries}, _HEAP) as hive:
        for columns, names in _READ.items():
            contenders = [
                *(
                    _Contender(reader, table, hive.pid, _asks(hive, f"{reader} {table} {columns}"))
                    for reader, table in (
                        ("batches", "logs"),
                        ("rows", "logs"),
                        ("batches", "base files"),
                        ("batches", "copy-on-write"),
                    )
                ),
                _Contender("Spark", "logs", _process_of(spark), _in_spark(spark, tables["logs"], names)),
            ]
            results += _results(columns, _rounds(contenders, rows))
    for path in tables.values():
        shutil.rmtree(path)
    return results


def _rounds(contenders: Sequence[_Contender], rows: int) -> _Times:
    """What each took in several rounds, in each of which all take their turn."""
    times: _Times = {}
    for number in range(_WARM_UPS + _ROUNDS):
        for one in contenders:
            before = _cpu_milliseconds(one.pid)
            found, taken = one.read()
            if found != rows:
                raise AssertionError(f"{one} read {found} rows of {rows}")
            if number >= _WARM_UPS:
                own = times.setdefault((one.reader, one.table), {_TIME: [], _CPU: []})
                own[_TIME].append(taken)
                own[_CPU].append(_cpu_milliseconds(one.pid) - before)
    return times


def _results(columns: str, times: _Times) -> Iterator[Result]:
    peers = {
        ("batches", "logs"): (("Spark", "logs"), _GOAL),
        ("rows", "logs"): (("Spark", "logs"), None),
        ("batches", "base files"): (("batches", "copy-on-write"), _SAME),
    }
    for own, measured in times.items():
        for what, values in measured.items():
            metric = f"{', '.join(own)}, {what}"
            if own not in peers:
                yield Result(f"merging: {columns}", metric, min(values), "ms")
                continue
            peer, limit = peers[own]
            # The median of the rounds: what slows the machine down for seconds slows all of a round down.
            ratio = statistics.median(
                mine / other for mine, other in zip(values, times[peer][what], strict=True)
            )
            goal, met = (None, None) if limit is None or what == _CPU else at_most(limit, ratio, "times")
            yield Result(f"merging: {columns}", metric, min(values), "ms", ", ".join(peer), ratio, goal, met)


def _process_of(spark: SparkSession) -> int:
    gateway: Any = spark.sparkContext._gateway
    return int(gateway.proc.pid)


def _cpu_milliseconds(pid: int) -> float:
    """What a process has used, by user and system."""
    fields = Path(f"/proc/{pid}/stat").read_text("ascii", errors="replace").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def _asks(hive: Conversation, query: str) -> Callable[[], tuple[int, float]]:
    def ask() -> tuple[int, float]:
        rows, milliseconds = hive.ask(query).split()
        return int(rows), float(milliseconds)

    return ask


def _in_spark(spark: SparkSession, table: Path, columns: Sequence[str]) -> Callable[[], tuple[int, float]]:
    def read() -> tuple[int, float]:
        start = time.perf_counter()
        frame = spark.read.format("hudi").load(str(table)).select(*columns)
        frame.write.format("noop").mode("overwrite").save()
        return count, (time.perf_counter() - start) * 1000

    count = spark.read.format("hudi").load(str(table)).select(columns[0]).count()
    return read


def _build(spark: SparkSession, rows: int) -> dict[str, Path]:
    """The same rows in three tables: with logs, of base files alone, and copy-on-write."""
    folder = WORK / "merging"
    shutil.rmtree(folder, ignore_errors=True)
    tables = {name: folder / name.replace(" ", "-") for name in ("logs", "base files", "copy-on-write")}
    for name, path in tables.items():
        kind = "COPY_ON_WRITE" if name == "copy-on-write" else "MERGE_ON_READ"
        _write(_rows(spark, rows, 1), path, "bulk_insert", kind)
    updated = _rows(spark, rows, 2).where(f"(id div {_SLICES}) % {_UPDATED} = 7")
    _write(updated, tables["logs"], "upsert", "MERGE_ON_READ")
    return tables


def _rows(spark: SparkSession, rows: int, version: int) -> DataFrame:
    values = [f"{text.format(version=version)} as {name}" for name, (_, text) in _COLUMNS.items()]
    return spark.range(rows, numPartitions=1).selectExpr(*values)


def _write(rows: DataFrame, path: Path, operation: str, kind: str) -> None:
    options = {
        **_OPTIONS,
        "hoodie.datasource.write.table.type": kind,
        "hoodie.datasource.write.operation": operation,
    }
    rows.write.format("hudi").options(**options).mode("append").save(str(path))
