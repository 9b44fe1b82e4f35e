"""Shadow mode finds rows that skipping would lose, and changes no answer."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ..harness.check import SHADOW, Checker, assert_no_violations
from ..harness.engines import ENGINES
from ..harness.lake import Lake, publish_lie
from ..tables import CUSTOMERS, EVERY_TYPE


@pytest.fixture
def path(lake: Lake) -> Iterator[Path]:
    yield lake.copy("customers")


@pytest.mark.selected(2)
@pytest.mark.parametrize("engine", ENGINES)
def test_a_lie_of_the_index_is_caught_and_the_answer_is_right(
    check: Checker, path: Path, engine: str
) -> None:
    file = publish_lie(path, "cust", 1)
    lost = CUSTOMERS.files[1][:2]
    keys = [row["cust"] for row in lost]
    with check.session.table(path) as name:
        query = f"select name from {name} where cust in ({keys[0]}, {keys[1]})"
        control = check.run(query, ENGINES[engine])
        assert not control.rows, f"with skipping the lie loses the rows: {control.scan.line}"
        shadow = check.run(query, {**ENGINES[engine], **SHADOW})
    assert sorted(shadow.column()) == [row["name"] for row in lost]
    assert (shadow.scan.mode, shadow.scan.kept) == ("shadow", control.scan.kept), shadow.scan.line
    found = {checked.file: checked for checked in shadow.shadow_checks}
    assert len(found) == shadow.scan.files - shadow.scan.kept, "every file that would be skipped is checked"
    assert found[file].violations == len(keys), found[file].line
    assert f"cust: {keys[0]}" in found[file].row, found[file].line
    assert "WARN" in found[file].line and not found[file].error, found[file].line
    assert sum(checked.violations for checked in found.values()) == len(keys), "the other files are right"


def test_the_harness_fails_on_a_violation(check: Checker, path: Path) -> None:
    publish_lie(path, "cust", 1)
    with check.session.table(path) as name:
        query = f"select count(*) from {name} where cust = {CUSTOMERS.files[1][0]['cust']}"
        shadow = check.run(query, SHADOW)
        without = check.run(query, {"hudi.skipping.mode": "off"})
    with pytest.raises(AssertionError, match="skipping would have lost rows"):
        assert_no_violations(query, shadow, without)


@pytest.mark.selected(2)
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    "query",
    [
        "select id from every_type where i = 1015",
        "select count(*) from every_type where s = 's03-4' and d > 1.0D",
        "select z from every_type where amount < 0 or day = date '2020-01-15'",
        "select id from every_type where i = -77",
        "select count(*) from every_type where not (i < 1000 or s is null) and coalesce(i, 0) < 1050",
    ],
)
def test_every_file_that_would_be_skipped_is_read_whole_and_holds_no_row(
    check: Checker, query: str, engine: str
) -> None:
    shadow = check.run(query, {**ENGINES[engine], **SHADOW})
    assert_no_violations(query, shadow, check.run(query, {**ENGINES[engine], "hudi.skipping.mode": "off"}))
    assert shadow.shadow_checks, f"the query is one that skips files: {shadow.scan.line}"
    # Hive's row-group filter would hide all of these rows, since the files have one row group each.
    rows = {len(file) for file in EVERY_TYPE.files}
    assert {checked.rows for checked in shadow.shadow_checks} <= rows, "files are read whole"


def test_the_tables_own_property_turns_shadow_mode_on_and_off_wins(check: Checker, lake: Lake) -> None:
    with check.session.table(lake.path("customers"), properties={"hudi.skipping.mode": "shadow"}) as name:
        query = f"select cust from {name} where cust = 11"
        for settings in ENGINES.values():
            checked = check.run(query, {**settings, "hudi.skipping.mode": "on"})
            assert checked.shadow_checks and checked.scan.mode == "shadow", checked.scan.line
            checked = check.run(query, {**settings, "hudi.skipping.mode": "off"})
            assert not checked.shadow_checks
            checked.kept_all("hudi.skipping.mode")


def test_a_term_that_arrives_at_run_time_is_no_part_of_the_check(check: Checker) -> None:
    query = (
        "select s.id from every_type s join customers c on s.i = c.cust "
        "where c.segment = 'segment1' and s.i between 1010 and 1019"
    )
    assert_no_violations(
        query, check.run(query, SHADOW, scans=2), check.run(query, {"hudi.skipping.mode": "off"}, scans=2)
    )
