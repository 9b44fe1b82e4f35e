"""The queries on delays, whose last days were written twice."""

from typing import Final

from pycompiler.demo.common.part import AT_THE_FIRST_COMMIT, SINCE_THE_FIRST_COMMIT, DemoQuery

QUERIES: Final = (
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
        state=AT_THE_FIRST_COMMIT,
    ),
    DemoQuery(
        "what came since (incremental)",
        "SELECT flights_date, count(*) AS flights, max(dep_delay) AS worst_delay FROM delays "
        "GROUP BY flights_date",
        most=1,
        state=SINCE_THE_FIRST_COMMIT,
    ),
)
