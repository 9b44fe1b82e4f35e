import shlex
from pathlib import Path

import pytest

from pycompiler.tools.pages.scans_page import explanation_name, page_of_scans
from pycompiler.tools.scan_log.scans import Scan

from .documents import Element, parsed, references
from .test_explanation_page import HOSTILE, bars, titles


def scan(
    minute: int = 0,
    *,
    expression: str = "n = 5",
    reason: str = "",
    table: str = "/lake/t",
    size: int = 1000,
    kept_size: int = 100,
    tag: str = "",
    mode: str = "",
    line: str | None = None,
) -> Scan:
    return Scan(
        query=f"q{minute}",
        tag=tag,
        table=table,
        files=10,
        kept=round(10 * kept_size / size),
        size=size,
        kept_size=kept_size,
        source="pushed",
        expression=expression,
        reason=reason,
        line=f"2026-01-01 12:{minute:02}:00.000 INFO x" if line is None else line,
        mode=mode,
        not_indexed=3,
        commits_behind=2,
    )


def document_of(*scans: Scan, beside: Path | None = None) -> Element:
    return parsed(page_of_scans("hiveserver2.log", scans, beside).html)


def groups(document: Element) -> list[list[str]]:
    rows = document.one("table", "stacked").one("tbody").all("tr")
    return [[cell.text.strip() for cell in row.all("td")] for row in rows]


def test_the_heading_says_how_much_was_skipped() -> None:
    document = document_of(scan(0), scan(1, kept_size=300), scan(1, size=2000, kept_size=2000))
    assert document.one("h1").text == "1.60 kB of 4.00 kB skipped"
    assert "3 scans of 2 queries" in document.text
    assert "60.0 %, 2.40 kB of 4.00 kB" in document.text


def test_what_read_most_comes_first_and_alike_scans_count_together() -> None:
    document = document_of(
        scan(0, expression="n = 5"),
        scan(1, expression="n = 6", kept_size=900),
        *(scan(minute, expression="n = 7", kept_size=400) for minute in (2, 3, 4)),
    )
    assert [(row[0], row[3]) for row in groups(document)] == [
        ("1.20 kB", "3"),
        ("900 B", "1"),
        ("100 B", "1"),
    ]
    assert "last 2026-01-01 12:04:00" in groups(document)[0][4]


def test_scans_of_different_tables_do_not_count_together() -> None:
    assert len(groups(document_of(scan(0, table="/lake/a"), scan(1, table="/lake/b")))) == 2


def test_bytes_are_drawn_when_they_were_read() -> None:
    document = document_of(scan(0), scan(30), scan(59, kept_size=1000))
    sections = bars(document.one("svg", "plot"))
    read = [number for number, section in enumerate(sections) if section.all("rect", "kept")]
    skipped = [number for number, section in enumerate(sections) if section.all("rect", "skipped")]
    assert read == [0, 61, len(sections) - 1], "at the beginning, after half of the hour, and at its end"
    assert skipped == read[:2]
    assert titles(sections)[0] == "2026-01-01 12:00:00: 1 scan, 100 B read, 900 B skipped"


def test_a_log_without_times_is_drawn_in_its_order() -> None:
    document = document_of(*(scan(0, line="INFO x", kept_size=size) for size in (100, 500, 1000)))
    assert titles(bars(document.one("svg", "plot"))) == [
        "from scan 1 on: 1 scan, 100 B read, 900 B skipped",
        "from scan 2 on: 1 scan, 500 B read, 500 B skipped",
        "from scan 3 on: 1 scan, 1.00 kB read, 0 B skipped",
    ]
    assert "in the order of the log, which has no times" in document.text


def test_each_condition_has_the_command_that_explains_it() -> None:
    command = document_of(scan(expression="s = 'it\\'s' and n in {[1, 5)}")).one("details").one("code").text
    words = shlex.split(command)
    condition = "s = 'it\\'s' and ((n >= 1 AND n < 5))"
    assert words[:5] == ["hudi-skip", "explain", "/lake/t", "--where", condition]
    assert words[5:] == ["--html", explanation_name("/lake/t", condition)]


def test_a_page_of_explain_is_linked_if_it_is_there(tmp_path: Path) -> None:
    name = explanation_name("/lake/t", "n = 5")
    assert references(document_of(scan(), beside=tmp_path)) == []
    (tmp_path / name).touch()
    assert references(document_of(scan(), beside=tmp_path)) == [name]


def test_a_condition_that_the_log_cut_has_no_command() -> None:
    document = document_of(scan(expression="n in (1, 2, 3, 4, 5, … 3 more)"))
    assert document.all("details") == []
    assert "The log does not have the whole condition" in document.text


def test_why_nothing_was_skipped_is_counted() -> None:
    unfiltered = [scan(n, expression="", reason="no filter", kept_size=1000) for n in range(3)]
    document = document_of(*unfiltered, scan(4, expression="", reason="no index", kept_size=1000), scan(5))
    rows = document.all("table")[1].one("tbody").all("tr")
    assert [[cell.text for cell in row.all("td")] for row in rows] == [["3", "no filter"], ["1", "no index"]]


def test_a_table_says_how_far_its_index_is_behind() -> None:
    (row,) = document_of(scan(0), scan(1)).all("table")[-1].one("tbody").all("tr")
    assert [cell.text.strip() for cell in row.all("td", "num")] == ["2", "200 B", "1.80 kB", "10", "3", "2"]


def test_scans_in_shadow_mode_are_told() -> None:
    assert "1 in shadow mode, which read everything" in document_of(scan(0), scan(1, mode="shadow")).text
    assert "shadow" not in document_of(scan(0)).text


def test_what_comes_from_a_log_is_escaped() -> None:
    hostile = scan(expression=HOSTILE, reason=HOSTILE, table=HOSTILE, tag=HOSTILE)
    page = page_of_scans(HOSTILE, [hostile])
    document = parsed(page.html)
    assert len(document.all("script")) == len(document_of(scan()).all("script"))
    assert document.text.count(HOSTILE) >= 6


def test_a_log_without_scans_has_a_page() -> None:
    document = document_of()
    assert "The log has no scans." in document.text
    assert document.one("h1").text == "0 B of 0 B skipped"


@pytest.mark.parametrize("line", [None, "INFO x"])
def test_a_long_log_makes_a_small_page(line: str | None) -> None:
    scans = [
        scan(number % 60, expression=f"s = '{number:0200}'", tag=f"tag {number}", line=line)
        for number in range(20_000)
    ]
    page = page_of_scans("hiveserver2.log", scans)
    assert len(page.html.encode()) < 300_000
    assert "The first 50 of 20,000." in page.html
