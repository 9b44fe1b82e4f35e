import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from pycompiler.compile.compiler.compile import Unused
from pycompiler.compile.expression.evaluator import evaluate
from pycompiler.compile.expression.model import Leaf, Operator
from pycompiler.compile.expression.statistics import ColumnStatistics
from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.types import HiveType
from pycompiler.table.files import FileSlice, TableFile
from pycompiler.tools.explain.explanation import Explanation, NodeVerdict
from pycompiler.tools.explain.verdicts import FileVerdict, SliceVerdict
from pycompiler.tools.pages.charts import MOST_ROWS
from pycompiler.tools.pages.explanation_page import columns_by_effect, page_of_explanation
from tests.unit.tools.explain.tables import INT, NOW, Table, known_table

from .documents import Element, parsed, references

MEGABYTE = 1_000_000


def page_of(found: Explanation, where: str = "n = 5", path: str = "/lake/t") -> Element:
    return parsed(page_of_explanation(path, where, found, None, NOW).html)


def bars(document: Element) -> list[Element]:
    return [element for element in document.all("g") if "data-bar" in element.attributes]


def titles(elements: list[Element]) -> list[str]:
    return [element.one("title").text for element in elements]


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return known_table(Table(tmp_path / "t"))


def slices_of(found: Explanation, statistics: Sequence[ColumnStatistics | None]) -> Explanation:
    """An explanation of other slices: one file each, with these statistics of `n`."""
    verdicts = {}
    known = [{} if each is None else {"n": each} for each in statistics]
    votes = evaluate(found.expression, known)
    for number, (of_file, kept) in enumerate(zip(known, votes, strict=True)):
        file = TableFile(
            f"p={number % 100}/{number:08}-7a1b-4c2d-9e3f-0_0-1-0_20260101.parquet", 10**6, "1", True
        )
        verdict = FileVerdict(file, kept, of_file)
        verdicts[file.path] = SliceVerdict(FileSlice(file), kept, (verdict,))
    return replace(found, slices=verdicts)


def ints(low: int, high: int, nulls: int = 0) -> ColumnStatistics:
    return ColumnStatistics(INT, encode_value(INT, low), encode_value(INT, high), nulls, 100, None)


def test_each_slice_is_a_bar_kept_or_skipped(table: Table) -> None:
    document = page_of(table.explained("n = 5"))
    assert document.one("h1").text == "1 of 2 files read, 1 skipped"
    kept, skipped = bars(document)
    assert (kept.classes, skipped.classes) == (["k"], ["s"])
    assert len(kept.all("rect", "f")) == 1
    assert len(skipped.all("rect", "f")) == 3, "a base file and two logs"
    assert titles([kept]) == ["p/a_0-1-0_20260101000001000.parquet: kept\nn int: 0 to 9, 0 of 10 NULL"]


def test_kept_and_skipped_differ_without_colour(table: Table) -> None:
    kept, skipped = bars(page_of(table.explained("n = 5")))
    heights = [float(row.all("rect", "f")[0].attributes["height"]) for row in (kept, skipped)]
    assert heights[0] >= 4 * heights[1], f"one cannot tell {heights} apart in black and white"
    words = [
        row.one("td", "word").text
        for row in page_of(table.explained("n = 5")).all("table")[-1].one("tbody").all("tr")
    ]
    assert words == ["kept", "skipped"]


def percent_of(element: Element, name: str) -> float:
    return float(element.attributes[name].removesuffix("%"))


def test_a_kept_slice_meets_the_wanted_values_and_a_skipped_one_does_not(table: Table) -> None:
    document = page_of(table.explained("n between 5 and 8"))
    wanted = document.one("g", "wanted").one("rect")
    left = percent_of(wanted, "x")
    right = left + percent_of(wanted, "width")
    for row in bars(document):
        meets = [
            percent_of(bar, "x") <= right and left <= percent_of(bar, "x") + percent_of(bar, "width")
            for bar in row.all("rect", "f")
        ]
        assert any(meets) is (row.classes == ["k"])


