"""TPC-H: tables, layouts, and queries with skipping, without it, and on a native Parquet table."""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from pycompiler.demo.common.hive import HiveSession, Run
from pycompiler.demo.common.lake import LakeTable, Layout
from pycompiler.demo.common.part import DemoQuery, Part, PreparedPart
from pycompiler.demo.common.report import Outcome, Way, run_queries
from pycompiler.demo.common.steps import Step
from pycompiler.demo.tpch.queries import QUERIES, WARM_UP
from pycompiler.demo.tpch.source import generate, generate_days
from pycompiler.index.options import IndexOptions

ROUNDS: Final = 2
"""Runs of each query in each way."""

EXPLANATION: Final = f"""\
All three read the same Parquet files; the native table is over links to those of the Hudi table.
Seconds are measured at the client. CPU seconds (user and system) are those of HiveServer2 and the
daemon that runs its tasks, including JIT compiler and garbage collector. Each figure is the least
of {ROUNDS} alternating runs, with skipping first.

A cluster reads equally many files: that depends only on the table's layout and the condition.
Seconds differ: a cluster starts tasks for each query and divides the CPU seconds among them, and
each file costs round trips to HDFS or an object store. Here all files are in this machine's memory.
"""

_HUDI, _PARQUET = "tpch_hudi", "tpch_parquet"
_FILES_AT_SCALE_1: Final = 200
_LEAST_FILES: Final = 20
_PART: Final = Layout(key="p_partkey", order=("p_partkey",), files=4)
_DAYS: Final = Layout(key="d_date", order=("d_date",), files=1)


def tpch_part(directory: Path, scale: float) -> Part:
    """Generates the data for TPC-H's scale factor in `directory`, unless it is there, and defines the part.

    From a scale of 0.1 on, a file of lineitem has 30,000 rows.

    Raises:
        DemoDataError: The data could not be generated.
    """
    home = directory / f"tpch-{scale:g}"
    layouts = {"lineitem": lineitem_layout(scale), "part": _PART}
    return Part(
        title="TPC-H",
        lake=home / "lake",
        tables=(
            *((generate(name, scale, home / "source"), layout) for name, layout in layouts.items()),
            (generate_days(home / "source"), _DAYS),
        ),
        queries=QUERIES,
        cached=False,
    )


def lineitem_layout(scale: float) -> Layout:
    """The layout of lineitem at a scale: sorted by ship date, with a Bloom filter on orders."""
    return Layout(
        key="l_orderkey,l_linenumber",
        order=("l_shipdate", "l_orderkey"),
        files=max(_LEAST_FILES, round(scale * _FILES_AT_SCALE_1)),
        index=IndexOptions({"l_orderkey": "bloom(fpp=0.001)"}),
    )


def run_tpch(session: HiveSession, prepared: PreparedPart, step: Step) -> Sequence[Outcome]:
    """Runs each query in all ways alternately."""
    _create_tables(session, prepared)

    def run(query: DemoQuery, way: Way) -> Run:
        session.use(_PARQUET if way is Way.PARQUET else _HUDI)
        return session.run(query.sql, skipping=way is Way.SKIPPING)

    for way in Way:
        step.update(f"warming up, {way.value}")
        run(WARM_UP, way)
    return run_queries(prepared, step, run, tuple(Way), ROUNDS)


def _create_tables(session: HiveSession, prepared: PreparedPart) -> None:
    """Creates the tables of the Hudi tables and of their files, by the same names in two databases."""
    session.use(_HUDI)
    columns = {}
    for table in prepared.tables:
        session.create_table(table.name, table.path)
        columns[table.name] = session.columns_of(table.name)
    session.use(_PARQUET)
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
