"""The pages that commands write beside what they print."""

import subprocess
import sys
from pathlib import Path

import pytest

import pycompiler
from pycompiler.tools.pages.scans_page import explanation_name
from tests.unit.tools.explain.tables import Table, known_table
from tests.unit.tools.pages.documents import parsed, references

from .conftest import Run, failed_with_one_line, result_of
from .test_scans import LINES


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return known_table(Table(tmp_path / "t")).root


@pytest.fixture
def log(tmp_path: Path, table: Path) -> Path:
    path = tmp_path / "hiveserver.log"
    path.write_text(LINES.replace("/lake/flights", str(table)).replace("day = '2013-07-04'", "n = 5"))
    return path


def test_explain_writes_a_page_beside_what_it_prints(run: Run, table: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    plain = run("explain", table, "--where", "n = 5")
    assert run("explain", table, "--where", "n = 5", "--html", page).stdout == plain.stdout
    assert parsed(page.read_text("utf-8")).one("h1").text == "1 of 2 files read, 1 skipped"
    found = result_of(run("explain", table, "--where", "n = 5", "--html", page, "--json"))
    assert found["files_kept"] == 1


def test_the_page_of_explain_says_why_one_file_is_kept(run: Run, table: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    run("explain", table, "--where", "n = 5", "--html", page, "--file", "b_")
    text = parsed(page.read_text("utf-8")).text
    assert "Why one file is kept or skipped" in text
    assert "skips  n = 5  (int: 60 to 69, 0 of 10 NULL)" in text


def test_scans_are_all_on_the_page_though_few_are_printed(run: Run, log: Path, tmp_path: Path) -> None:
    many = tmp_path / "many.log"
    many.write_text(log.read_text() * 7)
    page = tmp_path / "scans.html"
    assert len(run("scans", many, "--html", page).stdout.splitlines()) == 10
    assert "21 scans of 3 queries" in parsed(page.read_text("utf-8")).text
    run("scans", many, "--html", page, "--last", "2")
    assert "2 scans of 2 queries" in parsed(page.read_text("utf-8")).text


def test_a_page_of_scans_leads_to_pages_of_explain(run: Run, log: Path, table: Path, tmp_path: Path) -> None:
    page = tmp_path / "scans.html"
    run("scans", log, "--html", page)
    command = parsed(page.read_text("utf-8")).one("details").one("code").text
    name = explanation_name(str(table), "n = 5")
    assert command == f"hudi-skip explain {table} --where 'n = 5' --html {name}"
    run("explain", table, "--where", "n = 5", "--html", tmp_path / name)
    run("scans", log, "--html", page)
    assert references(parsed(page.read_text("utf-8"))) == [name]


def test_layout_is_told_as_text_as_json_and_as_a_page(
    run: Run, table: Path, log: Path, tmp_path: Path
) -> None:
    queries = tmp_path / "queries.sql"
    queries.write_text("SELECT count(*) FROM t WHERE n = 5; SELECT n FROM t WHERE n > 66;")
    page = tmp_path / "layout.html"
    result = run("layout", table, "--log", log, "--queries", queries, "--html", page)
    assert result.exit_code == 0, result.stderr
    assert "queries 4, which opened 72 of 140 files" in result.stdout
    assert result.stdout.splitlines()[-1].split() == ["n", "1", "1", "1", "0", "3", "int"]
    found = result_of(run("layout", table, "--queries", queries, "--json"))
    assert [query["files_kept"] for query in found["queries"]] == [1, 1]
    assert parsed(page.read_text("utf-8")).one("h1").text.startswith("2 files, ")


def test_layout_says_what_is_wrong_with_its_input(run: Run, table: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.sql"
    broken.write_text("SELECT 'a")
    assert failed_with_one_line(run("layout", table, "--queries", broken)).startswith(
        "--queries: unclosed quote"
    )
    broken.write_bytes("SELECT 'caf\xe9'".encode("latin-1"))
    assert failed_with_one_line(run("layout", table, "--queries", broken)) == f"{broken} is not UTF-8 text"
    assert "No such file" in failed_with_one_line(run("layout", table, "--queries", tmp_path / "no"))
    assert "the table has no column x" in failed_with_one_line(run("layout", table, "--column", "x"))
    assert "does not exist" in failed_with_one_line(run("layout", tmp_path / "gone"))


@pytest.mark.parametrize("command", ["explain", "scans", "layout"])
def test_a_page_that_cannot_be_written_is_an_error(
    run: Run, table: Path, log: Path, tmp_path: Path, command: str
) -> None:
    arguments: list[object] = [log if command == "scans" else table]
    if command == "explain":
        arguments += ["--where", "n = 5"]
    error = failed_with_one_line(run(command, *arguments, "--html", tmp_path))
    assert error.startswith(f"{tmp_path} is a directory; name a file")
    error = failed_with_one_line(run(command, *arguments, "--html", tmp_path / "no" / "page.html"))
    assert error == f"cannot write {tmp_path}/no/page.html: No such file or directory"


def test_pages_are_there_from_python(table: Path, log: Path, tmp_path: Path) -> None:
    explained = pycompiler.explain_page(str(table), "n = 5")
    assert explained.title == f"1 of 2 files read: {table}"
    assert "<iframe" in explained._repr_html_()
    explained.write(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text("utf-8") == explained.html
    laid_out = parsed(pycompiler.layout_page(str(table), log=log, sql="SELECT 1 FROM t WHERE n = 5").html)
    assert "asked by" in laid_out.text
    assert "2 scans of 2 queries" in pycompiler.scans_page(log, tag="nightly").html
    assert "1 scan of 1 query" in pycompiler.scans_page(log, query="q1").html


def test_a_relative_path_means_the_table_of_the_log(
    table: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(table.parent)
    of_table = parsed(pycompiler.layout_page(table.name, log=log).html)
    assert "asked by" in of_table.text, "the scans of the log are of this table"
    assert of_table.one("p", "path").text == table.name


def test_no_page_is_loaded_without_one(table: Path) -> None:
    program = (
        "import sys; from pycompiler.tools.cli.main import app; from typer.testing import CliRunner; "
        f"result = CliRunner().invoke(app, ['explain', {str(table)!r}, '--where', 'n = 5', '--json']); "
        "print(result.exit_code, {'jinja2'} & set(sys.modules))"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "0 set()"
