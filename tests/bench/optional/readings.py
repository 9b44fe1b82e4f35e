"""A table of a file per day, and queries of it in Hive with a switch on and off, in turns."""

import datetime as dt
import statistics
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final

from pycompiler.spark.writer import write_indexed

from ...e2e.harness.session import create_statement
from ..environment import WORK, spark_session
from ..hive import Asked, Hive, hive_session
from ..results import Result, at_most
from ..timing import in_turns, median_ratio

NAME: Final = "readings"
ROWS: Final = 1_000
"""Rows per file, each of a day."""

FIRST_DAY: Final = dt.date(2020, 1, 1)
"""The day of the first file."""

_ROUNDS: Final = 3
_OPTIONS: Final = {
    "hoodie.table.name": NAME,
    "hoodie.datasource.write.operation": "bulk_insert",
    "hoodie.datasource.write.recordkey.field": "id",
    "hoodie.datasource.write.precombine.field": "id",
    "hoodie.datasource.write.partitionpath.field": "",
    "hoodie.bulkinsert.sort.mode": "NONE",
    "hoodie.metadata.enable": "false",
    "hoodie.clean.automatic": "false",
}


@dataclass(frozen=True)
class Case:
    """A query, the most files that it may open, and the most seconds and times the time that it may take."""

    title: str
    query: str
    most_files: float | None = None
    most_seconds: float | None = None
    most_times: float | None = None


@dataclass(frozen=True)
class Readings:
    """The table in a server that runs."""

    hive: Hive
    files: int

    def compare(self, benchmark: str, switch: str, case: Case) -> Iterator[Result]:
        """Runs a query with the switch on and off; the ratio is the median of the rounds' ratios.

        Raises:
            AssertionError: The answers differ.
        """
        on, off = in_turns(
            [partial(self._asked, switch, state, case.query) for state in ("on", "off")], _ROUNDS
        )
        for one, other in zip(on, off, strict=True):
            if one.rows != other.rows:
                raise AssertionError(
                    f"{case.query}: {one.rows[:3]} with {switch}=on, {other.rows[:3]} with off"
                )
        title = f"{benchmark}: {case.title}, {self.files:,} files"
        opened, of_off = on[0].opened, off[0].opened
        seconds = statistics.median(asked.seconds for asked in on)
        ratio = median_ratio(*([asked.seconds for asked in rounds] for rounds in (on, off)))
        fewest = at_most(None if case.most_files is None else case.most_files + 0.5, opened, "files")
        yield Result(title, "files opened", opened, "files", "off", opened / of_off, *fewest)
        shortest = (
            at_most(case.most_times, ratio, "times")
            if case.most_seconds is None
            else at_most(case.most_seconds, seconds, "s")
        )
        yield Result(title, "seconds", seconds, "s", "off", ratio, *shortest)
        yield Result(title, "seconds, off", statistics.median(asked.seconds for asked in off), "s")

    def _asked(self, switch: str, state: str, query: str) -> Asked:
        self.hive.set({switch: state})
        return self.hive.ask(query)


@contextmanager
def readings(files: int) -> Iterator[Readings]:
    """Writes the table with its index, and creates it in a server of its own.

    `id` and `ts` rise from file to file, `day` is the day of a file, and `scattered` has no order.
    """
    with spark_session() as spark:
        rows = spark.range(0, files * ROWS, 1, files).selectExpr(
            "id",
            f"timestamp '{FIRST_DAY} 00:00:00' + make_dt_interval(0, 0, 0, id * {86_400 // ROWS}) as ts",
            f"date_add(date '{FIRST_DAY}', cast(id div {ROWS} as int)) as day",
            f"id * 7919 % {files * ROWS} as scattered",
            "cast(id % 100000 as double) / 100 as price",
            "concat('comment ', id % 977) as comment",
        )
        written = write_indexed(rows, str(WORK / NAME), _OPTIONS, mode="append")
        if written.index is None:
            raise AssertionError(f"no index: {written.index_failure}")
    with hive_session() as hive:
        hive.execute(create_statement(NAME, WORK / NAME))
        yield Readings(hive, files)
