"""ORDER BY and LIMIT: right answers in every way to run them, and no file opened for nothing."""

import random
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import pytest

from ..harness import engines
from ..harness.check import Checked, Checker
from ..tables import Row
from .queries import FORMS, KEEPING
from .tables import FILES, READINGS, ROWS

ON: Final = {"hudi.skipping.topk": "on"}

SEPARATE: Final = {"hive.optimize.reducededuplication": "false", "hive.optimize.shared.work": "false"}
"""A group over a sort then has a sink of its own."""

WAYS: Final[Mapping[str, Mapping[str, str]]] = {
    "rows": engines.ROW_BY_ROW,
    "mapreduce": {**engines.MAPREDUCE, "hive.auto.convert.join": "false"},
    "no optimizer": {**engines.TEZ, "hive.cbo.enable": "false"},
    "no top-n keys": {**engines.TEZ, "hive.optimize.topnkey": "false"},
    "sorted subqueries": {**engines.TEZ, "hive.remove.orderby.in.subquery": "false"},
    "no map-side groups": {**engines.TEZ, "hive.map.aggr": "false"},
    "separate sorts": {**engines.TEZ, **SEPARATE},
    "separate sorts, no map-side groups": {**engines.TEZ, **SEPARATE, "hive.map.aggr": "false"},
    "separate sorts, no map-side groups, mapreduce": {
        **engines.MAPREDUCE,
        **SEPARATE,
        "hive.map.aggr": "false",
        "hive.auto.convert.join": "false",
    },
}


def kept(checked: Checked) -> int:
    """Files that all scans opened."""
    return sum(scan.kept for scan in checked.scans)


def lines(checked: Checked) -> list[str]:
    return [scan.line for scan in checked.scans]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.selected(40)
def test_a_query_opens_the_files_that_may_have_its_rows(check_first: Checker, form: str) -> None:
    checked = check_first(FORMS[form].text, {**engines.TEZ, **ON})
    assert kept(checked) == FORMS[form].kept, lines(checked)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.selected(12)
def test_an_answer_is_right_in_every_way_to_run_it(check_first: Checker, form: str, way: str) -> None:
    checked = check_first(FORMS[form].text, {**WAYS[way], **ON})
    if form in KEEPING:
        assert kept(checked) >= FORMS[form].kept, lines(checked)


@pytest.mark.parametrize("way", [way for way in WAYS if way.startswith("separate")])
def test_a_limit_of_groups_is_none_of_the_rows_sorted_before(check_first: Checker, way: str) -> None:
    """Files of the first five rows have one group, and not five."""
    form = KEEPING["grouped_over_a_sort_in_a_scalar"]
    checked = check_first(form.text, {**WAYS[way], **ON})
    assert checked.rows == ((1, 4),), lines(checked)
    assert kept(checked) == form.kept, lines(checked)


def test_the_log_tells_what_was_needed(check_first: Checker) -> None:
    query = "select id from readings order by k desc nulls last limit 3 offset 2"
    scan = check_first(query, {**engines.TEZ, **ON}).kept(1).scan
    assert scan.source == "topk"
    assert scan.expression == "first 5 by k desc nulls last: >= 260"


@pytest.mark.parametrize(
    "settings", [{}, {**ON, "hudi.skipping.mode": "shadow"}, {**ON, "hudi.skipping.mode": "off"}]
)
def test_every_file_is_read_unless_skipping_is_on(check_first: Checker, settings: Mapping[str, str]) -> None:
    query = "select id from readings order by k nulls last limit 3"
    checked = check_first.run(query, {**engines.TEZ, **settings})
    assert checked.column() == [0, 1, 2]
    checked.kept_all("")


@pytest.mark.parametrize("mode", engines.MODES)
@pytest.mark.parametrize("end", ["min", "max"])
def test_an_extreme_string_is_that_of_every_order(check_first: Checker, end: str, mode: str) -> None:
    """UTF-8 and UTF-16 disagree about the last letters of `draws`."""
    check_first(f"select {end}(s) from draws", {**engines.MODES[mode], **ON}, spark=False)


