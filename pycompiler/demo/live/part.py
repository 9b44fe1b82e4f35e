"""The delays: written, corrected, and read in each way."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pycompiler.demo.common.both_ways import run_both_ways
from pycompiler.demo.common.hive import HiveSession, Run
from pycompiler.demo.common.lake import DELAYS, first_commit
from pycompiler.demo.common.part import Part, PreparedPart
from pycompiler.demo.common.query import DemoQuery
from pycompiler.demo.common.report import Outcome
from pycompiler.demo.common.source import SourceTable
from pycompiler.demo.common.steps import Step
from pycompiler.demo.live.queries import QUERIES


def live_part(directory: Path, flights: SourceTable) -> Part:
    """Says what is done with the flights.

    Args:
        directory: Where the demo keeps its tables.
        flights: Their data.
    """
    return Part(
        title="delays",
        lake=directory / "lake-live",
        tables=((SourceTable("delays", flights.file, flights.rows), DELAYS),),
        queries=QUERIES,
        cached=False,
    )


def run_live(session: HiveSession, prepared: PreparedPart, step: Step) -> Sequence[Outcome]:
    """Runs the queries with skipping and without, once each, each on the state that it asks for."""
    (table,) = prepared.tables
    session.create_table(table.name, table.path)
    first = first_commit(table)
    step.update("warming up")
    # Merging is a good part of Hudi's classes: no query is to be charged with loading them.
    session.run(QUERIES[0].sql, skipping=False)

    def run(query: DemoQuery) -> tuple[Run, Run]:
        settings = query.state.settings(table.name, first)
        session.set(settings)
        runs = session.run(query.sql, skipping=True), session.run(query.sql, skipping=False)
        session.set(dict.fromkeys(settings, ""))
        return runs

    return run_both_ways(prepared, step, run)
