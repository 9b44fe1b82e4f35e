"""The page of what the last query of a cursor read."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from pyhive import hive

from pycompiler import HudiSkipError, scans_page
from pycompiler.hive.client.query_id import query_id
from pycompiler.hive.server import HiveServer

from ..harness.check import Checker
from ..harness.engines import TEZ
from ..tables import CUSTOMERS

LOOKUP = "select name from customers where cust = 11"
WHOLE = "select count(*) from customers where cust >= 0"


@pytest.fixture
def cursor(server: HiveServer, check: Checker) -> Iterator[Any]:
    del check  # only wanted because it makes the tables
    host, _, port = server.address.partition(":")
    with hive.connect(host, int(port), username="e2e") as connection, connection.cursor() as cursor:
        yield cursor


def run(cursor: Any, query: str) -> None:
    cursor.execute(query)
    cursor.fetchall()


@pytest.mark.parametrize("engine", [TEZ, {}], ids=["tez", "fetch task"])
def test_the_page_has_the_last_query_of_the_cursor_and_no_other(
    server: HiveServer, cursor: Any, engine: dict[str, str]
) -> None:
    for name, value in engine.items():
        cursor.execute(f"SET {name}={value}")
    run(cursor, WHOLE)
    run(cursor, LOOKUP)
    page = scans_page(server.log, cursor=cursor).html
    assert "1 scan of 1 query" in page
    assert re.search(rf"\b1 of {len(CUSTOMERS.files)}\b", page), "the lookup reads one file"
    assert query_id(cursor) in page


def test_each_query_of_a_cursor_has_an_id_of_its_own(cursor: Any) -> None:
    run(cursor, LOOKUP)
    first = query_id(cursor)
    assert query_id(cursor) == first, "it can be asked again"
    run(cursor, LOOKUP)
    assert query_id(cursor) != first


def test_a_cursor_without_a_query_is_told_to_use_a_tag(server: HiveServer, cursor: Any) -> None:
    with pytest.raises(HudiSkipError, match=r"has run one.*hive\.query\.tag"):
        scans_page(server.log, cursor=cursor)
    run(cursor, LOOKUP)
    cursor.close()
    with pytest.raises(HudiSkipError, match="until it is closed"):
        scans_page(server.log, cursor=cursor)


def test_a_query_that_the_server_has_forgotten_is_an_error_and_the_connection_stays(cursor: Any) -> None:
    run(cursor, LOOKUP)
    handle = cursor._operationHandle
    cursor.close()
    cursor._operationHandle = handle
    with pytest.raises(HudiSkipError, match="does not tell the id"):
        query_id(cursor)
    cursor._operationHandle = None
    run(cursor, LOOKUP)
    assert query_id(cursor)
