import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pycompiler.tools.cli.main import app

from ....conformance.agreement.jvm_evaluator import java
from .conftest import Run, failed_with_one_line, result_of

pytestmark = pytest.mark.spark
Explain = Callable[..., Any]


@pytest.fixture
def explain(run: Run, shared_table: Path) -> Explain:
    """Runs `hudi-skip explain` on the table, and returns the document."""

    def document(where: str, *options: str) -> Any:
        return result_of(run("explain", shared_table, "--where", where, "--json", *options))

    return document


@pytest.mark.selected(5)
@pytest.mark.parametrize(
    ("where", "kept"),
    [
        ("id = 5", 1),
        ("ID = 5", 1),
        ("id between 150 and 220", 2),
        ("id in (5, 350)", 2),
        ("not (id >= 100)", 1),
        ("id < 0", 0),
        ("score is null", 1),
        ("score is not null", 3),
        ("site = 'north'", 2),
        ("site = 'north' and id > 150", 1),
        ("name = 'name42'", 1),
        ("true", 4),
        ("false", 0),
        ("size(tags) = 7", 4),
        ("tags is null", 4),
        ("id = 5 or length(name) = 3", 4),
    ],
)
def test_the_files_that_can_match_are_kept(explain: Explain, where: str, kept: int) -> None:
    found = explain(where)
    assert (found["files_kept"], found["files_total"]) == (kept, 4)
    assert len(found["kept"]) == kept


def test_another_engine_keeps_the_same_files_with_the_core_alone(
    explain: Explain, shared_table: Path
) -> None:
    found = explain("id between 150 and 220")
    built = Path(__file__).parents[4] / "examples" / "kept-files" / "target"
    class_path = f"{built / 'classes'}{os.pathsep}{(built / 'class.path').read_text('utf-8').strip()}"
    command = [java(), "-cp", class_path, "io.hudiskip.examples.KeptFiles", shared_table, found["expression"]]
    program = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert program.returncode == 0, program.stderr[-3000:]
    assert program.stdout.splitlines() == sorted(found["kept"])
    assert "hive" not in class_path.replace(str(built), "").replace("hive-handler", ""), "it needs no Hive"


def test_each_part_says_how_many_files_it_keeps(explain: Explain) -> None:
    found = explain("id > 150 and (name = 'name7' or score is not null)")
    assert [(node["depth"], node["node"], node["kept"]) for node in found["nodes"]] == [
        (0, "and", 2),
        (1, "id > 150", 3),
        (1, "or", 3),
        (2, "name = 'name7'", 1),
        (2, "score is not null", 3),
    ]


@pytest.mark.parametrize(
    ("where", "plan", "left"),
    [
        ("site = 'north' and id > 150", "Get(X'north')", 1),
        ("site like 'so%'", "Scan(X'so', X'sp')", 1),
        ("site > 'a' or id = 5", "Scan(X, X+)", 2),
        ("site in ('east', 'west')", "merge(Get(X'east'), Get(X'west'))", 0),
    ],
)
def test_the_plan_and_the_partitions_that_it_leaves_are_told(
    explain: Explain, run: Run, shared_table: Path, where: str, plan: str, left: int
) -> None:
    assert explain(where)["plan"] == {
        "text": plan,
        "partitions_total": 2,
        "partitions_kept": left,
        "partitions_without_key": 0,
    }
    text = run("explain", shared_table, "--where", where).stdout
    assert f"plan    {plan} leaves {left} of 2 partitions\n" in text


def test_a_file_is_explained_leaf_by_leaf(explain: Explain) -> None:
    (kept,) = explain("id = 5")["kept"]
    counts = {"null_count": 0, "value_count": 100, "nan_count": None}
    ids = {"type": "bigint", "lower": "0", "upper": "99", **counts}
    names = {"type": "string", "lower": "'name0'", "upper": "'name99'", **counts}
    assert explain("id = 5 or name = 'z'", "--file", kept)["file"] == {
        "path": kept,
        "kept": True,
        "leaves": [
            {"leaf": "id = 5", "keeps": True, "statistics": {"id": ids}},
            {"leaf": "name = 'z'", "keeps": False, "statistics": {"name": names}},
        ],
    }


