"""The delays: written, corrected, and read in each way."""

from collections.abc import Sequence
from pathlib import Path

from pycompiler.demo.common.hive import HiveSession, Run
from pycompiler.demo.common.lake import DELAYS, SourceTable, first_commit
from pycompiler.demo.common.part import DemoQuery, Part, PreparedPart
from pycompiler.demo.common.report import Outcome, Way, run_queries
from pycompiler.demo.common.steps import Step
from pycompiler.demo.live.queries import QUERIES


def live_part(directory: Path, flights: SourceTable) -> Part:
    """Defines the part."""
    return Part(
        title="delays",
        lake=directory / "lake-live",
        tables=((SourceTable("delays", flights.file, flights.rows), DELAYS),),
        queries=QUERIES,
        cached=False,
    )


def run_live(session: HiveSession, prepared: PreparedPart, step: Step) -> Sequence[Outcome]:
    """Runs each query once with and once without skipping, on its own state of the table."""
    (table,) = prepared.tables
    session.create_table(table.name, table.path)
    first = first_commit(table)
    step.update("warming up")
    # Merging loads a good part of Hudi's classes; no measured query should.
    session.run(QUERIES[0].sql, skipping=False)

    def run(query: DemoQuery, way: Way) -> Run:
        settings = query.state.settings(table.name, first)
        session.set(settings)
        done = session.run(query.sql, skipping=way is Way.SKIPPING)
        session.set(dict.fromkeys(settings, ""))
        return done

    return run_queries(prepared, step, run)
