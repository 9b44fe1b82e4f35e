"""Things that go wrong in a server while others use it. Each has its own session."""

import random
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from pyhive import hive
from pyhive.exc import Error

from .queries import Query

Connect = Callable[[], hive.Connection]
Fault = Callable[[Connect, random.Random, Query], str]
"""What it does with a session of its own; returns what is wrong about how the server took it, or nothing."""


def cancelled(connect: Connect, draw: random.Random, query: Query) -> str:
    """A query is cancelled while it runs."""
    with connect() as connection, connection.cursor() as cursor:
        cursor.execute(query.hive, async_=True)
        time.sleep(draw.uniform(0.2, 3.0))
        cursor.cancel()
    return ""


def killed_session(connect: Connect, draw: random.Random, query: Query) -> str:
    """A client disappears while its query runs, without a word to the server."""
    connection = connect()
    connection.cursor().execute(query.hive, async_=True)
    time.sleep(draw.uniform(0.2, 3.0))
    connection._transport.close()
    return ""


def must_fail(table: str, connect: Connect, draw: random.Random, query: Query) -> str:
    """A query reads a table that has lost data: it must fail."""
    with connect() as connection, connection.cursor() as cursor:
        try:
            cursor.execute(f"select k, sum(v) from {table} group by k")
            return f"{table}: answered {cursor.fetchall()[:3]} and should have failed"
        except Error:
            return ""


FAULTS: Final[Mapping[str, Fault]] = {
    "damaged page": partial(must_fail, "damaged"),
    "deleted file": partial(must_fail, "incomplete"),
    "cancelled": cancelled,
    "killed session": killed_session,
}
