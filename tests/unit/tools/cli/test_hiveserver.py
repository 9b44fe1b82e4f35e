from pathlib import Path

import pytest

from .conftest import Run, failed_with_one_line, result_of


def test_stop_where_none_runs_is_no_error(run: Run, tmp_path: Path) -> None:
    assert result_of(run("hiveserver", "stop", "--home", tmp_path, "--json")) == {
        "was_running": False,
        "killed": False,
    }
    assert "no HiveServer2 is running in" in run("hiveserver", "stop", "--home", tmp_path).stdout


def test_start_without_setup_says_what_to_run(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HUDI_SKIP_HOME", str(tmp_path / "empty"))
    assert "make setup" in failed_with_one_line(run("hiveserver", "start", "--home", tmp_path / "home"))


def test_a_relative_home_is_of_the_directory_in_which_the_command_runs(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert (
        f"no HiveServer2 is running in {tmp_path}/home" in run("hiveserver", "stop", "--home", "home").stdout
    )


def test_beeline_where_no_server_runs_says_how_to_start_one(run: Run, tmp_path: Path) -> None:
    message = failed_with_one_line(
        run("hiveserver", "beeline", "--home", tmp_path / "my home", "-e", "show tables")
    )
    assert message.endswith(f"start one with: hudi-skip hiveserver start --home '{tmp_path}/my home'")