def test_each_part_says_what_it_keeps(table: Table) -> None:
    rows = page_of(table.explained("n = 5 or n is null")).all("table")[0].one("tbody").all("tr")
    assert len(rows) > 2
    assert all(re.fullmatch(r"\d+ of 2", row.all("td", "num")[-1].text) for row in rows)


def test_nulls_and_unknown_bounds_are_shown(table: Table) -> None:
    nothing_known = ColumnStatistics(INT, null_count=None, value_count=100)
    found = slices_of(
        table.explained("n = 5"),
        [
            ints(0, 9),
            ints(0, 9, 3),
            ColumnStatistics(INT, null_count=100, value_count=100),
            nothing_known,
            None,
        ],
    )
    rows = bars(page_of(found))
    assert len(rows) == 5, "no slice may be dropped"
    marks = [mark.classes[1] for row in rows for mark in row.all("circle", "null")]
    assert sorted(marks) == ["all", "some", "unknown", "unknown"]
    assert len([row for row in rows if row.all("line", "open")]) == 2
    text = page_of(found).one("figure").text
    assert "bounds unknown: 2 kept, 0 skipped" in text
    assert "NULL in each row: 0 kept, 1 skipped" in text
    assert "NULL in some rows: 1 kept, 0 skipped" in text


def test_a_file_that_stores_another_type_may_hold_any_value(table: Table) -> None:
    """A bigint that is read as an int wraps around, so the file is kept wherever its bounds are."""
    wide = ColumnStatistics(HiveType("bigint"), encode_value(INT, 70), encode_value(INT, 80), 0, 100)
    found = slices_of(table.explained("n = 5"), [ints(0, 9), wide])
    document = page_of(found)
    assert document.one("h1").text == "2 of 2 files read, 0 skipped"
    (row,) = [row for row in bars(document) if row.all("line", "open")]
    assert row.classes == ["k"] and not row.all("rect", "f")


def test_a_file_that_the_index_lacks_is_told(table: Table) -> None:
    table.base("c", 9, range(70, 80))
    document = page_of(table.explained("n = 5"))
    assert any("because the index does not cover it yet" in title for title in titles(bars(document)))
    assert "not in the index yet: 1 kept, 0 skipped" in document.text
    assert "the index is behind the table" in document.one("ul", "notes").text


def test_wanted_values_outside_all_files_are_told(table: Table) -> None:
    document = page_of(table.explained("n = 500"))
    assert document.one("g", "wanted").all("rect") == []
    assert "wanted: n = 500 (below or above all values of the files)" in document.text


def test_wanted_nulls_are_told(table: Table) -> None:
    assert "wanted: n is null (NULL)" in page_of(table.explained("n is null")).text


def test_unused_terms_rewrites_and_advice_are_there(table: Table) -> None:
    found = table.explained("n + n = 7 or (abs(n) >= 0)")
    assert found.unused and found.advice
    text = page_of(found).text
    for term in found.unused:
        assert term.term in text and term.reason in text
    for advice in found.advice:
        assert all(part in text for part in (*advice.reasons, *advice.actions))
    for step in found.rewrites:
        assert step.after in text


def test_the_column_that_skips_most_comes_first() -> None:
    kept = [("n", 3), ("b", 1), ("a", 2), ("n", 0)]
    nodes = [
        NodeVerdict(Leaf(Operator.EQ, column, INT, (encode_value(INT, 5),)), 1, number)
        for column, number in kept
    ]
    assert columns_by_effect(nodes) == ["b", "a", "n"], "another part on n keeps all"


def test_a_page_refers_to_nothing(table: Table) -> None:
    document = page_of(table.explained("n = 5"))
    assert references(document) == []
    html = page_of_explanation("/lake/t", "n = 5", table.explained("n = 5"), None, NOW).html
    assert not re.search(r"@import|url\(|https?://", html), "it must be readable without a network"


def test_a_page_can_be_read_aloud(table: Table) -> None:
    document = page_of(table.explained("n = 5"))
    assert document.one("html").attributes["lang"] == "en"
    assert len(document.all("h1")) == len(document.all("main")) == 1
    for plot in document.all("svg", "plot"):
        assert plot.attributes["aria-label"] and all(titles(bars(plot)))
    for meter in document.all("span", "meter"):
        assert meter.attributes["role"] == "img" and meter.attributes["aria-label"]
    for heading in document.all("th"):
        assert heading.attributes["scope"] in ("col", "row")


