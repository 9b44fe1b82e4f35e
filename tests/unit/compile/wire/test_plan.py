import pytest

from pycompiler.compile.compiler.compile import compile_predicate
from pycompiler.compile.planner.keys import KeyLayout, key_columns
from pycompiler.compile.sql.from_sql import from_sql
from pycompiler.compile.values.types import HiveType
from pycompiler.compile.wire import plan as wire_plan
from pycompiler.compile.wire.plan import plan_message, requested_plan
from tests.planning import plan_by_filter

LAYOUT = KeyLayout(key_columns([("year", HiveType("int")), ("dest", HiveType("string"))]))


def test_ranges_with_equal_filters_share_one() -> None:
    plan = plan_by_filter("year in (2012, 2014) and year is not null and dest like '%x'", LAYOUT)
    sent = plan_message(plan)
    assert [scan.filter for scan in sent.scans] == [None, None]
    plan = plan_by_filter("(year > 2014 or year < 2012) and dest != 'A'", LAYOUT)
    sent = plan_message(plan)
    assert ([scan.filter for scan in sent.scans], len(sent.filters)) == ([0, 0], 1)


def test_behind_all_keys_of_the_table_is_no_place_of_its_own() -> None:
    (scan,) = plan_message(plan_by_filter("dest = 'A'", LAYOUT)).scans
    assert (scan.start, scan.stop) == (b"", None)


def test_a_plan_that_is_too_long_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = {column.name: column.type for column in LAYOUT.columns}
    asked = ["Year", "dest"]
    expression = compile_predicate(from_sql("year in (2012, 2014) and dest = 'A'", columns)).expression
    sent = requested_plan(asked, columns, expression)
    assert sent is not None
    size = sum(len(scan.start) + len(scan.stop) for scan in sent.scans)
    monkeypatch.setattr(wire_plan, "MAX_PLAN_BYTES", size)
    assert requested_plan(asked, columns, expression) == sent
    monkeypatch.setattr(wire_plan, "MAX_PLAN_BYTES", size - 1)
    assert requested_plan(asked, columns, expression) is None
