"""The conditions that statements put on a table."""

import pytest

from pycompiler.compile.predicate.errors import SqlPredicateError
from pycompiler.compile.sql.from_sql import Dialect, from_sql
from pycompiler.compile.sql.statements import conditions_on, split_statements
from pycompiler.compile.values.types import HiveType

SCHEMA = {
    "day": HiveType("date"),
    "qty": HiveType("int"),
    "part": HiveType("string"),
    "place": HiveType("struct<lat:int>"),
    "place.lat": HiveType("int"),
}

CASES = {
    "SELECT * FROM t WHERE qty = 1": ["qty = 1"],
    "SELECT * FROM lake.T AS x WHERE x.qty = 1 AND day > '2024-01-01'": ["qty = 1 AND day > '2024-01-01'"],
    "SELECT * FROM t JOIN p ON t.part = p.part WHERE t.qty > 3 AND p.kind = 'a' AND t.day < p.day": [
        "qty > 3"
    ],
    "SELECT * FROM t, p WHERE qty > 3 AND kind = 'a'": ["qty > 3"],
    "SELECT * FROM p WHERE p.qty IN (SELECT qty FROM t WHERE t.part LIKE 'x%')": ["part LIKE 'x%'"],
    "WITH w AS (SELECT * FROM t WHERE qty = 1) SELECT * FROM w WHERE day IS NULL": ["qty = 1"],
    "SELECT * FROM t WHERE qty = 1 UNION ALL SELECT * FROM t WHERE qty = 2": ["qty = 1", "qty = 2"],
    "SELECT a.qty FROM t a JOIN t b ON a.qty = b.qty WHERE a.qty = 1 AND b.qty = 2": ["qty = 1", "qty = 2"],
    "SELECT * FROM t WHERE qty = 1 AND EXISTS (SELECT 1 FROM p)": ["qty = 1"],
    "SELECT * FROM t x WHERE x.place.lat = 1 OR place.lat = 2": ["place.lat = 1 OR place.lat = 2"],
    "INSERT INTO r SELECT part FROM t WHERE year(day) = 2024": ["year(day) = 2024"],
    "CREATE TABLE r AS SELECT part FROM t WHERE qty = 1": ["qty = 1"],
    "qty = 1 AND part = 'a;b'": ["qty = 1 AND part = 'a;b'"],
}


@pytest.mark.parametrize("statement", CASES)
def test_conjuncts_about_the_table_alone_are_its_condition(statement: str) -> None:
    found = conditions_on(statement, {"t"}, SCHEMA)
    expected = [from_sql(condition, SCHEMA) for condition in CASES[statement]]
    assert [each.predicate for each in found] == expected


def test_a_select_without_a_condition_reads_the_whole_table() -> None:
    for statement in ("SELECT * FROM t", "SELECT * FROM t JOIN p ON t.qty = p.qty WHERE p.kind = 1"):
        (found,) = conditions_on(statement, {"t"}, SCHEMA)
        assert (found.text, found.predicate) == ("", None), statement


def test_other_statements_have_no_condition() -> None:
    assert conditions_on("SELECT * FROM p WHERE qty = 1", {"t"}, SCHEMA) == []
    assert conditions_on("SHOW TABLES", {"t"}, SCHEMA) == []


def test_what_is_no_sql_and_unknown_columns_are_errors() -> None:
    for statement, message in (
        ("SELECT FROM WHERE", "invalid SQL"),
        ("SELECT * FROM t WHERE qyt = 1", "qty"),
    ):
        with pytest.raises(SqlPredicateError, match=message):
            conditions_on(statement, {"t"}, SCHEMA)


def test_statements_end_with_semicolons_outside_of_quotes_and_comments() -> None:
    text = "-- one; two\nSELECT ';' FROM t;\n\n;SELECT 2 -- three;\nFROM t"
    assert split_statements(text, Dialect.HIVE) == ["SELECT ';' FROM t", "SELECT 2 -- three;\nFROM t"]
    with pytest.raises(SqlPredicateError, match="quote"):
        split_statements("SELECT 'a", Dialect.HIVE)
