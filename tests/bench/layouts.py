"""The RFC's table: the same statistics in HFile, in plain Parquet and in this project's index."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from pycompiler.index.data_file import DataFileReader
from pycompiler.index.index import StatisticsIndex
from pycompiler.index.storage.factory import open_storage

from . import jvm
from .data.questions import Question, rfc_questions
from .jvm import Timing
from .results import Result, at_least, at_most
from .stopwatch import FULL_SCAN, QUICK, Pace, timed
from .wide_case import WideCase

_INDEX: Final = "index from Java"
_SPARK: Final = "Spark SQL on Parquet"
_METADATA: Final = "metadata table (Hudi's API)"
_DISK_GOAL_MB: Final = 43
# Of the issue: how many times as long the others may take, at least.
_GOALS: Final[dict[tuple[str, str], float]] = {
    (_SPARK, "10 rows"): 40,
    (_SPARK, "5,000 rows"): 40,
    (_METADATA, "10 rows"): 20,
    (_METADATA, "5,000 rows"): 20,
}
_Timings = dict[str, Timing]


def run(spark: SparkSession, case: WideCase) -> list[Result]:
    """Times each question in each layout; the index is opened anew and its cache is empty each time."""
    questions = rfc_questions(case.files, case.columns)
    of_index = _index(case, questions, cache_bytes=1)
    layouts = {
        **_hfile(case, questions),
        "Parquet, parquet-mr": _parquet_mr(case, questions),
        "Parquet, pyarrow": _pyarrow(case, questions),
        _SPARK: _spark_sql(spark, case, questions),
        "index from Python": _python(case, questions),
    }
    results = list(_timing_results(_INDEX, of_index, None))
    results += _timing_results(f"{_INDEX}, in memory", _index(case, questions, cache_bytes=1 << 30), of_index)
    for layout, timings in layouts.items():
        results += _timing_results(layout, timings, of_index)
    return [*results, *_disk(case)]


def _timing_results(layout: str, timings: _Timings, base: _Timings | None) -> Iterator[Result]:
    for metric, timing in timings.items():
        ratio = None if base is None else timing.best / base[metric].best
        goal, met = None, None
        if ratio is not None and (layout, metric) in _GOALS:
            goal, met = at_least(_GOALS[layout, metric], ratio, "times as long")
        compared = None if base is None else _INDEX
        yield Result(f"layouts: {layout}", metric, timing.best, "ms", compared, ratio, goal, met)


def _disk(case: WideCase) -> Iterator[Result]:
    index = case.bytes_on_disk["index"]
    for name, layout in (("hfile", "HFile"), ("parquet", "Parquet"), ("index", "index")):
        megabytes = case.bytes_on_disk[name] / 1e6
        ratio = None if name == "index" else case.bytes_on_disk[name] / index
        goal, met = at_most(_DISK_GOAL_MB, megabytes, "MB") if name == "index" else (None, None)
        compared = None if ratio is None else "index"
        yield Result(f"layouts: {layout}", "bytes on disk", megabytes, "MB", compared, ratio, goal, met)


def _index(case: WideCase, questions: list[Question], cache_bytes: int) -> _Timings:
    asked = {
        question.name: {
            "expression": question.expression(),
            "files": question.files,
            "pace": _pace(question).job(),
        }
        for question in questions
    }
    job = {
        "table": str(case.table),
        "listing": str(case.listing),
        "cache_bytes": cache_bytes,
        "queries": asked,
    }
    found = jvm.handler_program("IndexTimings", job)
    return {question.name: _checked(found[question.name], 0, question.name) for question in questions}


def _hfile(case: WideCase, questions: list[Question]) -> dict[str, _Timings]:
    names = list(zip(case.files.partitions, case.files.names, strict=True))
    few = [question for question in questions if question.name != "full scan"]
    job = {
        "hfile": str(_only_hfile(case)),
        "table": str(case.table),
        "pace": QUICK.job(),
        "full_scan_pace": FULL_SCAN.job(),
        "keys": {
            question.name: [
                (column, *file) for column in question.names() for file in names[: question.files]
            ]
            for question in few
        },
        "columns": {},
    }
    found = jvm.handler_program("HFileTimings", job, heap="4g")
    rows = len(case.files) * len(case.columns)
    by_key = {
        question.name: _checked(found[f"keys {question.name}"], question.rows, "HFile") for question in few
    }
    api = {
        question.name: _checked(found[f"column stats {question.name}"], question.rows, "column_stats")
        for question in few
    }
    scan = _checked(found["full scan"], rows, "HFile")
    return {"HFile (Hudi's reader)": {**by_key, "full scan": scan}, _METADATA: api}


def _only_hfile(case: WideCase) -> str:
    (path,) = case.table.glob(".hoodie/metadata/column_stats/*.hfile")
    return str(path)


def _parquet_mr(case: WideCase, questions: list[Question]) -> _Timings:
    few = [question for question in questions if question.name != "full scan"]
    job = {
        "rows": str(case.rows),
        "pace": QUICK.job(),
        "full_scan_pace": FULL_SCAN.job(),
        "columns": {question.name: question.names() for question in few},
        "files": {question.name: _file_names(case, question) for question in few},
    }
    found = jvm.handler_program("ParquetTimings", job)
    return {
        question.name: _checked(found[question.name], question.rows, "parquet-mr") for question in questions
    }


def _pyarrow(case: WideCase, questions: list[Question]) -> _Timings:
    def read(question: Question) -> Callable[[], int]:
        if question.name == "full scan":
            return lambda: int(pq.read_table(case.rows).num_rows)
        filters: list[tuple[str, str, list[str]]] = [("column", "in", question.names())]
        if files := _file_names(case, question):
            filters.append(("file_name", "in", files))
        return lambda: int(pq.read_table(case.rows, filters=filters).num_rows)

    return _timed_here(questions, read)


def _spark_sql(spark: SparkSession, case: WideCase, questions: list[Question]) -> _Timings:
    def query(question: Question) -> DataFrame:
        frame = spark.read.parquet(str(case.rows))
        if question.name != "full scan":
            frame = frame.where(F.col("column").isin(question.names()))
        if files := _file_names(case, question):
            frame = frame.where(F.col("file_name").isin(files))
        return frame

    def read(question: Question) -> Callable[[], int]:
        rows = query(question).count()

        def run_it() -> int:
            # All of each row is made, and nothing is done with it.
            query(question).write.format("noop").mode("overwrite").save()
            return rows

        return run_it

    return _timed_here(questions, read)


def _python(case: WideCase, questions: list[Question]) -> _Timings:
    def read(question: Question) -> Callable[[], int]:
        if question.name == "full scan":
            return lambda: _scanned(case)
        paths = case.files.paths()[: question.files]

        def look_up() -> int:
            found = StatisticsIndex.open(case.table).statistics(question.names())
            return sum(path in of_file for of_file in found.values() for path in paths)

        return look_up

    return _timed_here(questions, read)


def _scanned(case: WideCase) -> int:
    """Reads, checks and decodes all rows, into Arrow's columns."""
    storage = open_storage(case.table)
    data_files = StatisticsIndex.open(case.table).manifest.data_files
    tables = (table for data_file in data_files for table in DataFileReader(storage, data_file).rows())
    return sum(table.num_rows for table in tables)


def _timed_here(questions: list[Question], read: Callable[[Question], Callable[[], int]]) -> _Timings:
    found = {}
    for question in questions:
        timing = timed(read(question), _pace(question))
        found[question.name] = _checked(timing, question.rows, question.name)
    return found


def _pace(question: Question) -> Pace:
    return FULL_SCAN if question.name == "full scan" else QUICK


def _file_names(case: WideCase, question: Question) -> list[str]:
    """The files asked for; none if all are."""
    return [] if question.files == len(case.files) else case.files.names[: question.files]


def _checked(timing: Timing, expected: int, what: str) -> Timing:
    if timing.count != expected:
        raise AssertionError(f"{what} gave {timing.count} rows or files where {expected} are right")
    return timing
