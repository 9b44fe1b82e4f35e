# SPDX-License-Identifier: Apache-2.0
"""Asks with SQLAlchemy how many flights of a day were late, and draws what the query read.

python late_flights.py hive://HOST:10000/default /var/log/hive/hiveserver2.log 2013-07-04
"""

import sys
from datetime import date

from sqlalchemy import Date, MetaData, Table, create_engine, func, literal, select

from pycompiler import scans_page

TAG = "late_flights"


def main(url: str, log: str, day: str) -> None:
    """Prints a line for each airport, and writes the page to the current directory."""
    # The tag is in the log of HiveServer2, by which the page finds the query.
    engine = create_engine(url, connect_args={"configuration": {"hive.query.tag": TAG}})
    with engine.connect() as connection:
        flights = Table("flights", MetaData(), autoload_with=connection)
        # Not only a date: PyHive's own type of dates, which reflected columns have, takes no parameters.
        wanted_day = literal(date.fromisoformat(day), Date())
        late = (
            select(flights.c.origin, func.count())
            .where(flights.c.flights_date == wanted_day, flights.c.dep_delay > 60)
            .group_by(flights.c.origin)
            .order_by(flights.c.origin)
        )
        for row in connection.execute(late):
            print(*row)
    engine.dispose()
    scans_page(log, tag=TAG).write("late_flights.html")


if __name__ == "__main__":
    main(*sys.argv[1:])
