"""One whole pruning, from nothing or once more, by this project's index and by what others have."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Final

from pyspark.sql import SparkSession

from pycompiler.expression.codec import to_bytes
from pycompiler.expression.evaluator import evaluate
from pycompiler.index.index import StatisticsIndex

from . import jvm
from .data.conditions import Condition, compiled, conditions_on, where
from .hudi_table import SparkPlanning, hfile
from .jvm import Timing
from .results import Result, at_least
from .stopwatch import QUICK, timed
from .wide_case import WideCase

COLUMNS: Final = (1, 5, 20)
_COLD: Final = "cold"
_WARM: Final = "warm"
_INDEX: Final = "index from Java"
_ICEBERG: Final = "Iceberg planning"
_METADATA: Final = "metadata table, read only"
_GOALS: Final = {_ICEBERG: 5.0, _METADATA: 20.0}
_Timings = dict[tuple[int, str], Timing]


def run(spark: SparkSession, case: WideCase) -> list[Result]:
    """Times a filter on 1, 5 and 20 columns. Every peer but the metadata table has to keep the same files."""
    filters = {count: conditions_on(case.columns, count) for count in COLUMNS}
    of_index = _index(case, filters)
    peers = {
        _METADATA: _metadata_table(case, filters),
        _ICEBERG: _iceberg(case, filters),
        "Spark + Hudi data skipping": _spark(spark, case, filters),
        "index from Python": _python(case, filters),
    }
    results = list(_results(_INDEX, of_index, None))
    for peer, timings in peers.items():
        if peer != _METADATA:
            _same_files(peer, of_index, timings)
        results += _results(peer, timings, of_index)
    return results


def _same_files(peer: str, ours: _Timings, theirs: _Timings) -> None:
    for key, timing in theirs.items():
        if timing.count != ours[key].count:
            raise AssertionError(
                f"{key}: {peer} keeps {timing.count} files where the index keeps {ours[key].count}"
            )


def _results(peer: str, timings: _Timings, base: _Timings | None) -> Iterator[Result]:
    for (count, state), timing in timings.items():
        ratio = None if base is None else timing.best / base[count, state].best
        goal, met = None, None
        if ratio is not None and peer in _GOALS:
            goal, met = at_least(_GOALS[peer], ratio, "times as long")
        metric = f"{count} column{'s' if count > 1 else ''}, {state}"
        compared = None if base is None else _INDEX
        yield Result(f"pruning: {peer}", metric, timing.best, "ms", compared, ratio, goal, met)


def _index(case: WideCase, filters: dict[int, list[Condition]]) -> _Timings:
    found: _Timings = {}
    for state, cache_bytes in ((_COLD, 1), (_WARM, 1 << 30)):
        job = {
            "table": str(case.table),
            "listing": str(case.listing),
            "cache_bytes": cache_bytes,
            "queries": {
                str(count): {
                    "expression": to_bytes(compiled(conditions)).hex(),
                    "files": len(case.files),
                    "pace": QUICK.job(),
                }
                for count, conditions in filters.items()
            },
        }
        timings = jvm.handler_program("IndexTimings", job)
        found |= {(count, state): timings[str(count)] for count in filters}
    return found


def _metadata_table(case: WideCase, filters: dict[int, list[Condition]]) -> _Timings:
    job = {
        "hfile": str(hfile(case.table)),
        "table": str(case.table),
        "pace": QUICK.job(),
        "keys": {},
        "columns": {
            str(count): [condition.column for condition in conditions]
            for count, conditions in filters.items()
        },
    }
    found = jvm.handler_program("HFileTimings", job, heap="4g")
    return {
        (count, state): found[f"metadata table {count} {state}"]
        for count in filters
        for state in (_COLD, _WARM)
    }


def _iceberg(case: WideCase, filters: dict[int, list[Condition]]) -> _Timings:
    shutil.rmtree(case.iceberg, ignore_errors=True)
    job = {
        "rows": str(case.rows),
        "table": str(case.iceberg),
        "types": {column.name: column.hive_type for column in case.columns},
        "pace": QUICK.job(),
        "filters": {
            str(count): [
                {"column": condition.column, "low": condition.low, "high": condition.high}
                for condition in conditions
            ]
            for count, conditions in filters.items()
        },
    }
    found = jvm.iceberg_program(job)
    return {(count, state): found[f"{count} {state}"] for count in filters for state in (_COLD, _WARM)}


def _spark(spark: SparkSession, case: WideCase, filters: dict[int, list[Condition]]) -> _Timings:
    found: _Timings = {}
    for count, conditions in filters.items():
        planning = SparkPlanning(spark, case.table, where(conditions))
        found[count, _COLD] = timed(planning.cold, QUICK)
        found[count, _WARM] = timed(planning.warm, QUICK)
    return found


def _python(case: WideCase, filters: dict[int, list[Condition]]) -> _Timings:
    sizes = dict(zip(case.files.paths(), case.files.sizes.tolist(), strict=True))

    def prune(conditions: list[Condition]) -> int:
        expression = compiled(conditions)
        found = StatisticsIndex.open(case.table).statistics(expression.columns())
        files = [
            {
                column: of_file[path].statistics
                for column, of_file in found.items()
                if path in of_file and of_file[path].file_size == size
            }
            for path, size in sizes.items()
        ]
        return sum(evaluate(expression, files))

    return {
        (count, _COLD): timed(lambda conditions=conditions: prune(conditions), QUICK)  # type: ignore[misc]
        for count, conditions in filters.items()
    }
