import pytest

from pycompiler.tools.pull.errors import PullError
from pycompiler.tools.pull.query import checked_query


def test_a_select_of_the_source_is_taken_without_its_semicolon() -> None:
    query = "WITH late AS (SELECT * FROM lake.flights) SELECT id FROM late JOIN lake.planes p ON id = p.id"
    assert checked_query(f" {query} ;\n", "lake.flights", "lake.pulled") == query


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("", "must be a single SELECT"),
        ("SELECT 1; SELECT 2", "must be a single SELECT"),
        ("DROP TABLE lake.flights", "must be a single SELECT"),
        ("INSERT INTO t SELECT * FROM lake.flights", "must be a single SELECT"),
        ("SELECT * FROM flights", "does not read lake.flights"),
        ("SELECT * FROM lake.flights, lake.pulled", "reads lake.pulled, which the pull writes"),
        ("SELECT * FROM (", "cannot be parsed"),
    ],
)
def test_anything_else_is_refused(query: str, message: str) -> None:
    with pytest.raises(PullError, match=message):
        checked_query(query, "lake.flights", "lake.pulled")
