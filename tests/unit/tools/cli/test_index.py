import json
import os
import shlex
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from .conftest import HUDI_SKIP, Run, append, failed_with_one_line, in_a_process, index_of, result_of

pytestmark = pytest.mark.spark


def test_update_reads_new_files_only_and_then_nothing(run: Run, table: Path, spark: SparkSession) -> None:
    append(spark, table, 400)
    behind = result_of(run("index", "status", table, "--json"))
    assert (behind["up_to_date"], behind["files"], behind["files_indexed"]) == (False, 5, 4)
    updated = result_of(run("index", "update", table, "--json"))
    assert (updated["published"], updated["files"], updated["files_added"]) == (True, 5, 1)
    again = result_of(run("index", "update", table, "--json"))
    assert (again["published"], again["generation"]) == (False, updated["generation"])
    assert result_of(run("index", "status", table, "--json"))["up_to_date"]


@pytest.mark.full
def test_columns_can_be_chosen(run: Run, table: Path) -> None:
    kinds = "--index *=none --index id=range --index name=bloom,values"
    built = result_of(run("index", "build", table, *kinds.split(), "--json"))
    assert built["records"] == 16, "a range of each of two columns, and two kinds more of one, in four files"
    assert result_of(run("index", "verify", table, "--json"))["sound"]
    result_of(run("index", "build", table, "--index", "id=none", "--json"))
    found = result_of(run("explain", table, "--where", "id = 5", "--json"))
    assert found["files_kept"] == 4, "a column of the table without statistics keeps every file"


def test_choices_that_a_build_drops_are_named_and_can_be_added_again(run: Run, table: Path) -> None:
    result_of(
        run("index", "build", table, "--index", "name=bloom", "--index", "site=values(max=9)", "--json")
    )
    built = run("index", "build", table, "--index", "site=values(max=5)")
    first, dropped, replaced = built.stdout.splitlines()
    assert first.startswith("published generation 3"), built.stdout
    command = f"hudi-skip index build {table} --add-index name=bloom"
    assert dropped == f"no longer kept: name bloom (to add it again: {command})"
    assert replaced == "replaced: site values(max=9), by the new parameters"
    assert "bloom" not in _kinds_of(run, table)

    added = result_of(run(*shlex.split(command)[1:], "--json"))
    assert (added["no_longer_kept"], added["replaced"], added["files_added"]) == ({}, {}, 4)
    assert {"bloom", "values"} <= _kinds_of(run, table), "the set of values is still kept"
    found = result_of(run("explain", table, "--where", "name = 'name7'", "--json"))
    assert found["files_kept"] == 1, "the Bloom filter is used"
    again = result_of(run("index", "update", table, "--add-index", "name=bloom", "--json"))
    assert not again["published"], "it adds nothing"

    updated = result_of(run("index", "update", table, "--index", "site=values(max=5)", "--json"))
    assert updated["no_longer_kept"] == {"name": ["bloom"]}


def test_kinds_can_be_added_before_there_is_an_index(run: Run, table: Path) -> None:
    shutil.rmtree(index_of(table))
    built = run("index", "build", table, "--add-index", "name=bloom", "--add-index", "*=none")
    (sentence,) = built.stdout.splitlines()
    assert sentence.startswith("published generation 1"), "nothing was kept before"
    assert {"bloom", "range"} <= _kinds_of(run, table)


def _kinds_of(run: Run, table: Path) -> set[str]:
    return set(result_of(run("index", "status", table, "--json"))["bytes_of_kinds"])


def test_an_added_column_that_does_not_exist_is_refused_with_the_nearest_name(
    run: Run, shared_table: Path
) -> None:
    message = failed_with_one_line(run("index", "build", shared_table, "--add-index", "nme=bloom"))
    assert "has no column nme to index; did you mean name?" in message


def test_choices_are_replaced_or_added_to_but_not_both(run: Run, shared_table: Path) -> None:
    result = run("index", "build", shared_table, "--index", "id=bloom", "--add-index", "name=bloom")
    assert result.exit_code == 2 and "--add-index" in result.stderr, result.stderr


