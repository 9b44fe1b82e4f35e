"""The flights: the data is written, and each query runs with skipping and without."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pycompiler.demo.common.hive import HiveSession
from pycompiler.demo.common.lake import FLIGHTS, WEATHER
from pycompiler.demo.common.part import Part, PreparedPart
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
    outcomes = []
    for number, (query, expected) in enumerate(prepared.expected.items(), start=1):
        step.update(f"{number} of {len(prepared.expected)}, {query.title}")
        run = session.run_in_beeline if query.beeline else session.run
        # The run with skipping goes first: what warms up on the way favours the other one.
        skipping, full = run(query.sql, skipping=True), run(query.sql, skipping=False)
        same = skipping.answer == full.answer == expected
        outcomes.append(Outcome(query, skipping, full, same_answer=same))
    step.result = f"{len(outcomes)} queries, each twice"
    return outcomes
