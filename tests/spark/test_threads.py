"""Threads of one Spark session that write, index and read tables at the same time."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from .threads_driver import ROWS, THREADS, UPDATED, VERIFIED

pytestmark = pytest.mark.spark

_ROOT = Path(__file__).resolve().parents[2]
_TIMEOUT_SECONDS = 900.0


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory, hudi_conf: Path) -> dict[str, Any]:
    """What happened in an application of its own: other tests must not share a session that breaks."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.spark.threads_driver", str(tmp_path_factory.mktemp("threads"))],
        env={**os.environ, "HUDI_CONF_DIR": str(hudi_conf)},
        cwd=_ROOT,
        capture_output=True,
        text=True,
        timeout=_TIMEOUT_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def _results(actions: list[dict[str, Any]]) -> list[Any]:
    assert [action["error"] for action in actions] == [None] * len(actions)
    return [action["result"] for action in actions]


def test_an_archive_that_cannot_be_written_leaves_a_write_a_warning_and_a_living_session(
    report: dict[str, Any],
) -> None:
    assert "File too large" in report["no room"]["failure"]
    assert "hudi-skip-pycompiler.zip" in report["no room"]["failure"]
    assert report["no room"]["alive"] and report["no room"]["archives"] == []


def test_threads_write_build_update_read_and_explain_a_table_each(report: dict[str, Any]) -> None:
    own = _results(report["own"])
    assert len(own) == THREADS
    for of_thread in own:
        assert of_thread["failure"] is None and of_thread["built"]
        assert of_thread["changed"] == list(UPDATED), "the rows that the second commit wrote"
        read, there = of_thread["explained"]
        assert read == 0 < there, "no row has such a value"
    assert report["alive"]


def test_a_session_that_a_thread_asks_for_keeps_its_settings(report: dict[str, Any]) -> None:
    assert report["setting"] == "2"


def test_threads_that_write_one_table_succeed_or_learn_which_commit_was_first(report: dict[str, Any]) -> None:
    shared = _results(report["shared"][:THREADS])
    assert [of_thread["inserted"] for of_thread in shared] == [None] * THREADS
    updates = {number: shared[number]["updated"] for number in range(0, THREADS, 2)}
    for update in updates.values():
        assert update["result"] is None, "the index is not behind"
        assert update["error"] is None or "HoodieWriteConflictException" in update["error"]
    values = {1 + number for number, update in updates.items() if update["error"] is None}
    rows = report["tables"]["shared"]["result"]["rows"]
    assert rows.pop("0") in values, "of a thread whose update succeeded"
    assert {int(key): value for key, value in rows.items()} == {
        id_: id_ for id_ in (1, *(1000 * (number + 1) + n for number in range(THREADS) for n in range(20)))
    }


def test_streams_pulls_and_incremental_reads_run_beside_them(report: dict[str, Any]) -> None:
    *_, pulled, read, end = _results(report["shared"])
    assert pulled >= 1 and read == 2 and end
    for number in range(2):
        rows = report["tables"][f"streamed{number}"]["result"]["rows"]
        assert {int(key): value for key, value in rows.items()} == {id_: id_ for id_ in range(200)}


def test_all_tables_are_right_and_their_indexes_current(report: dict[str, Any]) -> None:
    tables = dict(zip(report["tables"], _results(list(report["tables"].values())), strict=True))
    for name, table in tables.items():
        assert table["up to date"], name
        assert table["sound"] is (True if name in VERIFIED else None), name
        if name.startswith("own"):
            assert {int(key): value for key, value in table["rows"].items()} == {
                **{id_: id_ for id_ in range(ROWS)},
                **{id_: id_ + 1000 for id_ in UPDATED},
            }, name


def test_an_application_has_one_archive_of_the_package_whatever_happens(report: dict[str, Any]) -> None:
    assert len(report["archives"]) == 1, "threads and sessions"
    after = report["after"]
    assert after["archives"] == report["archives"] and after["alive"], "a fork, and a package that changed"


def test_the_next_application_of_the_process_gets_an_archive_of_its_own(report: dict[str, Any]) -> None:
    restarted = report["restarted"]
    assert restarted["before"] == [] and _results(restarted["own"]) == [None, None]
    assert len(restarted["archives"]) == 1 and restarted["archives"] != report["archives"]
    assert restarted["alive"]
