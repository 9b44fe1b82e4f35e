"""The queries on lineitem in three ways: with skipping, without it, and on a Parquet table of Hive's own."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final

from pycompiler.demo.common.answers import Answer
from pycompiler.demo.common.hive import HiveSession, Run
from pycompiler.demo.common.lake import LakeTable
from pycompiler.demo.common.part import PreparedPart
from pycompiler.demo.common.query import DemoQuery
from pycompiler.demo.common.steps import Step
from pycompiler.demo.tpch.queries import WARM_UP

ROUNDS: Final = 2
"""How often each query runs in each way."""


class Way(Enum):
    """How Hive reads the files."""

    SKIPPING = "with skipping"
    OFF = "mode=off"
    PARQUET = "native Parquet"

    @property
    def database(self) -> str:
        """The database whose tables are read so. Their names are the same in all."""
        return "tpch_parquet" if self is Way.PARQUET else "tpch_hudi"


@dataclass(frozen=True, slots=True)
class Comparison:
    """A query, what it took in each way, and whether all answers were Spark's.

    Attributes:
        query: The query.
        runs: Its runs in each way.
        same_answer: Whether each of them answered what Spark did.
    """

    query: DemoQuery
    runs: Mapping[Way, Sequence[Run]]
    same_answer: bool

    def seconds(self, way: Way) -> float:
        """The least time of the runs: what else the machine does only ever adds to one."""
        return min(run.seconds for run in self.runs[way])

    def cpu_seconds(self, way: Way) -> float:
        """The least CPU time of the runs."""
        return min(run.cpu_seconds for run in self.runs[way])

    @property
    def files_total(self) -> int:
        """Base files of the tables, all of which are opened without skipping."""
        return sum(scan.files for scan in self.runs[Way.SKIPPING][0].scans)

    @property
    def files_opened(self) -> int:
        """Base files that are opened with skipping."""
        return sum(scan.kept for scan in self.runs[Way.SKIPPING][0].scans)

    def failure(self) -> str | None:
        """Says what is wrong with it, or None."""
        if not self.same_answer:
            return f"{self.query.title}: Hive's answers and Spark's differ"
        if not self.files_opened < self.files_total:
            return f"{self.query.title}: opened all {self.files_total} files, or the log tells of no scan"
        if self.query.selective and self.files_opened * 3 > self.files_total:
            return f"{self.query.title}: opened {self.files_opened} of {self.files_total} files"
        return None


def compare(session: HiveSession, prepared: PreparedPart, step: Step) -> Sequence[Comparison]:
    """Runs each query in each way by turns."""
    _create_tables(session, prepared)
    for way in Way:
        step.update(f"warming up, {way.value}")
        _run(session, WARM_UP, way)
    compared = []
    for number, (query, expected) in enumerate(prepared.expected.items(), start=1):
        step.update(f"{number} of {len(prepared.expected)}, {query.title}")
        # The run with skipping goes first: what warms up on the way favours the others.
        rounds = [{way: _run(session, query.sql, way) for way in Way} for _ in range(ROUNDS)]
        compared.append(_compared(query, rounds, expected))
    step.result = f"{len(compared)} queries, each {ROUNDS} times in {len(Way)} ways"
    return compared


def _create_tables(session: HiveSession, prepared: PreparedPart) -> None:
    session.use(Way.SKIPPING.database)
    columns = {}
    for table in prepared.tables:
        session.create_table(table.name, table.path)
        columns[table.name] = session.columns_of(table.name)
    session.use(Way.PARQUET.database)
    for table in prepared.tables:
        session.create_parquet_table(table.name, linked_files(table), columns[table.name])


def linked_files(table: LakeTable) -> Path:
    """Makes a folder with the files of a table that has had one commit, without copying them.

    A table of Hive's own must not be made over a Hudi table: its DROP could delete the other's data.
    """
    folder = table.path.with_name(f"{table.name}-parquet")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for file in table.path.glob("*.parquet"):
        os.link(file, folder / file.name)
    return folder


def _run(session: HiveSession, sql: str, way: Way) -> Run:
    session.use(way.database)
    return session.run(sql, skipping=way is Way.SKIPPING)


def _compared(query: DemoQuery, rounds: Sequence[Mapping[Way, Run]], expected: Answer) -> Comparison:
    runs = {way: [done[way] for done in rounds] for way in Way}
    same = all(run.answer == expected for several in runs.values() for run in several)
    return Comparison(query, runs, same)
