"""Times a whole pruning, cold and warm, by our index and by its peers."""

from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from typing import Final

from pyspark.sql import SparkSession

from pycompiler.compile.expression.evaluator import evaluate
from pycompiler.index.index import StatisticsIndex

from . import jvm
from .data.conditions import Condition, compiled, conditions_on, where
from .data.hudi_table import hfile, load, planned
from .results import Result, beside
from .timing import QUICK, Timing, timed
from .wide_case import WideTable

_COUNTS: Final = (1, 5, 20)
_STATES: Final = ("cold", "warm")
_INDEX: Final = "index from Java"
_METADATA: Final = "metadata table, read only"
_GOALS: Final = {_METADATA: 20.0, "Iceberg planning": 5.0}
_ICEBERG_TYPES: Final = {"bigint": "long", "timestamp": "timestamptz"}
_Filters = Mapping[str, list[Condition]]
_Timings = dict[str, Timing]


def run(spark: SparkSession, table: WideTable) -> list[Result]:
    """Times filters on 1, 5 and 20 columns. All planners, except the plain read, must keep the same files."""
    filters = {
        f"{count} column{'s' if count > 1 else ''}": conditions_on(table.columns, count) for count in _COUNTS
    }
    found = {
        _INDEX: _index(table, filters),
        _METADATA: _metadata_table(table, filters),
        "Iceberg planning": _iceberg(table, filters),
        "Spark + Hudi data skipping": _spark(spark, table, filters),
        "index from Python": _python(table, filters),
    }
    for peer, timings in found.items():
        for metric, timing in timings.items():
            if peer != _METADATA:
                timing.checked(found[_INDEX][metric].count, f"{peer}, {metric}")
    goals = {(peer, metric): times for peer, times in _GOALS.items() for metric in found[peer]}
    return list(beside("pruning", _INDEX, found, goals))


def _index(table: WideTable, filters: _Filters) -> _Timings:
    asked = {name: (compiled(conditions), len(table.files), QUICK) for name, conditions in filters.items()}
    found = {state: jvm.index_timings(table.path, asked, is_cached=state == "warm") for state in _STATES}
    return {f"{name}, {state}": found[state][name] for state in _STATES for name in filters}


def _metadata_table(table: WideTable, filters: _Filters) -> _Timings:
    columns = {name: [condition.column for condition in conditions] for name, conditions in filters.items()}
    job = {"hfile": str(hfile(table.path)), "table": str(table.path), "columns": columns}
    return jvm.handler_program("HFileTimings", job, heap="4g")


def _iceberg(table: WideTable, filters: _Filters) -> _Timings:
    job = {
        "rows": str(table.rows),
        "table": str(table.iceberg),
        "types": {
            column.name: _ICEBERG_TYPES.get(column.hive_type, column.hive_type) for column in table.columns
        },
        "filters": {name: list(map(asdict, conditions)) for name, conditions in filters.items()},
    }
    return jvm.iceberg_program(job)


def _spark(spark: SparkSession, table: WideTable, filters: _Filters) -> _Timings:
    def cold(condition: str) -> int:
        return planned(load(spark, table.path), condition)

    found = {}
    for name, conditions in filters.items():
        found[f"{name}, cold"] = timed(partial(cold, where(conditions)))
        # A DataFrame keeps the listing in memory.
        found[f"{name}, warm"] = timed(partial(planned, load(spark, table.path), where(conditions)))
    return found


def _python(table: WideTable, filters: _Filters) -> _Timings:
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

    return {f"{name}, cold": timed(partial(prune, conditions)) for name, conditions in filters.items()}
