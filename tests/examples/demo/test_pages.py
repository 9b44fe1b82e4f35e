from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from examples.demo.flights import ONE_DAY, QUERIES
from examples.demo.pages import write_pages
from pycompiler.errors import HudiSkipError
from pycompiler.tools.scan_log.scans import Scan
from tests.unit.tools.explain.tables import Table, known_table
from tests.unit.tools.pages.documents import Element, parsed

Draw: TypeAlias = "Callable[[], dict[str, Element]]"


@pytest.fixture
def draw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Draw:
    """Draws a table of two files and one scan of it, of a demo that runs in the folder above."""
    monkeypatch.chdir(tmp_path)
    table = known_table(Table(tmp_path / "lake" / "t")).root
    scan = Scan("q", "demo-1", str(table), 2, 1, 900, 400, "pushed", "n = 5", "", "")

    def drawn() -> dict[str, Element]:
        names = write_pages(table, "n = 5", [scan], tmp_path / "hive.log", tmp_path)
        return {name: parsed((tmp_path / name).read_text(encoding="utf-8")) for name in names}

    return drawn


def heading(page: Element) -> str:
    return page.one("h1").text


def test_the_pages_of_the_three_commands_are_written(draw: Draw) -> None:
    pages = draw()
    assert list(pages) == ["explain.html", "scans.html", "layout.html"]
    assert "1 of 2 files" in heading(pages["explain.html"])
    assert heading(pages["scans.html"]) == "500 B of 900 B skipped"
    assert heading(pages["layout.html"]).startswith("2 files")


def test_the_layout_tells_what_the_demos_queries_asked(draw: Draw) -> None:
    queries = draw()["layout.html"].one("table", "stacked")
    assert "n = 5" in queries.text, "the scan of the table is among the queries"


def test_the_pages_name_the_table_as_one_types_it(draw: Draw) -> None:
    pages = draw()
    for name in ("explain.html", "layout.html"):
        assert pages[name].one("p", "path").text == "lake/t"
    assert "hudi-skip explain lake/t --where 'n = 5'" in pages["explain.html"].text


def test_a_page_that_cannot_be_drawn_is_an_error(draw: Draw, tmp_path: Path) -> None:
    (tmp_path / "scans.html").mkdir()
    with pytest.raises(HudiSkipError, match="scans.html is a directory"):
        draw()
    with pytest.raises(HudiSkipError, match="missing"):
        write_pages(tmp_path / "missing", "n = 5", [], tmp_path / "hive.log", tmp_path)


def test_the_condition_that_is_explained_is_one_of_a_query_of_the_demo() -> None:
    assert any(ONE_DAY in query.sql for query in QUERIES)
