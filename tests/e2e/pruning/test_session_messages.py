"""What a session is told, in Hive's operation log, of the files that its queries read."""

import re
from collections.abc import Iterator

import pytest

from ..harness.check import Checker
from ..harness.engines import TEZ
from ..harness.lake import UPSERT, Lake
from ..tables import CUSTOMERS, EVERY_TYPE

QUERY = "select cust from {} where cust = 11"
SILENT = {"hudi.skipping.messages": "false"}


@pytest.fixture
def behind(check: Checker, lake: Lake) -> Iterator[str]:
    """A table whose last commit, which rewrote one file, is not indexed."""
    path = lake.copy("customers")
    lake.append(CUSTOMERS, path, (CUSTOMERS.files[1][:1],), UPSERT)
    with check.session.table(path) as name:
        yield name


def _told(check: Checker, query: str, settings: dict[str, str]) -> list[str]:
    with check.session.settings(settings):
        messages = check.session.messages(query)
    return [line.partition("hudi-skip: ")[2] for line in messages if "hudi-skip: " in line]


def test_a_session_is_told_what_its_query_read(check: Checker) -> None:
    (told,) = _told(check, QUERY.format("customers"), {})
    assert re.fullmatch(rf"1 of {len(CUSTOMERS.files)} files \(\d+\.\d of \d+\.\d MB\)", told), told


def test_a_session_is_told_that_the_index_is_behind_and_what_to_do(check: Checker, behind: str) -> None:
    scan = check.run(QUERY.format(behind)).scan
    assert (scan.not_indexed, scan.commits_behind) == (1, 1), scan.line
    assert 0 < scan.not_indexed_size < scan.size, scan.line
    (told,) = _told(check, QUERY.format(behind), {})
    assert told.endswith(f", index 1 commit behind: hudi-skip index update {scan.table}"), told
    plan = check.session.text(f"EXPLAIN {QUERY.format(behind)}")
    assert f"1 files, {scan.not_indexed_size} bytes; index 1 commits behind" in plan, plan


def test_before_a_job_a_session_is_told_that_the_index_is_behind(check: Checker, behind: str) -> None:
    query = f"select count(*) from {behind} where cust = 11"
    (told,) = _told(check, query, TEZ)
    assert "index 1 commit behind: hudi-skip index update /" in told, told
    assert _told(check, query.replace(behind, "customers"), TEZ) == [], "an index that is not behind"


def test_counters_of_a_job_are_in_the_log_of_its_session(check: Checker, behind: str) -> None:
    settings = {**TEZ, "hive.tez.exec.print.summary": "true"}
    with check.session.settings(settings):
        log = "\n".join(check.session.messages(f"select count(*) from {behind} where cust = 11"))
    counted = {name: int(count) for name, count in re.findall(r"scan\.(\w+): (\d+)", log)}
    assert (counted["not_indexed"], counted["files"]) == (1, len(CUSTOMERS.files)), log


@pytest.mark.parametrize("engine", [TEZ, {}], ids=["tez", "fetch task"])
def test_a_session_is_told_that_the_compiler_cannot_be_started(
    check: Checker, engine: dict[str, str]
) -> None:
    broken = {"hudi.skipping.compiler.command": "/nowhere/hudi-skip", **engine}
    query = (
        "select max(id) from every_type where i = 1015"
        if engine
        else "select id from every_type where i = 1015"
    )
    told = _told(check, query, broken)
    assert any("/nowhere/hudi-skip" in line for line in told), told
    if not engine:
        assert told[0].startswith(f"{len(EVERY_TYPE.files)} of {len(EVERY_TYPE.files)} files"), told


@pytest.mark.parametrize("engine", [TEZ, {}], ids=["tez", "fetch task"])
def test_a_session_can_switch_the_messages_off(check: Checker, behind: str, engine: dict[str, str]) -> None:
    query = f"select cust, name from {behind} where cust = 11"
    assert _told(check, query, engine), "control: with messages"
    assert _told(check, query, {**engine, **SILENT}) == []
