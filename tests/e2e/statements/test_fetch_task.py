"""Queries that HiveServer2 runs itself: those that read little, however large the table is."""

import pytest

from ..harness.check import Checker

QUERY = "select id from every_type where i = 1015"
THRESHOLD = "hive.fetch.task.conversion.threshold"


@pytest.fixture(scope="module")
def threshold(check: Checker) -> str:
    """A number of bytes between the size of the files that `QUERY` reads and that of the table."""
    scan = check.run(QUERY).scan
    assert scan.kept_size * 2 < scan.size, scan.line
    return str(scan.kept_size * 2)


def _is_fetched(check: Checker, query: str, settings: dict[str, str]) -> bool:
    with check.session.settings(settings):
        plan = check.session.text(f"explain {query}")
    assert "Fetch Operator" in plan, plan
    return "Map 1" not in plan


def test_a_query_that_reads_little_of_a_large_table_needs_no_job(check: Checker, threshold: str) -> None:
    settings = {THRESHOLD: threshold}
    assert _is_fetched(check, QUERY, settings)
    check(QUERY, settings).kept(1)
    assert _is_fetched(check, f"{QUERY} limit 1", settings)
    assert _is_fetched(check, "select id from every_type where i is null and i = 3", settings)


@pytest.mark.selected(3)
@pytest.mark.parametrize(
    ("query", "more"),
    [
        ("select id from every_type where i > 0", {}),
        ("select id from every_type where rand(1) < 2", {}),
        (QUERY, {"hudi.skipping.mode": "off"}),
        (QUERY, {"hudi.skipping.mode": "shadow"}),
        (QUERY, {"hudi.skipping.listing": "files"}),
        (QUERY, {"hudi.skipping.compiler.command": "no-such-command"}),
    ],
)
def test_a_query_that_may_read_more_is_a_job(
    check: Checker, threshold: str, query: str, more: dict[str, str]
) -> None:
    assert not _is_fetched(check, query, {THRESHOLD: threshold, **more})


def test_a_query_of_a_past_state_is_a_job_unless_the_whole_table_is_small(
    check: Checker, threshold: str
) -> None:
    past = "select id from every_type for system_time as of '2100-01-01' where i = 1015"
    assert not _is_fetched(check, past, {THRESHOLD: threshold})
    assert _is_fetched(check, past, {})


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        ("select * from every_type limit 3", 3),
        ("select id, upper(s) from every_type limit 2", 2),
        ("select id from (select id, i from every_type limit 3) x limit 2", 2),
    ],
)
def test_a_few_rows_of_a_large_table_need_no_job(
    check: Checker, threshold: str, query: str, rows: int
) -> None:
    settings = {THRESHOLD: threshold}
    assert _is_fetched(check, query, settings)
    with check.session.settings(settings):
        assert len(check.session.rows(query)) == rows


@pytest.mark.parametrize(
    ("query", "more"),
    [
        ("select id from every_type limit 1000", {}),
        ("select id from every_type where rand(1) < 2 limit 3", {}),
        ("select id from every_type lateral view explode(array(1)) x as y limit 3", {}),
        ("select id from every_type limit 3", {"hudi.skipping.mode": "off"}),
        ("select id from every_type limit 3", {"hudi.skipping.listing": "files"}),
    ],
)
def test_rows_that_may_be_in_many_files_are_a_job(
    check: Checker, threshold: str, query: str, more: dict[str, str]
) -> None:
    assert not _is_fetched(check, query, {THRESHOLD: threshold, **more})