@pytest.mark.parametrize(("prepared", "files"), [("false", FILES), ("true", 1)])
def test_a_prepared_plan_knows_how_it_was_made(check_first: Checker, prepared: str, files: int) -> None:
    """With groups made after a sort, its limit may be one of groups, whatever the session has later."""
    session = check_first.session
    with session.settings({**engines.TEZ, **ON, "hive.map.aggr": prepared}):
        session.rows(f"prepare first_{prepared} from select id from readings order by k nulls last limit 3")
    later = "true" if prepared == "false" else "false"
    position = check_first.log.position()
    with session.settings({**engines.TEZ, **ON, "hive.map.aggr": later}):
        assert session.rows(f"execute first_{prepared} using 1") == [(0,), (1,), (2,)]
    # Hive does not always pass the tag of a prepared query on.
    assert f"/measured/readings files={FILES} kept={files} " in check_first.log.since(position)


def test_sessions_at_once_have_their_own_orders(new_check: Callable[[], Checker]) -> None:
    def ask(number: int) -> None:
        column, direction = (("k", "desc"), ("k", "asc"), ("scattered", "asc"), ("amount", "desc"))[number]
        checker = new_check()
        with checker.session:
            for limit in (5, 21):
                query = f"select id from readings order by {column} {direction} nulls last limit {limit}"
                found = checker.run(query, {**engines.TEZ, **ON})
                expected = [row["id"] for row in _first(column, direction == "desc", True)][:limit]
                assert found.column() == expected, lines(found)

    with ThreadPoolExecutor(max_workers=4) as pool:
        list(pool.map(ask, range(4)))


def test_a_sample_is_of_all_files(check_first: Checker) -> None:
    query = "select k from readings tablesample (2 rows) order by k nulls last limit 3"
    check_first.run(query, {**engines.TEZ, **ON}).kept_all("")


def test_explain_tells_that_an_order_may_skip_files(check_first: Checker) -> None:
    session = check_first.session
    query = "explain select id from readings order by k nulls last limit 3"
    assert "hudi-skip topk" not in session.text(query)
    with session.settings(ON):
        assert "hudi-skip topk" in session.text(query)


COLUMNS: Final = ("k", "big", "day", "at", "s", "amount", "ratio", "pair", "sparse", "gaps", "scattered")
SEED: Final = 25


def _first(column: str, descending: bool, nulls_last: bool) -> list[Row]:
    """The rows in order; equal values by their key."""
    rows = READINGS.rows()
    values = sorted((row for row in rows if row[column] is not None), key=lambda row: row["id"])
    values.sort(key=lambda row: _bytes(row[column]), reverse=descending)
    nulls = [row for row in rows if row[column] is None]
    return values + nulls if nulls_last else nulls + values


def _bytes(value: Any) -> Any:
    return value.encode() if isinstance(value, str) else value


@pytest.mark.parametrize("count", [12, pytest.param(200, marks=pytest.mark.full)])
def test_random_orders_are_those_of_the_rows(check_first: Checker, count: int) -> None:
    chance = random.Random(SEED)
    skipped = 0
    for _ in range(count):
        column = chance.choice(COLUMNS)
        descending, nulls_last = chance.random() < 0.5, chance.random() < 0.6
        limit = chance.choice((1, 2, 19, 20, 21, 50, 100, ROWS, 1000))
        offset = chance.choice((0, 0, 0, 1, 20, 70))
        query = (
            f"select id from readings order by {column} {'desc' if descending else 'asc'} "
            f"nulls {'last' if nulls_last else 'first'}, id limit {limit} offset {offset}"
        )
        checked = check_first.run(query, {**engines.TEZ, **ON})
        expected = [row["id"] for row in _first(column, descending, nulls_last)][offset : offset + limit]
        assert checked.column() == expected, f"{query}\n{lines(checked)}"
        skipped += checked.scan.kept < FILES
    assert skipped > count / 4
