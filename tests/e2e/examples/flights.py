"""The table that the examples ask for: one file for each of six days."""

from collections import Counter
from datetime import date

from ..tables import Row, TableData

FOURTH = date(2013, 7, 4)
_ORIGINS = ("EWR", "JFK", "LGA")
_FLIGHTS_A_DAY = 30


def _flight(day: int, number: int) -> Row:
    return {
        "flights_id": day * _FLIGHTS_A_DAY + number,
        "flights_date": date(2013, 7, day),
        "origin": _ORIGINS[number % 7 % 3],
        "dest": "SFO",
        "dep_delay": 7.0 * number - 20,
    }


FLIGHTS = TableData(
    "flights",
    "flights_id int, flights_date date, origin string, dest string, dep_delay double",
    "flights_id",
    tuple(tuple(_flight(day, number) for number in range(_FLIGHTS_A_DAY)) for day in range(1, 7)),
)


def late_on(day: date) -> list[tuple[str, int]]:
    """Each airport, and how many of its flights left more than an hour late."""
    late = (row["origin"] for row in FLIGHTS.rows() if row["flights_date"] == day and row["dep_delay"] > 60)
    return sorted(Counter(late).items())