@pytest.mark.selected(2)
@pytest.mark.parametrize("kinds", ["id", "id=blom", "id=bloom(fpp=2)", "id=range,values(fpp=0.1)"])
def test_kinds_that_are_not_understood_are_refused_before_anything_is_built(
    run: Run, shared_table: Path, kinds: str
) -> None:
    result = run("index", "build", shared_table, "--index", kinds)
    assert result.exit_code == 1 and kinds.partition("=")[2].rpartition(",")[2] in result.stderr


def test_status_of_an_index_that_is_behind_needs_no_java(
    table: Path, spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    append(spark, table, 400)
    monkeypatch.setenv("JAVA_HOME", "/nowhere")
    done = in_a_process("index", "status", table, "--check")
    assert (done.returncode, done.stderr) == (3, ""), done.stderr
    assert "4 of 5" in done.stdout, done.stdout


def test_verify_needs_no_java(shared_table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", "/nowhere")
    done = in_a_process("index", "verify", shared_table)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr


def test_verify_of_a_true_index_is_ok(run: Run, shared_table: Path) -> None:
    found = result_of(run("index", "verify", shared_table, "--json"))
    assert (found["sound"], found["wrong"], found["findings"]) == (True, 0, [])
    assert found["records"] > 0, "something must have been compared"


def test_verify_finds_a_file_that_is_not_what_was_indexed(run: Run, table: Path) -> None:
    files = sorted(table.glob("*/*.parquet"), key=lambda file: file.stat().st_size)
    another, victim = files[0], files[-1]
    # Another file's rows under the indexed name and of the indexed size: what no listing can tell. Bytes
    # between the magic number and the pages leave the footer, which is all that is read, in its place.
    content = another.read_bytes()
    padding = bytes(victim.stat().st_size - len(content))
    victim.write_bytes(content[:4] + padding + content[4:])
    result = run("index", "verify", table, "--json")
    assert result.exit_code == 1
    found = json.loads(result.stdout)
    assert not found["sound"]
    path = str(victim.relative_to(table))
    # No two files share an id, whichever is the largest. Names do: 'name0' to 'name99' holds 'name300'.
    assert (path, "id") in {(row["path"], row["column"]) for row in found["findings"]}
    assert f"hudi-skip index build {table}" in result.stderr, "it should say what to do"
    for_people = run("index", "verify", table)
    assert for_people.exit_code == 1
    assert f"{path}  id: " in for_people.stdout


COMMANDS = [
    ["index", "build"],
    ["index", "update"],
    ["index", "compact"],
    ["index", "status"],
    ["index", "verify"],
    ["explain", "--where", "id = 1"],
]
READERS = COMMANDS[3:]


@pytest.mark.selected(2)
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command[:2]))
def test_a_relative_path_is_of_the_directory_in_which_the_command_runs(
    run: Run, table: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    monkeypatch.chdir(table.parent)
    found = result_of(run(*command, table.name, "--json"))
    assert found["path"] == str(table)


@pytest.mark.selected(2)
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command[:2]))
def test_a_path_without_a_table_fails_clearly(run: Run, tmp_path: Path, command: list[str]) -> None:
    assert "does not exist" in failed_with_one_line(run(*command, tmp_path / "nope"))
    assert "is not a Hudi table" in failed_with_one_line(run(*command, tmp_path))
    (tmp_path / ".hoodie").mkdir()
    assert "is not a Hudi table" in failed_with_one_line(run(*command, tmp_path)), "it has no properties"


@pytest.mark.parametrize("command", COMMANDS[2:-1], ids=lambda command: " ".join(command[:2]))
def test_a_table_without_index_fails_with_the_command_that_makes_one(
    run: Run, table: Path, command: list[str]
) -> None:
    shutil.rmtree(index_of(table))
    assert f"hudi-skip index build {table}" in failed_with_one_line(run(*command, table))


