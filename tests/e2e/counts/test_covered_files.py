"""Files are not opened if the index has the number of their rows and all that a query uses of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Final

import pytest

from ..harness import engines
from ..harness.check import Checked, Checker
from ..topk.tables import EMPTY_FILES, FILES

ON: Final = {"hudi.skipping.counts": "on"}

WAYS: Final[Mapping[str, Mapping[str, str]]] = {
    "rows": engines.ROW_BY_ROW,
    "mapreduce": engines.MAPREDUCE,
    "no optimizer": {**engines.TEZ, "hive.cbo.enable": "false"},
}


@dataclass(frozen=True, slots=True)
class Form:
    """A query, how many files all its scans open, and the rows of how many they count."""

    text: str
    opened: int
    covered: int


_COUNT: Final = "select count(*) from readings where "

COVERING: Final[Mapping[str, Form]] = {
    "integers": Form(_COUNT + "k between -150 and 150", 2, 14),
    "bigints": Form(_COUNT + "big < -1000000000000", 1, 18),
    "days": Form(_COUNT + "day between date '2024-01-03' and date '2024-01-10'", 0, 8),
    "instants": Form(_COUNT + "at >= timestamp '2024-01-10 00:00:00'", 3, 13),
    "decimals": Form(_COUNT + "amount < -1.25", 1, 11),
    "doubles": Form(_COUNT + "ratio >= 20", 0, 16),
    "strings_with_cut_bounds": Form(_COUNT + "s > 'c05'", 0, 19),
    "nulls": Form(_COUNT + "gaps is null", 0, EMPTY_FILES),
    "files_with_nulls": Form(_COUNT + "sparse > 100", FILES - 5, 0),
    "nulls_or_values": Form(_COUNT + "sparse > 100 or sparse is null", 6, 18),
    "lists": Form(_COUNT + "pair in (3, 4, 17)", 0, 4),
    "functions": Form(_COUNT + "year(day) = 2024", 0, FILES),
    "several_columns": Form(_COUNT + "k >= -100 and day < date '2024-01-20' and s is not null", 0, 14),
    "either_column": Form(_COUNT + "k >= 0 or n >= 0", 0, FILES),
    "not": Form(_COUNT + "not (k < 0 or gaps is null)", 0, 14),
    "subquery": Form(
        "select c + 1 from (select count(*) c from readings where k between -150 and 150) t", 2, 14
    ),
    "having": Form(_COUNT + "k between -150 and 150 having count(*) > 7", 2, 14),
    "groups": Form("select pair, count(*) from readings where k between -150 and 150 group by pair", 2, 14),
    "groups_by_a_function": Form(
        "select month(day), pair % 3, count(*) from readings where k >= 0 group by month(day), pair % 3",
        0,
        14,
    ),
    "distinct_values": Form("select count(distinct pair) from readings where k >= 0", 0, 14),
    "other_aggregates": Form("select count(*), max(day), sum(pair) from readings where k >= 0", 0, 14),
    "distinct_rows": Form("select distinct pair, day from readings where k >= 180", 0, 5),
    "no_filter": Form("select count(*) + 0 from readings", 0, FILES),
    "groups_without_a_filter": Form("select day, count(*) from readings group by day", 0, FILES),
    "nulls_as_values": Form(
        "select gaps is null, count(*) from readings group by gaps is null", FILES - EMPTY_FILES, EMPTY_FILES
    ),
    "filter_by_single_values": Form(
        "select day, pair, count(*) from readings where rand(5) >= 0 group by day, pair", 0, FILES
    ),
    "two_readers": Form(
        "select * from (select count(*) a from readings where pair >= 5) a "
        "cross join (select max(pair) b from readings where pair < 9) b",
        0,
        FILES,
    ),
}

REFUSED: Final = {("having", "no optimizer")}
"""Hive does not accept the query."""

COVERED_TWICE: Final = {("two_readers", "mapreduce"): 32}
"""MapReduce reads the table twice; `pair` is known to be in both ranges for some files."""

OPENING: Final[Mapping[str, str]] = {
    "scattered_values": _COUNT + "n < 10",
    "a_column": "select count(sparse) from readings where k >= 0",
    "distinct_values": "select count(distinct k) from readings where k >= 0",
    "groups": "select k, count(*) from readings where k >= 0 group by k",
    "other_aggregates": "select count(*), max(k) from readings where k >= 0",
    "times": "select at, count(*) from readings group by at",
    "sample": "select count(*) from readings tablesample (3 rows) where k >= 0",
    "buckets": "select count(*) from readings tablesample (bucket 1 out of 2 on id) s where k >= 0",
    "random_rows": _COUNT + "k >= 0 and rand(5) >= 0",
    "two_counts_of_one_scan": f"select * from ({_COUNT}k >= 100) a cross join ({_COUNT}pair = 2) b",
    "join": "select count(*) from readings a join readings b on a.id = b.id where a.k >= 0 and b.k >= 0",
    "semijoin": _COUNT + "k >= 0 and id in (select id from draws)",
    "rows": "select id from readings where k >= 0",
    "first_rows": "select day from readings where k >= 180 order by day limit 100",
    "window": "select count(*) over (partition by pair) from readings where k >= 0",
    "limit": "select count(*) from (select id from readings where k >= 0 limit 7) t",
}
"""Queries that need more of the rows than their number, or for which nothing is proved."""


def opened(checked: Checked) -> tuple[int, int]:
    """How many files all scans opened, and the rows of how many they counted."""
    return sum(scan.kept for scan in checked.scans), sum(scan.covered for scan in checked.scans)


def lines(checked: Checked) -> list[str]:
    return [scan.line for scan in checked.scans]


@pytest.mark.parametrize("form", COVERING)
def test_files_are_counted_and_not_opened(check_counts: Checker, form: str) -> None:
    checked = check_counts(COVERING[form].text, {**engines.TEZ, **ON})
    assert opened(checked) == (COVERING[form].opened, COVERING[form].covered), lines(checked)


@pytest.mark.parametrize(("form", "way"), sorted({*product(COVERING, WAYS)} - REFUSED))
@pytest.mark.selected(8)
def test_counts_are_right_in_every_way_to_run_them(check_counts: Checker, form: str, way: str) -> None:
    checked = check_counts(COVERING[form].text, {**WAYS[way], **ON})
    covered = COVERED_TWICE.get((form, way), COVERING[form].covered)
    assert opened(checked) == (COVERING[form].opened, covered), lines(checked)


@pytest.mark.parametrize("form", OPENING)
def test_files_are_opened_for_more_than_a_number(check_counts: Checker, form: str) -> None:
    checked = check_counts.run(OPENING[form], {**engines.TEZ, **ON})
    without = check_counts.run(OPENING[form], {**engines.TEZ, "hudi.skipping.mode": "off"})
    if form != "limit" and "tablesample" not in OPENING[form]:
        assert sorted(checked.rows) == sorted(without.rows), lines(checked)
    assert opened(checked)[1] == 0, lines(checked)


@pytest.mark.parametrize(
    "settings",
    [{}, {**ON, "hudi.skipping.mode": "shadow"}, {**ON, "hudi.skipping.mode": "off"}],
    ids=["off", "shadow", "mode off"],
)
def test_nothing_is_counted_unless_asked_for(check_counts: Checker, settings: Mapping[str, str]) -> None:
    checked = check_counts.run(COVERING["integers"].text, {**engines.TEZ, **settings})
    assert checked.column() == [301]
    assert opened(checked)[1] == 0, lines(checked)


def test_the_log_and_the_session_tell_what_was_counted(check_counts: Checker) -> None:
    checked = check_counts(COVERING["integers"].text, {**engines.MAPREDUCE, **ON})
    assert (checked.scan.kept, checked.scan.covered, checked.scan.covered_rows) == (2, 14, 280)
    with check_counts.session.settings({**engines.MAPREDUCE, **ON}):
        told = check_counts.session.messages(COVERING["integers"].text)
    assert any("2 of 24 files" in line and "the rows of 14 are known" in line for line in told), told


def test_explain_tells_that_files_may_be_counted(check_counts: Checker) -> None:
    query = "explain " + COVERING["integers"].text
    assert "hudi-skip counts" not in check_counts.session.text(query)
    with check_counts.session.settings(ON):
        assert "hudi-skip counts" in check_counts.session.text(query)
