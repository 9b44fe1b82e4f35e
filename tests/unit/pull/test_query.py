from __future__ import annotations

import pytest

from pycompiler.pull.errors import PullError
from pycompiler.pull.query import checked_query


def test_a_select_of_the_source_is_taken_without_its_semicolon() -> None:
    query = "WITH late AS (SELECT * FROM lake.flights) SELECT id FROM late JOIN lake.planes p ON id = p.id"
    assert checked_query(f" {query} ;\n", "lake.flights", "lake.pulled") == query


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("", "has to be one SELECT"),
        ("SELECT 1; SELECT 2", "has to be one SELECT"),
        ("DROP TABLE lake.flights", "has to be one SELECT"),
        ("INSERT INTO t SELECT * FROM lake.flights", "has to be one SELECT"),
        ("SELECT * FROM flights", "does not read lake.flights"),
        ("SELECT * FROM lake.flights, lake.pulled", "reads lake.pulled, which is written"),
        ("SELECT * FROM (", "cannot be read"),
    ],
)
def test_anything_else_is_refused(query: str, message: str) -> None:
    with pytest.raises(PullError, match=message):
        checked_query(query, "lake.flights", "lake.pulled")
