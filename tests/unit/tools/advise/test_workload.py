"""The queries of a file and of HiveServer2's log."""

import pytest

from pycompiler.compile.sql.from_sql import Dialect
from pycompiler.compile.values.types import HiveType
from pycompiler.index.file_systems.location import Location
from pycompiler.tools.advise.errors import AdviceError
from pycompiler.tools.advise.workload import read_workload, statements_in, statements_logged

TABLE = Location.parse("/lake/t")
SCHEMA = {"day": HiveType("date"), "qty": HiveType("int")}


def test_each_statement_counts_as_often_as_it_is_there() -> None:
    found = read_workload(
        [
            "SELECT * FROM lake.t WHERE qty = 1",
            "select count(*) from t where qty = 1",
            "qty = 2",
            "SELECT * FROM t",
            "SELECT * FROM other",
            "SELECT * FROM t WHERE nope = 1",
            "SELEC",
        ],
        {"t"},
        SCHEMA,
    )
    assert {each.text: each.count for each in found.conditions} == {"qty = 1": 2, "qty = 2": 1}
    assert (found.asked, found.whole, found.other) == (3, 1, 1)
    assert [statement for statement, _ in found.unreadable] == ["SELECT * FROM t WHERE nope = 1", "SELEC"]
    assert found.columns() == {"qty": 3}


def test_a_file_without_statements_is_an_error() -> None:
    for text in ("", " ;; -- nothing\n"):
        with pytest.raises(AdviceError, match="no statement"):
            statements_in(text, Dialect.HIVE)


SCAN = (
    "2026-11-26T10:00:02,000 INFO [x] scan: hudi-skip scan query={query} tag= table={table} files=4 kept=1"
    ' bytes=9 kept_bytes=1 source=pushed expression="qty = 1"'
)


def logged(query: str, statement: str, table: str | None = "/lake/t") -> list[str]:
    compiling = (
        f"2026-11-26T10:00:01,000  INFO [x] ql.Driver: Compiling command(queryId={query}): {statement}"
    )
    lines = [
        *compiling.split("\n"),
        "2026-11-26T10:00:01,500  INFO [x] ql.Driver: Semantic Analysis Completed",
    ]
    return lines if table is None else [*lines, SCAN.format(query=query, table=table)]


def test_the_log_has_the_statements_that_read_the_table() -> None:
    lines = [
        *logged("q1", "SELECT *\nFROM t\nWHERE qty = 1"),
        *logged("q2", "SELECT * FROM other", "/lake/other"),
        *logged("q3", "SHOW TABLES", None),
        *logged("q4", "SELECT * FROM t WHERE qty = 2", "/lake/t/"),
        SCAN.format(query="q4", table="/lake/t"),
    ]
    found = statements_logged(lines, TABLE)
    assert found == ["SELECT *\nFROM t\nWHERE qty = 1", "SELECT * FROM t WHERE qty = 2"]


def test_a_log_without_scans_or_without_statements_is_an_error_that_says_so() -> None:
    with pytest.raises(AdviceError, match="no query in it has read /lake/t"):
        statements_logged(logged("q1", "SELECT 1", None), TABLE)
    with pytest.raises(AdviceError, match="--queries"):
        statements_logged([SCAN.format(query="q1", table="/lake/t")], TABLE)
