"""The flights: writes the data, and runs each query with and without skipping."""

from collections.abc import Sequence
from pathlib import Path

from pycompiler.demo.common.hive import HiveSession, Run
from pycompiler.demo.common.lake import FLIGHTS, WEATHER
from pycompiler.demo.common.part import DemoQuery, Part, PreparedPart
from pycompiler.demo.common.report import Outcome, Way, run_queries
from pycompiler.demo.common.steps import Step
from pycompiler.demo.flights import source
from pycompiler.demo.flights.queries import QUERIES, WARM_UP


def flights_part(directory: Path) -> Part:
    """Writes the data to `directory`, unless it is there, and defines the part."""
    data = source.flights(directory / "source"), source.weather(directory / "source")
    return Part(
        title="flights",
        lake=directory / "lake",
        tables=tuple(zip(data, (FLIGHTS, WEATHER), strict=True)),
        queries=QUERIES,
        cached=True,
    )


def run_flights(session: HiveSession, prepared: PreparedPart, step: Step) -> Sequence[Outcome]:
    """Runs each query once with and once without skipping."""
    for table in prepared.tables:
        session.create_table(table.name, table.path)
    step.update("warming up")
    # The first query on a server starts Tez and the predicate compiler; no measured query should.
    session.run(WARM_UP, skipping=True)

    def run(query: DemoQuery, way: Way) -> Run:
        on_hive = session.run_in_beeline if query.beeline else session.run
        return on_hive(query.sql, skipping=way is Way.SKIPPING)

    return run_queries(prepared, step, run)
