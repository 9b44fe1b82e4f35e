from pathlib import Path

import pytest

from pycompiler.compile.predicate.errors import SqlPredicateError
from pycompiler.index.file_systems.location import Location
from pycompiler.tools.explain.columns import ExplanationError
from pycompiler.tools.layout.queries import AskedQuery
from pycompiler.tools.layout.table_layout import TableLayout, table_layout
from pycompiler.tools.layout.text import layout_document, layout_text
from pycompiler.tools.scan_log.scans import Scan
from tests.unit.tools.explain.tables import Table, known_table


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return known_table(Table(tmp_path / "t"))


def layout_of(table: Table, **more: object) -> TableLayout:
    return table_layout(Location.parse(str(table.root)), **more)  # type: ignore[arg-type]


def asked_by(table: Table, sql: str) -> AskedQuery:
    (asked,) = layout_of(table, sql=sql).asked
    return asked


def scan(table: str, expression: str, reason: str = "") -> Scan:
    return Scan("q", "", table, 9, 4, 900, 400, "pushed", expression, reason, "")


def test_the_columns_of_a_table_are_found(table: Table) -> None:
    found = layout_of(table)
    assert [(use.overlap.column, str(use.overlap.type)) for use in found.columns] == [("n", "int")]
    assert len(found.slices) == 2
    assert (found.columns[0].overlap.median, found.columns[0].overlap.most) == (1, 1)


def test_files_that_the_index_lacks_are_counted_and_read_for_each_value(table: Table) -> None:
    table.base("c", 9, range(70, 80))
    found = layout_of(table)
    assert (len(found.slices), found.not_indexed) == (3, 1)
    assert 0 < found.not_indexed_size < found.size
    assert found.columns[0].overlap.unbounded == 1
    assert "behind  1 files are not in the index" in "\n".join(layout_text(found))


@pytest.mark.parametrize(
    "where", ["n = 5", "n > 22", "n = 500", "n is not null", "n between 20 and 29", "abs(n) < 3"]
)
def test_a_query_would_open_what_explain_says(table: Table, where: str) -> None:
    asked = asked_by(table, f"SELECT count(*) FROM lake.t WHERE {where}")
    explained = table.explained(where)
    assert (asked.kept, asked.files) == (explained.slices_kept, 2)
    slices = explained.slices.values()
    assert asked.kept_size == sum(each.slice.size for each in slices if each.kept)
    assert asked.size == sum(each.slice.size for each in slices)


def test_a_query_of_a_table_that_mixes_records_opens_what_explain_says(tmp_path: Path) -> None:
    table = known_table(
        Table(
            tmp_path / "t",
            {
                "hoodie.record.merge.mode": "CUSTOM",
                "hoodie.record.merge.strategy.id": "00000000-0000-0000-0000-000000000000",
            },
        )
    )
    explained = table.explained("n = 500")
    assert explained.mixing and explained.slices_kept == 1
    assert asked_by(table, "SELECT * FROM t WHERE n = 500").kept == 1


def test_a_query_without_a_condition_opens_everything(table: Table) -> None:
    asked = asked_by(table, "SELECT max(n) FROM t")
    assert (asked.kept, asked.columns) == (2, frozenset())


@pytest.mark.parametrize(
    ("sql", "problem"), [("SELECT * FROM t WHERE missing = 5", "missing"), ("SELECT (((", "invalid SQL")]
)
def test_a_query_that_cannot_be_told_says_why(table: Table, sql: str, problem: str) -> None:
    asked = asked_by(table, sql)
    assert problem in asked.problem
    assert asked.files == 0, "it must not count"


def test_statements_about_other_tables_do_not_count(table: Table) -> None:
    found = layout_of(
        table, sql="SELECT * FROM a WHERE n = 5; DROP TABLE t; SELECT * FROM a, t WHERE t.n = 5"
    )
    assert [(asked.text, asked.kept) for asked in found.asked] == [("n = 5", 1)]


def test_columns_are_counted_by_the_queries_that_ask_for_them(table: Table) -> None:
    found = layout_of(table, sql="SELECT 1 FROM t WHERE n = 1; SELECT 1 FROM t WHERE n > 3;; SELECT 1 FROM t")
    assert [use.asked for use in found.columns] == [2]
    assert len(found.asked) == 3


def test_a_quote_that_is_not_closed_is_refused(table: Table) -> None:
    with pytest.raises(SqlPredicateError, match="unclosed quote"):
        layout_of(table, sql="SELECT 'a")


def test_scans_of_the_table_tell_what_was_asked_and_opened(table: Table) -> None:
    root = str(table.root)
    scans = [
        scan(root, "n = 5"),
        scan(f"file:{root}", "n in {[1, 5)}"),
        scan("/lake/other", "n = 5"),
        scan(root, "n in (1, 2, 3, 4, 5, … 3 more)"),
        scan(root, "", "no filter"),
        scan(root, "gone = 5"),
    ]
    found = layout_of(table, scans=scans)
    assert [(asked.columns, bool(asked.problem)) for asked in found.asked] == [
        (frozenset("n"), False),
        (frozenset("n"), False),
        (frozenset(), True),
        (frozenset(), True),
        (frozenset(), True),
    ]
    assert {(asked.files, asked.kept, asked.size, asked.kept_size) for asked in found.asked} == {
        (9, 4, 900, 400)
    }
    assert found.columns[0].asked == 2


def test_only_the_columns_that_are_named_are_looked_at(table: Table) -> None:
    assert [use.overlap.column for use in layout_of(table, columns=["N"]).columns] == ["n"]
    with pytest.raises(ExplanationError, match="the table has no column m; it has .*n"):
        layout_of(table, columns=["m"])


def test_the_document_has_what_the_text_has(table: Table) -> None:
    found = layout_of(table, sql="SELECT 1 FROM t WHERE n = 5")
    document = layout_document("/lake/t", found)
    (column,) = document["columns"]
    assert (column["column"], column["files_read_median"], column["asked"]) == ("n", 1, 1)
    assert sum(times for _, times in column["depths"]) == 6, "three ranges, because two of the logs overlap"
    (query,) = document["queries"]
    assert (query["text"], query["files_kept"], query["columns"]) == ("n = 5", 1, ["n"])
    (line,) = [line.split() for line in layout_text(found) if line.split()[:1] == ["n"]]
    assert line == ["n", "1", "1", "1", "0", "1", "int"]
