"""Times reading a merge-on-read snapshot by a Hive task and by Spark in turns, each in one thread."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import psutil
from pyspark.sql import DataFrame, SparkSession

from ...conformance.agreement.jvm_program import JvmProgram
from .. import jvm
from ..environment import WORK, spark_session
from ..results import Result, at_most
from ..timing import in_turns, median_ratio, seconds

_SLICES: Final = 4
_UPDATED: Final = 20
"""One in so many rows is updated."""

_WARM_UPS: Final = 2
_ROUNDS: Final = 5
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


_SPARK: Final = "Spark, logs"
_CONTENDERS: Final = {
    # By peer, with the maximum ratio.
    "batches, logs": (_SPARK, 1.0),
    "rows, logs": (_SPARK, None),
    "batches, base files": ("batches, copy-on-write", 1.1),  # Equal work differs by chance.
    "batches, copy-on-write": None,
    _SPARK: None,
}
_Read = Callable[[], tuple[int, float]]
"""Reads all rows; returns their number and the milliseconds."""


def run(small: bool) -> list[Result]:
    """Times readers of the same slices, each in one thread."""
    rows = 40_000 if small else 1_000_000
    results: list[Result] = []
    with (
        spark_session(threads=1) as spark,
        JvmProgram(f"{jvm.PACKAGE}.SliceReading", options=jvm.options("4g")) as hive,
    ):
        tables = _build(spark, rows)
        gateway: Any = spark.sparkContext._gateway
        for columns, names in _READ.items():
            works = []
            for name in _CONTENDERS:
                reader, table = name.split(", ")
                if name == _SPARK:
                    pid, read = int(gateway.proc.pid), _in_spark(spark, tables[table], names)
                else:
                    pid, read = hive.pid, _in_hive(hive, tables[table], names, reader == "batches")
                works.append(partial(_measure, name, pid, read, rows))
            found = dict(zip(_CONTENDERS, in_turns(works, _ROUNDS, _WARM_UPS), strict=True))
            results += _results(f"merging: {columns}", found)
    return results


def _results(benchmark: str, found: Mapping[str, Sequence[Mapping[str, float]]]) -> Iterator[Result]:
    for name, rounds in found.items():
        for what in ("time", "CPU time"):
            values = [each[what] for each in rounds]
            metric = f"{name}, {what}"
            if (beside := _CONTENDERS[name]) is None:
                yield Result(benchmark, metric, min(values), "ms")
                continue
            peer, limit = beside
            ratio = median_ratio(values, [each[what] for each in found[peer]])
            goal = at_most(limit if what == "time" else None, ratio, "times")
            yield Result(benchmark, metric, min(values), "ms", peer, ratio, *goal)


def _measure(name: str, pid: int, read: _Read, rows: int) -> dict[str, float]:
    """Returns milliseconds and CPU milliseconds of a process's read, which must find all rows."""
    before = _cpu_milliseconds(pid)
    found, taken = read()
    assert found == rows, f"{name}: {found} rows, expected {rows}"
    return {"time": taken, "CPU time": _cpu_milliseconds(pid) - before}


def _cpu_milliseconds(pid: int) -> float:
    """Returns user and system time of a process."""
    times = psutil.Process(pid).cpu_times()
    return 1000 * (times.user + times.system)


def _in_hive(hive: JvmProgram, table: Path, columns: Sequence[str], in_batches: bool) -> _Read:
    query = {
        "table": str(table),
        "columns": ",".join(_NAMES),
        "types": ":".join([*["string"] * len(_META), *(kind for kind, _ in _COLUMNS.values())]),
        "read": [_NAMES.index(name) for name in columns],
        "batches": in_batches,
    }

    def read() -> tuple[int, float]:
        rows, milliseconds = hive.ask(json.dumps(query)).split()
        return int(rows), float(milliseconds)

    return read


def _in_spark(spark: SparkSession, table: Path, columns: Sequence[str]) -> _Read:
    def load() -> DataFrame:
        return spark.read.format("hudi").load(str(table)).select(*columns)

    def read() -> tuple[int, float]:
        return count, 1000 * seconds(lambda: load().write.format("noop").mode("overwrite").save())

    count = load().count()
    return read


def _build(spark: SparkSession, rows: int) -> dict[str, Path]:
    """Writes the same rows to three tables: with logs, base files only, and copy-on-write."""
    tables = {name: WORK / name.replace(" ", "-") for name in ("logs", "base files", "copy-on-write")}
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
