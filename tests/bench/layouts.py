"""Compares layouts of the RFC's table: the same statistics in HFile, in plain Parquet and in our index."""

from collections.abc import Callable, Iterator
from typing import Final

import pyarrow.parquet as pq
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from pycompiler.index.data_file import DataFileReader
from pycompiler.index.file_systems.factory import open_storage
from pycompiler.index.index import StatisticsIndex

from . import jvm
from .data.hudi_table import hfile
from .data.questions import Question, rfc_questions
from .results import Result, beside, limited
from .timing import Timing, timed
from .wide_case import WideTable

_INDEX: Final = "index from Java"
_SPARK: Final = "Spark SQL on Parquet"
_METADATA: Final = "metadata table (Hudi's API)"
_DISK_GOAL_MB: Final = 43
_GOALS: Final = {
    (peer, metric): times
    for peer, times in ((_SPARK, 40.0), (_METADATA, 20.0))
    for metric in ("10 rows", "5,000 rows")
}
_Work = Callable[[], int]


def run(spark: SparkSession, table: WideTable) -> list[Result]:
    """Times each question in each layout."""
    questions = rfc_questions(table.files, table.columns)
    few = [question for question in questions if not question.is_full_scan]
    hfiles = _hudi(table, few)
    pages = _parquet_mr(table, few)
    found = {
        _INDEX: _index(table, questions, is_cached=False),
        f"{_INDEX}, in memory": _index(table, questions, is_cached=True),
        "HFile (Hudi's reader)": {
            **{each.name: hfiles[f"keys {each.name}"] for each in few},
            "full scan": hfiles["full scan"],
        },
        _METADATA: {each.name: hfiles[f"column stats {each.name}"] for each in few},
        "Parquet, parquet-mr": {each.name: pages[each.name] for each in questions},
        "Parquet, pyarrow": _timed_here(questions, lambda question: _pyarrow(table, question)),
        _SPARK: _timed_here(questions, lambda question: _spark_sql(spark, table, question)),
        "index from Python": _timed_here(questions, lambda question: _python(table, question)),
    }
    rows = {question.name: question.rows for question in questions}
    for layout, timings in found.items():
        for metric, timing in timings.items():
            # A filter that keeps no file needs the statistics of all its columns.
            timing.checked(0 if layout.startswith(_INDEX) else rows[metric], layout)
    return [*beside("layouts", _INDEX, found, _GOALS), *_disk(table)]


def _disk(table: WideTable) -> Iterator[Result]:
    storage = open_storage(table.path)
    index = sum(map(storage.size, storage.names())) / 1e6
    for layout, file in (("HFile", hfile(table.path)), ("Parquet", table.rows)):
        size = file.stat().st_size / 1e6
        yield Result(f"layouts: {layout}", "bytes on disk", size, "MB", "index", size / index)
    yield limited("layouts: index", "bytes on disk", index, "MB", _DISK_GOAL_MB)


def _index(table: WideTable, questions: list[Question], *, is_cached: bool) -> dict[str, Timing]:
    asked = {each.name: (each.expression(), each.files, each.pace) for each in questions}
    found = jvm.index_timings(table.path, asked, is_cached=is_cached)
    return {question.name: found[question.name] for question in questions}


def _hudi(table: WideTable, questions: list[Question]) -> dict[str, Timing]:
    names = list(zip(table.files.partitions, table.files.names, strict=True))
    keys = {
        each.name: [(column, *file) for column in each.names() for file in names[: each.files]]
        for each in questions
    }
    job = {"hfile": str(hfile(table.path)), "table": str(table.path), "keys": keys}
    return jvm.handler_program("HFileTimings", job, heap="4g")


def _parquet_mr(table: WideTable, questions: list[Question]) -> dict[str, Timing]:
    job = {
        "rows": str(table.rows),
        "columns": {question.name: question.names() for question in questions},
        "files": {question.name: question.file_names(table.files) for question in questions},
    }
    return jvm.handler_program("ParquetTimings", job)


def _pyarrow(table: WideTable, question: Question) -> _Work:
    conditions: list[tuple[str, str, list[str]]] = []
    if not question.is_full_scan:
        conditions.append(("column", "in", question.names()))
    if files := question.file_names(table.files):
        conditions.append(("file_name", "in", files))
    return lambda: int(pq.read_table(table.rows, filters=conditions or None).num_rows)


def _spark_sql(spark: SparkSession, table: WideTable, question: Question) -> _Work:
    def run_it() -> int:
        frame = spark.read.parquet(str(table.rows))
        if not question.is_full_scan:
            frame = frame.where(F.col("column").isin(question.names()))
        if files := question.file_names(table.files):
            frame = frame.where(F.col("file_name").isin(files))
        if not counted:
            counted.append(frame.count())
        # Spark builds every row in full, then drops it.
        frame.write.format("noop").mode("overwrite").save()
        return counted[0]

    counted: list[int] = []
    return run_it


def _python(table: WideTable, question: Question) -> _Work:
    paths = table.files.paths()[: question.files]

    def look_up() -> int:
        found = StatisticsIndex.open(table.path).statistics(question.names())
        return sum(path in of_file for of_file in found.values() for path in paths)

    def scan() -> int:
        """Reads, checks and decodes all rows into Arrow columns."""
        storage = open_storage(table.path)
        data_files = StatisticsIndex.open(table.path).manifest.data_files
        return sum(rows.num_rows for each in data_files for rows in DataFileReader(storage, each).rows())

    return scan if question.is_full_scan else look_up


def _timed_here(questions: list[Question], work: Callable[[Question], _Work]) -> dict[str, Timing]:
    return {question.name: timed(work(question), question.pace) for question in questions}
