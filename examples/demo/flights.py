"""A year of flights: many kinds of conditions, each with skipping and without."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from examples.demo import flights_source
from examples.demo.hive import HiveSession, Run
from examples.demo.lake import Layout
from examples.demo.part import DemoQuery, Part, PreparedPart
from examples.demo.report import Outcome, Way, run_queries
from examples.demo.steps import Step

_FLIGHTS: Final = Layout(
    # Cancelled flights have no departure time; they sort to the end of each airport.
    key="flights_id",
    order=("origin", "cancelled", "flights_date", "flights_id"),
    files=66,
    partition="origin",
)
_WEATHER: Final = Layout(
    key="weather_id", order=("origin", "weather_date", "weather_id"), files=12, partition="origin"
)

_WARM_UP: Final = "SELECT month, count(*) FROM weather WHERE month < 3 GROUP BY month"
"""A query with a condition and a shuffle, for warming up."""

ONE_DAY: Final = "flights_date = DATE '2013-07-04'"
"""The condition whose page the demo draws."""

QUERIES: Final = (
    DemoQuery(
        "equality",
        "SELECT carrier, flight, tailnum, dest, dep_delay FROM flights WHERE flights_id = 123456",
    ),
    DemoQuery(
        "equality on a date (beeline)",
        "SELECT origin, count(*) AS flights, sum(distance) AS miles, max(dep_delay) AS worst_delay "
        f"FROM flights WHERE {ONE_DAY} GROUP BY origin ORDER BY origin",
        beeline=True,
    ),
    DemoQuery(
        "range",
        "SELECT carrier, count(*) AS flights, max(dep_delay) AS worst_delay FROM flights "
        "WHERE flights_date >= DATE '2013-12-24' AND flights_date < DATE '2013-12-27' GROUP BY carrier",
    ),
    DemoQuery(
        "range of a double",
        "SELECT carrier, flight, flights_date, dep_delay FROM flights WHERE dep_delay > 1000",
    ),
    DemoQuery(
        "IN",
        "SELECT dest, count(*) AS flights FROM flights "
        "WHERE flights_date IN (DATE '2013-02-08', DATE '2013-02-09') GROUP BY dest",
    ),
    DemoQuery(
        "BETWEEN",
        "SELECT count(*) AS flights, sum(air_time) AS minutes FROM flights "
        "WHERE flights_id BETWEEN 200000 AND 205000",
    ),
    DemoQuery(
        "IS NULL",
        "SELECT origin, count(*) AS cancelled FROM flights WHERE dep_time IS NULL GROUP BY origin",
    ),
    DemoQuery(
        "OR across columns",
        "SELECT flights_id, carrier, flight, dest FROM flights "
        "WHERE flights_id = 300000 OR dep_delay > 1100 OR flights_date = DATE '2013-09-12' AND dest = 'ANC'",
    ),
    DemoQuery(
        "NOT",
        "SELECT carrier, count(*) AS flights FROM flights "
        "WHERE NOT (month < 12 OR day <= 28) GROUP BY carrier",
    ),
    DemoQuery(
        "a function of a column",
        "SELECT count(*) AS flights, sum(distance) AS miles FROM flights "
        "WHERE year(flights_date) = 2013 AND month(flights_date) = 7",
    ),
    DemoQuery(
        "a timestamp",
        "SELECT origin, count(*) AS flights FROM flights "
        "WHERE time_hour >= TIMESTAMP '2013-03-08 06:00:00' AND time_hour < TIMESTAMP '2013-03-08 18:00:00' "
        "GROUP BY origin",
    ),
    DemoQuery(
        "join of two tables",
        "SELECT w.wind_gust, count(*) AS flights, max(f.dep_delay) AS worst_delay "
        "FROM flights f JOIN weather w ON f.origin = w.origin AND f.time_hour = w.time_hour "
        "WHERE f.flights_date = DATE '2013-01-31' AND w.weather_date = DATE '2013-01-31' "
        "AND w.wind_gust > 40 GROUP BY w.wind_gust",
    ),
    DemoQuery(
        "two subqueries on one table",
        "SELECT (SELECT count(*) FROM flights WHERE flights_date = DATE '2013-01-01') AS new_year, "
        "(SELECT count(*) FROM flights WHERE flights_date = DATE '2013-11-28') AS thanksgiving",
    ),
    DemoQuery(
        "partition column",
        "SELECT dest, count(*) AS flights FROM flights WHERE origin = 'LGA' AND month = 6 GROUP BY dest",
    ),
    DemoQuery(
        "nothing to prune by",
        "SELECT count(*) AS flights, sum(distance) AS miles FROM flights "
        "WHERE carrier = 'UA' AND distance % 7 = 0",
        most=1,
    ),
)


def flights_part(directory: Path) -> Part:
    """Writes the data to `directory`, unless it is there, and defines the part."""
    data = flights_source.flights(directory / "source"), flights_source.weather(directory / "source")
    return Part(
        title="flights",
        lake=directory / "lake",
        tables=tuple(zip(data, (_FLIGHTS, _WEATHER), strict=True)),
        queries=QUERIES,
    )


def run_flights(session: HiveSession, prepared: PreparedPart, step: Step) -> Sequence[Outcome]:
    """Runs each query once with and once without skipping."""
    for table in prepared.tables:
        session.create_table(table.name, table.path)
    step.update("warming up")
    # The first query on a server starts Tez and the predicate compiler; no measured query should.
    session.run(_WARM_UP, skipping=True)

    def run(query: DemoQuery, way: Way) -> Run:
        on_hive = session.run_in_beeline if query.beeline else session.run
        return on_hive(query.sql, skipping=way is Way.SKIPPING)

    return run_queries(prepared, step, run)
