"""`hudi-skip advise` on a real table."""

import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import Run, failed_with_one_line, result_of

pytestmark = pytest.mark.spark


@pytest.fixture
def queries(tmp_path: Path) -> Path:
    file = tmp_path / "queries.sql"
    file.write_text(
        "SELECT * FROM readings WHERE score = 3; SELECT * FROM lake.readings WHERE score = 90;\n"
        "SELECT count(*) FROM readings; SELECT * FROM other WHERE x = 1; SELECT * FROM readings WHERE x = 1;"
    )
    return file


def test_queries_of_a_file_are_weighed(run: Run, shared_table: Path, queries: Path) -> None:
    found = result_of(run("advise", shared_table, "--queries", queries, "--json"))
    assert (found["queries"], found["queries_reading_all"], found["statements_about_other_tables"]) == (
        2,
        1,
        1,
    )
    assert [each["statement"] for each in found["unreadable"]] == ["SELECT * FROM readings WHERE x = 1"]
    assert found["columns"] == {"score": 2}
    assert found["files"] == 4 and found["share_read_now"] == pytest.approx(0.25, abs=0.02)
    assert found["layouts"][0]["columns"] == ["score"]
    assert found["advised"] is None, "each file already has a range of its own"
    text = run("advise", shared_table, "--queries", queries).stdout
    assert "as it is" in text and "advice: leave the layout as it is" in text


def test_the_table_has_its_name_in_hive(run: Run, shared_table: Path, tmp_path: Path) -> None:
    file = tmp_path / "queries.sql"
    file.write_text("SELECT * FROM sensors WHERE id = 3")
    message = failed_with_one_line(run("advise", shared_table, "--queries", file))
    assert "no statement reads a table named readings" in message and "--name" in message
    found = result_of(run("advise", shared_table, "--queries", file, "--name", "Sensors", "--json"))
    assert found["queries"] == 1


def test_wrong_input_is_one_line_that_says_what_to_do(
    run: Run, shared_table: Path, queries: Path, tmp_path: Path
) -> None:
    empty = tmp_path / "empty.sql"
    empty.write_text("")
    assert "either --queries or --log" in failed_with_one_line(run("advise", shared_table))
    assert "either --queries or --log" in failed_with_one_line(
        run("advise", shared_table, "--queries", queries, "--log", queries)
    )
    assert "it has no statement" in failed_with_one_line(run("advise", shared_table, "--queries", empty))
    assert "no query in it has read" in failed_with_one_line(run("advise", shared_table, "--log", empty))
    assert "No such file" in failed_with_one_line(run("advise", shared_table, "--queries", tmp_path / "no"))
    assert "is not a Hudi table" in failed_with_one_line(run("advise", tmp_path, "--queries", queries))


def test_it_needs_no_pyspark(shared_table: Path, queries: Path) -> None:
    command = "import sys; sys.modules['pyspark'] = None; from pycompiler.tools.cli.main import main; main()"
    arguments = ["advise", str(shared_table), "--queries", str(queries)]
    done = subprocess.run([sys.executable, "-c", command, *arguments], capture_output=True, text=True)
    assert done.returncode == 0 and "as it is" in done.stdout, done.stderr
