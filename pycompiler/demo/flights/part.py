"""The flights: the data is written, and each query runs with skipping and without."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pycompiler.demo.common.both_ways import run_both_ways
from pycompiler.demo.common.hive import HiveSession, Run
from pycompiler.demo.common.lake import FLIGHTS, WEATHER
from pycompiler.demo.common.part import Part, PreparedPart
from pycompiler.demo.common.query import DemoQuery
from pycompiler.demo.common.report import Outcome
from pycompiler.demo.common.steps import Step
from pycompiler.demo.flights import source
from pycompiler.demo.flights.queries import QUERIES, WARM_UP


def flights_part(directory: Path) -> Part:
    """Writes the data to `directory`, unless it is there, and says what is done with it."""
    data = source.flights(directory / "source"), source.weather(directory / "source")
    return Part(
        title="flights",
        lake=directory / "lake",
        tables=tuple(zip(data, (FLIGHTS, WEATHER), strict=True)),
        queries=QUERIES,
        cached=True,
    )


def run_flights(session: HiveSession, prepared: PreparedPart, step: Step) -> Sequence[Outcome]:
    """Runs the queries with skipping and without, once each."""
    for table in prepared.tables:
        session.create_table(table.name, table.path)
    step.update("warming up")
    # The first query of a server starts Tez and the predicate compiler; none is to be charged with that.
    session.run(WARM_UP, skipping=True)

    def run(query: DemoQuery) -> tuple[Run, Run]:
        on_hive = session.run_in_beeline if query.beeline else session.run
        return on_hive(query.sql, skipping=True), on_hive(query.sql, skipping=False)

    return run_both_ways(prepared, step, run)
