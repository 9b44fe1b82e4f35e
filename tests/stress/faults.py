"""Things that go wrong in a server while others use it. Each has its own session."""

import random
import time
from collections.abc import Callable
from typing import Final

from pyhive import hive
from pyhive.exc import Error

from .queries import Query

Connect = Callable[[], hive.Connection]
Fault = Callable[[Connect, random.Random, Query], str]
"""What it does with a session of its own; returns what is wrong about how the server took it, or nothing."""


def damaged_page(connect: Connect, draw: random.Random, query: Query) -> str:
    """A query reads a page that cannot be decompressed: it must fail."""
    return _must_fail(connect, "select k, sum(v) from damaged group by k")


def deleted_file(connect: Connect, draw: random.Random, query: Query) -> str:
    """A query reads a table one of whose files is gone: it must fail."""
    return _must_fail(connect, "select k, sum(v) from incomplete group by k")


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


FAULTS: Final[tuple[Fault, ...]] = (damaged_page, deleted_file, cancelled, killed_session)


def _must_fail(connect: Connect, query: str) -> str:
    with connect() as connection, connection.cursor() as cursor:
        try:
            cursor.execute(query)
            return f"{query}: answered {cursor.fetchall()[:3]} and should have failed"
        except Error:
            return ""
