"""The delays: a merge-on-read table whose last days were written twice, read in each way."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from examples.demo.hive import HiveSession, Run
from examples.demo.lake import Corrections, Layout, SourceTable, first_commit
from examples.demo.part import DemoQuery, Part, PreparedPart, State
from examples.demo.report import Outcome, Way, run_queries
from examples.demo.steps import Step

_DELAYS: Final = Layout(
    key="flights_id",
    order=("flights_date", "flights_id"),
    files=16,
    corrections=Corrections("flights_date >= DATE '2013-12-30'", "dep_delay", "dep_delay + 30"),
)
_SINCE_THE_FIRST_COMMIT: Final = State(
    hive=(("mode", "INCREMENTAL"), ("start.timestamp", "{first}"), ("max.commits", "-1")),
    where="_hoodie_commit_time > '{first}'",
)
_AT_THE_FIRST_COMMIT: Final = State(hive=(("commit", "{first}"),), spark=(("as.of.instant", "{first}"),))

_QUERIES: Final = (
    DemoQuery(
        "a day that was written again (merge-on-read)",
        "SELECT origin, count(*) AS flights, sum(dep_delay) AS minutes FROM delays "
        "WHERE flights_date = DATE '2013-12-31' GROUP BY origin",
    ),
    DemoQuery(
        "a day as it was written (merge-on-read)",
        "SELECT origin, count(*) AS flights, sum(dep_delay) AS minutes FROM delays "
        "WHERE flights_date = DATE '2013-07-04' GROUP BY origin",
    ),
    DemoQuery(
        "the same day at the first commit (time travel)",
        "SELECT origin, sum(dep_delay) AS minutes FROM delays "
        "WHERE flights_date = DATE '2013-12-31' GROUP BY origin",
        state=_AT_THE_FIRST_COMMIT,
    ),
    DemoQuery(
        "what came since (incremental)",
        "SELECT flights_date, count(*) AS flights, max(dep_delay) AS worst_delay FROM delays "
        "GROUP BY flights_date",
        most=1,
        state=_SINCE_THE_FIRST_COMMIT,
    ),
)


def delays_part(directory: Path, flights: SourceTable) -> Part:
    """Defines the part."""
    return Part(
        title="delays",
        lake=directory / "lake",
        tables=((SourceTable("delays", flights.file, flights.rows), _DELAYS),),
        queries=_QUERIES,
    )


def run_delays(session: HiveSession, prepared: PreparedPart, step: Step) -> Sequence[Outcome]:
    """Runs each query once with and once without skipping, on its own state of the table."""
    (table,) = prepared.tables
    session.create_table(table.name, table.path)
    first = first_commit(table)
    step.update("warming up")
    # Merging loads a good part of Hudi's classes; no measured query should.
    session.run(_QUERIES[0].sql, skipping=False)

    def run(query: DemoQuery, way: Way) -> Run:
        settings = query.state.settings(table.name, first)
        session.set(settings)
        done = session.run(query.sql, skipping=way is Way.SKIPPING)
        session.set(dict.fromkeys(settings, ""))
        return done

    return run_queries(prepared, step, run)
