"""Measures what a new user waits for: whole commands of `hudi-skip`, and what an index adds to a commit."""

import json
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Final

import pyarrow.parquet as pq
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from pycompiler.spark.index_creator import IndexCreator

from .data.linked_table import LinkedTable, Size, create
from .environment import WORK, spark_session
from .results import Result, at_most
from .timing import in_turns, median_ratio, seconds

_ROUNDS: Final = 5
_COMMIT_FILES: Final = 10
_START: Final = "Python that imports pyarrow"
_LOOP: Final = "bare pyarrow footer loop"
_LOOP_GOAL: Final = 1.5
_WRITE_GOAL: Final = 0.5
_READ_FOOTERS: Final = """
import sys
from pathlib import Path
import pyarrow.parquet as pq
for path in Path(sys.argv[1]).glob("day=*/*.parquet"):
    metadata = pq.read_metadata(path)
    for number in range(metadata.num_row_groups):
        for column in range(metadata.num_columns):
            statistics = metadata.row_group(number).column(column).statistics
            (statistics.min, statistics.max)
"""


def run(small: bool) -> Iterator[Result]:
    """Times commands in processes of their own, beside what each of them cannot do without."""
    yield from _commands(_table(Size(20 if small else 200, 1)))
    yield from _large(_table(Size(100 if small else 10_000, 10)))
    with spark_session() as spark:
        yield from _writes(spark)


def _commands(table: LinkedTable) -> Iterator[Result]:
    works: dict[str, tuple[float, Callable[[], float]]] = {
        "--help": (0.3, partial(_command, "--help")),
        f"index build, {len(table.groups)} files": (2, partial(_command, "index", "build", table.root)),
        "index update, nothing to do": (0.6, partial(_command, "index", "update", table.root)),
        "index status": (0.6, partial(_command, "index", "status", table.root)),
        f"index update, {_COMMIT_FILES} new files": (1.2, partial(_update, table)),
    }
    start: Callable[[], float] = partial(_process, "-c", "import pyarrow.parquet")
    starts, *found = in_turns([start, *(work for _, work in works.values())], _ROUNDS)
    yield Result(f"first hour: {_START}", "whole process", min(starts), "s")
    for (command, (goal, _)), times in zip(works.items(), found, strict=True):
        ratio = median_ratio(times, starts)
        best = min(times)
        yield Result(
            f"first hour: {command}", "whole process", best, "s", _START, ratio, *at_most(goal, best, "s")
        )


def _large(table: LinkedTable) -> Iterator[Result]:
    loop = partial(_process, "-c", _READ_FOOTERS, str(table.root))
    loops, builds = in_turns([loop, partial(_command, "index", "build", table.root)], _ROUNDS)
    command, ratio = f"first hour: index build, {len(table.groups):,} files", median_ratio(builds, loops)
    yield Result(f"first hour: {_LOOP}", "whole process", min(loops), "s")
    goal = at_most(_LOOP_GOAL, ratio, "times as long")
    yield Result(command, "whole process", min(builds), "s", _LOOP, ratio, *goal)


def _writes(spark: SparkSession) -> Iterator[Result]:
    """What an index adds to a commit in a running session, beside Hudi's own column statistics."""
    plain, own = WORK / "plain", WORK / "own"
    creator = IndexCreator(spark)
    writes, with_own, indexes = in_turns(
        [
            lambda: seconds(lambda: _commit(spark, plain, {})),
            lambda: seconds(
                lambda: _commit(spark, own, {"hoodie.metadata.index.column.stats.enable": "true"})
            ),
            lambda: seconds(lambda: creator.update(str(plain))),
        ],
        _ROUNDS,
    )
    metric = f"commit of {_COMMIT_FILES} files"
    hudis = statistics.median(more - less for more, less in zip(with_own, writes, strict=True))
    added = statistics.median(indexes)
    yield Result("first hour: a Hudi write", metric, statistics.median(writes), "s")
    yield Result("first hour: Hudi's column statistics of it", metric, hudis, "s")
    ratio = median_ratio(indexes, writes)
    goal = at_most(_WRITE_GOAL, added, "s")
    yield Result("first hour: index of it", metric, added, "s", "the write", ratio, *goal)


def _commit(spark: SparkSession, root: Path, more: dict[str, str]) -> None:
    rows = spark.range(1_000).selectExpr("id", *(f"id * {number} as c{number:02d}" for number in range(20)))
    options = {
        "hoodie.table.name": root.name,
        "hoodie.datasource.write.recordkey.field": "id",
        "hoodie.datasource.write.partitionpath.field": "part",
        "hoodie.datasource.write.operation": "bulk_insert",
        "hoodie.embed.timeline.server": "false",
        **more,
    }
    frame = rows.withColumn("part", (F.col("id") % _COMMIT_FILES).cast("string")).coalesce(1)
    frame.write.format("hudi").options(**options).mode("append").save(str(root))


def _table(size: Size) -> LinkedTable:
    table = create(WORK / f"first-hour-{size.files}", size)
    names = pq.read_schema(table.templates[0]).names
    fields = [{"name": name, "type": ["null", "long"], "default": None} for name in names]
    schema = json.dumps({"type": "record", "name": "t", "fields": fields})
    with (table.root / ".hoodie" / "hoodie.properties").open("a") as properties:
        properties.write(f"hoodie.table.create.schema={schema}\n")
    return table


def _update(table: LinkedTable) -> float:
    first = len(table.groups)
    table.write(range(first, first + _COMMIT_FILES))
    return _command("index", "update", table.root)


def _command(*arguments: object) -> float:
    return _process("-m", "pycompiler", *map(str, arguments))


def _process(*arguments: str) -> float:
    command = [sys.executable, *arguments]
    return seconds(lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL))
