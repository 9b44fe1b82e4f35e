"""TPC-H's lineitem, part and days: queries with skipping, without it, and on native Parquet tables."""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from examples.demo.hive import HiveSession, Run
from examples.demo.lake import LakeTable, Layout
from examples.demo.part import DemoQuery, Part, PreparedPart
from examples.demo.report import Outcome, Way, run_queries
from examples.demo.steps import Step
from examples.demo.tpch_source import generate, generate_days
from pycompiler.index.options import IndexOptions

_ROUNDS: Final = 2
"""Runs of each query in each way."""

EXPLANATION: Final = f"""\
All three read the same Parquet files; the native table is over links to those of the Hudi table.
Seconds are measured at the client. CPU seconds (user and system) are those of HiveServer2 and the
daemon that runs its tasks, including JIT compiler and garbage collector. Each figure is the least
of {_ROUNDS} alternating runs, with skipping first.

A cluster reads equally many files: that depends only on the table's layout and the condition.
Seconds differ: a cluster starts tasks for each query and divides the CPU seconds among them, and
each file costs round trips to HDFS or an object store. Here all files are in this machine's memory.
"""

_HUDI, _PARQUET = "tpch_hudi", "tpch_parquet"
_FILES_AT_SCALE_1: Final = 200
_LEAST_FILES: Final = 20
_PART: Final = Layout(key="p_partkey", order=("p_partkey",), files=4)
_DAYS: Final = Layout(key="d_date", order=("d_date",), files=1)

_WARM_UP: Final = DemoQuery(
    "warm-up",
    "SELECT l_returnflag, count(*) FROM lineitem WHERE l_shipdate < DATE '1992-03-01' GROUP BY l_returnflag",
)
"""A query with a condition and a shuffle, for warming up."""

_QUERIES: Final = (
    DemoQuery(
        "revenue of a day",
        # TPC-H's Q6, which covers a year.
        "SELECT count(*) AS items, sum(l_extendedprice * l_discount) AS revenue FROM lineitem "
        "WHERE l_shipdate = DATE '1995-02-14' AND l_discount BETWEEN 0.05 AND 0.07 AND l_quantity < 24",
    ),
    DemoQuery(
        "8 orders by key, Bloom filter",
        "SELECT l_orderkey, count(*) AS items, sum(l_extendedprice) AS price FROM lineitem "
        "WHERE l_orderkey IN (7, 1152, 5765, 12001, 23396, 31107, 44290, 58950) GROUP BY l_orderkey",
        # A Bloom filter has false positives, and each order may have been shipped in up to seven parts.
        most=0.99,
    ),
    DemoQuery(
        "a function of a column",
        "SELECT count(*) AS items, sum(l_quantity) AS quantity FROM lineitem "
        "WHERE CAST(l_shipdate AS STRING) LIKE '1996-02-1%'",
    ),
    DemoQuery(
        "a month joined with parts",
        # TPC-H's Q14 without its last division, for which engines keep different numbers of digits.
        "SELECT sum(CASE WHEN p_type LIKE 'PROMO%' THEN l_extendedprice * (1 - l_discount) ELSE 0 END) "
        "AS promo, sum(l_extendedprice * (1 - l_discount)) AS revenue "
        "FROM lineitem JOIN part ON l_partkey = p_partkey "
        "WHERE l_shipdate >= DATE '1995-09-01' AND l_shipdate < DATE '1995-10-01'",
    ),
    DemoQuery(
        "a month of a table of days",
        # No condition on lineitem: the days that the join finds choose its files.
        "SELECT d_weekday, count(*) AS items, sum(l_quantity) AS quantity "
        "FROM lineitem JOIN days ON l_shipdate = d_date "
        "WHERE d_year = 1996 AND d_month = 2 GROUP BY d_weekday",
    ),
)


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
        queries=_QUERIES,
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
        run(_WARM_UP, way)
    return run_queries(prepared, step, run, tuple(Way), _ROUNDS)


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