@pytest.mark.selected(2)
@pytest.mark.parametrize("command", READERS, ids=lambda command: " ".join(command[:2]))
@pytest.mark.parametrize("victim", ["manifest-*.json", "data-*.parquet"])
def test_a_damaged_index_fails_clearly(run: Run, table: Path, command: list[str], victim: str) -> None:
    for file in index_of(table).glob(victim):
        content = bytearray(file.read_bytes())
        content[len(content) // 3] ^= 0xFF
        file.write_bytes(content)
    message = failed_with_one_line(run(*command, table))
    assert "Spark failed" not in message
    assert "unexpected" not in message
    assert victim.partition("*")[0] in message, "it should name what is damaged"


def test_a_damaged_index_is_built_anew_by_update(run: Run, table: Path) -> None:
    (manifest,) = index_of(table).glob("manifest-*.json")
    manifest.write_bytes(manifest.read_bytes()[:50])
    assert result_of(run("index", "update", table, "--json"))["files_added"] == 4
    assert result_of(run("explain", table, "--where", "id = 5", "--json"))["files_kept"] == 1


def children_of(pid: int) -> list[str]:
    children = Path(f"/proc/{pid}/task/{pid}/children")
    return children.read_text().split() if children.exists() else []


@pytest.mark.full
def test_a_run_writes_nothing_but_its_result_where_nothing_is_wrong(table: Path) -> None:
    for name in ("build", "verify"):
        done = in_a_process("index", name, table)
        assert (done.returncode, done.stderr) == (0, ""), name
        assert done.stdout, name
    built = in_a_process("index", "build", table, "--json", "--master", "local[1]")
    assert json.loads(built.stdout)["files"] == 4, "Spark's own output must not be mixed in"


def test_quiet_leaves_the_result_out(run: Run, table: Path, spark: SparkSession) -> None:
    append(spark, table, 400)
    for name in ("status", "update", "verify", "compact", "build"):
        done = run("index", name, table, "--quiet")
        assert (done.exit_code, done.stdout, done.stderr) == (0, "", ""), name
    assert result_of(run("index", "status", table, "--quiet", "--json"))["up_to_date"]
    assert run("index", "status", table / "nope", "-q").stderr.startswith("error: "), "errors are no noise"


def test_check_ends_with_3_where_the_index_is_behind(run: Run, table: Path, spark: SparkSession) -> None:
    current = run("index", "status", table, "--check")
    assert current.exit_code == 0 and "up to date" in current.stdout and "4 of 4" in current.stdout
    append(spark, table, 400)
    behind = run("index", "status", table, "--check")
    assert behind.exit_code == 3, behind.stderr
    assert "4 of 5" in behind.stdout, "the table is shown all the same"
    assert "error" not in behind.stderr, "that an index is behind is no error"
    assert run("index", "status", table).exit_code == 0, "the exit code tells only with --check"
    quiet = run("index", "status", table, "--check", "--quiet")
    assert (quiet.exit_code, quiet.stdout) == (3, "")
    shutil.rmtree(index_of(table))
    assert run("index", "status", table, "--check").exit_code == 1, "without an index nothing can be compared"


def others_in_group(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.full
def test_ctrl_c_ends_it_without_a_traceback(table: Path, tmp_path: Path) -> None:
    errors = tmp_path / "stderr"
    with errors.open("w") as stderr:
        process = subprocess.Popen(
            [*HUDI_SKIP, "index", "build", str(table), "--spark", "--json"],
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
            start_new_session=True,
        )
    # Spark's JVM is then starting.
    deadline = time.monotonic() + 120
    while not children_of(process.pid) and time.monotonic() < deadline:
        time.sleep(0.1)
    # To the whole group, as a terminal does it.
    os.killpg(process.pid, signal.SIGINT)
    assert process.stdout is not None
    with process.stdout:
        assert process.stdout.read() == "", "nothing but a result belongs on stdout"
    assert process.wait(120) == 130, errors.read_text()
    deadline = time.monotonic() + 60
    while others_in_group(process.pid):
        assert time.monotonic() < deadline, "Spark's JVM must not be left behind"
        time.sleep(0.1)
    assert "Traceback (most recent call last)" not in errors.read_text()
