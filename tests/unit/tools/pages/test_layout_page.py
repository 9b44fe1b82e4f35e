from dataclasses import replace
from pathlib import Path

import pytest

from pycompiler.tools.layout.queries import AskedQuery
from pycompiler.tools.layout.table_layout import ColumnUse, TableLayout
from pycompiler.tools.pages.layout_page import page_of_layout
from tests.unit.tools.explain.tables import Table, known_table
from tests.unit.tools.layout.test_overlap import known, overlap_of
from tests.unit.tools.layout.test_table_layout import layout_of

from .documents import Element, parsed, references
from .test_explanation_page import HOSTILE, bars, titles


@pytest.fixture
def layout(tmp_path: Path) -> TableLayout:
    table = known_table(Table(tmp_path / "t"))
    table.base("c", 9, range(70, 80))
    return layout_of(table, sql="SELECT 1 FROM t WHERE n = 5; SELECT 1 FROM t WHERE missing = 5")


def document_of(layout: TableLayout) -> Element:
    return parsed(page_of_layout("/lake/t", layout).html)


def test_a_column_has_a_row_and_a_profile(layout: TableLayout) -> None:
    document = document_of(layout)
    assert document.one("h1").text.startswith("3 files, ")
    (row,) = document.all("table")[0].one("tbody").all("tr")
    assert [cell.text.strip() for cell in row.all("td", "num")] == ["1", "2", "2", "2", "1", "1"]
    profile = bars(document.all("svg", "plot")[0])
    assert titles(profile)[0] == "0 to 0: 1 file"
    assert "How many of 3 files may hold a value: at most 1, the highest bar." in document.text


def test_the_profile_of_a_column_in_order_is_as_high_as_any(layout: TableLayout) -> None:
    in_order = overlap_of(*([known((10 * file, 10 * file + 9))] for file in range(1_000)))
    many = replace(layout, slices=[layout.slices[0]] * 1_000, columns=[ColumnUse(in_order, 0)])
    profile = bars(document_of(many).all("svg", "plot")[0])
    highest = max(float(bar.one("rect", "kept").attributes["height"]) for bar in profile)
    assert highest == 70, "of 80, not a strip of 2"


def test_queries_are_told_with_what_they_open(layout: TableLayout) -> None:
    rows = document_of(layout).all("table")[1].one("tbody").all("tr")
    assert [row.all("td")[2].text for row in rows] == ["2 of 3", ""]
    assert "no column missing" in rows[1].text


def test_sizes_count_each_file_and_set_off_what_the_index_lacks(layout: TableLayout) -> None:
    sections = bars(document_of(layout).all("svg", "plot")[-1])
    assert sum(int(title.rpartition(": ")[2].split()[0]) for title in titles(sections)) == 3
    assert sum(bool(section.all("rect", "skipped")) for section in sections) == 1


def test_without_queries_nothing_is_said_of_them(layout: TableLayout) -> None:
    text = document_of(replace(layout, asked=[])).text
    assert "asked by" not in text and "queries" not in text


def test_a_column_without_bounds_has_a_row_and_no_profile(layout: TableLayout) -> None:
    unknown = replace(layout, columns=[ColumnUse(overlap_of([None], [None], [known(None, nulls=10)]), 0)])
    document = document_of(unknown)
    assert len(document.all("table")[0].one("tbody").all("tr")) == 1
    assert len(document.all("figure")) == 1, "only that of sizes"


def test_what_comes_from_a_table_is_escaped(layout: TableLayout) -> None:
    (use,) = layout.columns
    hostile = replace(
        layout,
        source=HOSTILE,
        columns=[ColumnUse(replace(use.overlap, column=HOSTILE), 1)],
        asked=[AskedQuery(HOSTILE, problem=HOSTILE)],
    )
    document = parsed(page_of_layout(HOSTILE, hostile).html)
    assert len(document.all("script")) == 1
    assert references(document) == []
    assert document.text.count(HOSTILE) >= 6


def test_a_table_without_files_has_a_page(layout: TableLayout) -> None:
    document = document_of(replace(layout, slices=[], columns=[], asked=[]))
    assert document.one("h1").text == "0 files, 0 B"


def test_many_columns_of_many_files_make_a_page_of_less_than_two_megabytes(layout: TableLayout) -> None:
    found = overlap_of(*([known((7 * number, 7 * number + 60))] for number in range(20_000)))
    columns = [ColumnUse(replace(found, column=f"column_{number}"), 0) for number in range(300)]
    queries = [AskedQuery("n = " + "5" * 3000, frozenset(), 3, 1, 10, 1)] * 5000
    slices = [layout.slices[0]] * 20_000
    page = page_of_layout("/lake/t", replace(layout, slices=slices, columns=columns, asked=queries))
    assert len(page.html.encode()) < 2_000_000