def test_people_get_the_same_as_text(explain: Explain, run: Run, shared_table: Path) -> None:
    (kept,) = explain("id = 5")["kept"]
    where = "id = 5 and size(tags) = 3"
    result = run("explain", shared_table, "--where", where, "--file", kept.rpartition("/")[2])
    assert result.exit_code == 0, result.stderr
    for expected in (
        "1 of 4 kept",
        "not used:",
        f"{kept} is kept:",
        "keeps  id = 5  (bigint: 0 to 99, 0 of 100 NULL)",
    ):
        assert expected in result.stdout


def test_each_rewrite_is_told_with_its_rule(explain: Explain) -> None:
    found = explain("id + 1 <= 100 and not (name not like 'name4%')")
    assert [step["rule"] for step in found["rewrites"]] == ["Plus", "Like"], found["rewrites"]
    assert found["rewrites"][0]["before"] == "id + 1 <= 100"
    assert found["files_kept"] == 1, "ids below 100 are in the first file"


def test_two_columns_of_one_leaf_are_shown_with_their_statistics(explain: Explain) -> None:
    (kept, *_) = explain("id <=> id")["kept"]
    (leaf,) = explain("id < id", "--file", kept)["file"]["leaves"]
    assert leaf["leaf"] == "id < id"
    assert list(leaf["statistics"]) == ["id"]


def test_a_file_that_was_replaced_is_not_counted(run: Run, table: Path) -> None:
    (path,) = result_of(run("explain", table, "--where", "id = 5", "--json"))["kept"]
    (table / path).unlink()
    found = result_of(run("explain", table, "--where", "id = 5", "--json"))
    assert (found["files_kept"], found["files_total"]) == (0, 3)


@pytest.mark.selected(2)
@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("nope = 3", "no column nope; the columns are: "),
        ("id = = 3", "--where: line 1, column"),
        ("", "the condition is empty"),
        ("select 1", "expected one condition, not: select 1"),
        ("id = 'unclosed", "--where: "),
        ("(" * 5000 + "id = 1" + ")" * 5000, "nested too deeply"),
        ("count(*) > 3", "--where: COUNT(*) is an aggregate, not a value of one row"),
    ],
    ids=["column", "syntax", "empty", "statement", "quote", "deep", "aggregate"],
)
def test_a_condition_that_is_none_fails_clearly(
    run: Run, shared_table: Path, where: str, message: str
) -> None:
    assert message in failed_with_one_line(run("explain", shared_table, "--where", where))


def test_an_unknown_file_fails_clearly(run: Run, shared_table: Path) -> None:
    result = run("explain", shared_table, "--where", "id = 1", "--file", "nope")
    assert "currently has no file nope" in failed_with_one_line(result)


def test_a_condition_of_any_length_is_read_from_a_file_or_a_pipe(
    run: Run, shared_table: Path, tmp_path: Path
) -> None:
    members = ", ".join(str(10_000_000_000 + number) for number in range(9_000))
    condition = f"id in ({members}, 5)"
    assert len(condition) > 109_000
    file = tmp_path / "condition.sql"
    file.write_text(f"{condition};\n", "utf-8")
    found = result_of(run("explain", shared_table, "--where-file", file, "--json"))
    assert (found["files_kept"], found["files_total"]) == (1, 4)
    arguments = ["explain", str(shared_table), "--where-file", "-", "--json"]
    assert result_of(CliRunner().invoke(app, arguments, input=condition)) == found
    message = failed_with_one_line(run("explain", shared_table, "--where-file", tmp_path / "nope.sql"))
    assert message == f"cannot read {tmp_path / 'nope.sql'}: No such file or directory"
    file.write_text("nope = 1", "utf-8")
    message = failed_with_one_line(run("explain", shared_table, "--where-file", file))
    assert message.startswith("--where-file: line 1, column 1: no column nope"), message