HOSTILE = "<script>alert('x')</script>\"&amp;"


def test_what_comes_from_a_table_is_escaped(table: Table, tmp_path: Path) -> None:
    found = table.explained("n = 5 or n is null")
    verdict = next(iter(found.slices.values()))
    file = replace(verdict.files[0].file, path=f"p/{HOSTILE}.parquet")
    hostile = SliceVerdict(FileSlice(file), True, (replace(verdict.files[0], file=file),))
    found = replace(
        found,
        slices={file.path: hostile},
        known=replace(found.known, source=HOSTILE, generation=None),
        obstacles={HOSTILE: HOSTILE},
        mixing=HOSTILE,
        unused=(Unused(HOSTILE, HOSTILE),),
    )
    plain = page_of(table.explained("n = 5"))
    page = page_of_explanation(HOSTILE, HOSTILE, found, hostile, NOW)
    document = parsed(page.html)
    assert len(document.all("script")) == len(plain.all("script"))
    assert document.one("head").one("title").text == f"1 of 1 files read: {HOSTILE}"
    assert document.text.count(HOSTILE) >= 8, "and it is shown as it is"
    assert all(f"p/{HOSTILE}.parquet: kept" in title for title in titles(bars(document)))


@pytest.mark.parametrize("name", ["<b>x</b>", 'a"b', "a'b"])
def test_a_column_of_any_name_is_shown(table: Table, name: str) -> None:
    table.know("p/a_0-1-0_20260101000001000.parquet", 0, 9, name)
    found = table.explained("n = 5")
    known = replace(found.known, generation=None)
    document = page_of(replace(found, known=known, obstacles={name: "no bounds"}))
    assert f"{name}: no bounds" in document.text


def test_more_slices_than_rows_are_drawn_in_sections(table: Table) -> None:
    many = [ints(10 * number, 10 * number + 9, number % 2) for number in range(MOST_ROWS + 1)]
    few = slices_of(table.explained("n = 5"), many[:-1])
    assert len(page_of_explanation("/lake/t", "n = 5", few, None, NOW).html.encode()) < 2 * MEGABYTE
    document = page_of(slices_of(table.explained("n = 5"), many))
    sections, kept = document.all("svg", "plot")
    assert len(bars(sections)) < MOST_ROWS
    assert sum(bool(section.all("rect", "kept")) for section in bars(sections)) == 1
    assert len(bars(kept)) == 1, "the kept file is drawn by itself"
    assert "NULL in some rows: 0 kept, 150 skipped" in document.text


@pytest.mark.selected(1)
@pytest.mark.parametrize("where", ["n = 5", "n >= 0", "n is null or n > 500000"])
def test_a_hundred_thousand_files_make_a_page_of_less_than_two_megabytes(table: Table, where: str) -> None:
    many = [ints(7 * number, 7 * number + 60, number % 3) for number in range(100_000)]
    found = slices_of(table.explained(where), many)
    page = page_of_explanation("/lake/t", where, found, None, NOW)
    assert len(page.html.encode()) < 2 * MEGABYTE
    document = parsed(page.html)
    kept = found.slices_kept
    assert document.one("h1").text == f"{kept:,} of 100,000 files read, {100_000 - kept:,} skipped"
    assert bars(document), "they are drawn in sections"


def test_a_condition_of_thousands_of_parts_stays_small(table: Table) -> None:
    where = " or ".join(
        f"(n > {number} and n < {number + 2} and n <> {number + 1})" for number in range(0, 3000, 3)
    )
    found = table.explained(where)
    assert len(page_of_explanation("/lake/t", where, found, None, NOW).html.encode()) < 2 * MEGABYTE


def test_a_table_without_files_has_a_page(table: Table) -> None:
    document = page_of(slices_of(table.explained("n = 5"), []))
    assert document.one("h1").text == "0 of 0 files read, 0 skipped"
    assert "the table has no files" in document.text
