"""Times a whole pruning, cold and warm, by our index and by its peers."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from functools import partial
from typing import Final

from pyspark.sql import SparkSession

from pycompiler.expression.evaluator import evaluate
from pycompiler.index.index import StatisticsIndex

from . import jvm
from .data.conditions import Condition, compiled, conditions_on, where
from .data.hudi_table import SparkPlanning, hfile
from .data.wide_table import WideTable
from .results import Result, beside
from .timing import QUICK, Timing, timed

_COUNTS: Final = (1, 5, 20)
_STATES: Final = ("cold", "warm")
_INDEX: Final = "index from Java"
_METADATA: Final = "metadata table, read only"
_GOALS: Final = {_METADATA: 20.0, "Iceberg planning": 5.0}
_ICEBERG_TYPES: Final = {"bigint": "long", "timestamp": "timestamptz"}
_Filters = Mapping[int, list[Condition]]
_Timings = dict[str, Timing]


def run(spark: SparkSession, table: WideTable) -> list[Result]:
    """Times filters on 1, 5 and 20 columns. All planners, except the plain read, must keep the same files."""
    filters = {count: conditions_on(table.columns, count) for count in _COUNTS}
    found = {
        _INDEX: _index(table, filters),
        _METADATA: _metadata_table(table, filters),
        "Iceberg planning": _iceberg(table, filters),
        "Spark + Hudi data skipping": dict(_spark(spark, table, filters)),
        "index from Python": dict(_python(table, filters)),
    }
    for peer, timings in found.items():
        for metric, timing in timings.items():
            if peer != _METADATA:
                timing.checked(found[_INDEX][metric].count, f"{peer}, {metric}")
    goals = {(peer, metric): times for peer, times in _GOALS.items() for metric in found[peer]}
    return list(beside("pruning", _INDEX, found, goals))


def _metric(count: int, state: str) -> str:
    return f"{count} column{'s' if count > 1 else ''}, {state}"


def _index(table: WideTable, filters: _Filters) -> _Timings:
    asked = {
        str(count): (compiled(conditions), len(table.files), QUICK) for count, conditions in filters.items()
    }
    found = {state: jvm.index_timings(table.path, asked, is_cached=state == "warm") for state in _STATES}
    return {_metric(count, state): found[state][str(count)] for state in _STATES for count in filters}


def _metadata_table(table: WideTable, filters: _Filters) -> _Timings:
    columns = {
        str(count): [condition.column for condition in conditions] for count, conditions in filters.items()
    }
    job = {"hfile": str(hfile(table.path)), "table": str(table.path), "columns": columns}
    found = jvm.handler_program("HFileTimings", job, heap="4g")
    return {
        _metric(count, state): found[f"metadata table {count} {state}"]
        for count in filters
        for state in _STATES
    }


def _iceberg(table: WideTable, filters: _Filters) -> _Timings:
    job = {
        "rows": str(table.rows),
        "table": str(table.iceberg),
        "types": {
            column.name: _ICEBERG_TYPES.get(column.hive_type, column.hive_type) for column in table.columns
        },
        "filters": {str(count): list(map(asdict, conditions)) for count, conditions in filters.items()},
    }
    found = jvm.iceberg_program(job)
    return {_metric(count, state): found[f"{count} {state}"] for count in filters for state in _STATES}


def _spark(spark: SparkSession, table: WideTable, filters: _Filters) -> Iterator[tuple[str, Timing]]:
    for count, conditions in filters.items():
        planning = SparkPlanning(spark, table.path, where(conditions))
        for state, plan in zip(_STATES, (planning.cold, planning.warm), strict=True):
            yield _metric(count, state), timed(plan)


def _python(table: WideTable, filters: _Filters) -> Iterator[tuple[str, Timing]]:
    sizes = dict(zip(table.files.paths(), table.files.sizes.tolist(), strict=True))

    def prune(conditions: list[Condition]) -> int:
        expression = compiled(conditions)
        found = StatisticsIndex.open(table.path).statistics(expression.columns())
        files = [
            {
                column: of_file[path].statistics
                for column, of_file in found.items()
                if path in of_file and of_file[path].file_size == size
            }
            for path, size in sizes.items()
        ]
        return sum(evaluate(expression, files))

    for count, conditions in filters.items():
        yield _metric(count, "cold"), timed(partial(prune, conditions))
