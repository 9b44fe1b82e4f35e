from pathlib import Path

import pytest

from pycompiler.demo.common.pages import PagesContent, write_pages
from pycompiler.demo.flights.queries import ONE_DAY, QUERIES
from pycompiler.errors import HudiSkipError
from pycompiler.tools.scan_log.scans import Scan
from tests.unit.tools.explain.tables import Table, known_table
from tests.unit.tools.pages.documents import Element, parsed


@pytest.fixture
def content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PagesContent:
    """A table of two files and one scan of it, of a demo that runs in the folder above."""
    monkeypatch.chdir(tmp_path)
    table = known_table(Table(tmp_path / "lake" / "t"))
    scan = Scan("q", "demo-1", str(table.root), 2, 1, 900, 400, "pushed", "n = 5", "", "")
    return PagesContent(table.root, "n = 5", [scan], tmp_path / "hive.log")


def drawn(content: PagesContent, directory: Path) -> dict[str, Element]:
    return {file.name: parsed(file.read_text(encoding="utf-8")) for file in write_pages(content, directory)}


def heading(page: Element) -> str:
    return page.one("h1").text


def test_the_pages_of_the_three_commands_are_written(content: PagesContent, tmp_path: Path) -> None:
    pages = drawn(content, tmp_path)
    assert list(pages) == ["explain.html", "scans.html", "layout.html"]
    assert "1 of 2 files" in heading(pages["explain.html"])
    assert heading(pages["scans.html"]) == "500 B of 900 B skipped"
    assert heading(pages["layout.html"]).startswith("2 files")


def test_the_layout_tells_what_the_demos_queries_asked(content: PagesContent, tmp_path: Path) -> None:
    queries = drawn(content, tmp_path)["layout.html"].one("table", "stacked")
    assert "n = 5" in queries.text, "the scan of the table is among the queries"


def test_the_pages_name_the_table_as_one_types_it(content: PagesContent, tmp_path: Path) -> None:
    pages = drawn(content, tmp_path)
    for name in ("explain.html", "layout.html"):
        assert pages[name].one("p", "path").text == "lake/t"
    assert "hudi-skip explain lake/t --where 'n = 5'" in pages["explain.html"].text


def test_a_page_that_cannot_be_drawn_is_an_error(content: PagesContent, tmp_path: Path) -> None:
    (tmp_path / "scans.html").mkdir()
    with pytest.raises(HudiSkipError, match="scans.html is a directory"):
        write_pages(content, tmp_path)
    with pytest.raises(HudiSkipError, match="missing"):
        write_pages(PagesContent(tmp_path / "missing", "n = 5", [], content.log), tmp_path)


def test_the_condition_that_is_explained_is_one_of_a_query_of_the_demo() -> None:
    assert any(ONE_DAY in query.sql for query in QUERIES)
