"""What is asked of the delays, whose last days were written again."""

from __future__ import annotations

from typing import Final

from pycompiler.demo.common.query import DemoQuery
from pycompiler.demo.common.state import AT_THE_FIRST_COMMIT, SINCE_THE_FIRST_COMMIT

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
        selective=False,
        state=SINCE_THE_FIRST_COMMIT,
    ),
)
