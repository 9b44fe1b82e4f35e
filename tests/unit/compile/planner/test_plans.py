import pytest

from pycompiler.compile.planner.keys import KeyLayout, key_columns
from pycompiler.compile.planner.plans import FilterPlan, union
from pycompiler.compile.planner.scans import Scan, ScanMarker, merged
from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.types import HiveType
from tests.planning import plan_by_filter

INT = HiveType("int")
LAYOUT = KeyLayout(key_columns([("p1", INT), ("c1", INT)]))


def plan(text: str) -> FilterPlan:
    return plan_by_filter(text, LAYOUT)


def marker(number: int, *, after: bool = False) -> ScanMarker:
    return ScanMarker.of(LAYOUT, [encode_value(INT, number)], after=after)


def scan(start: int, end: int, filter_text: str | None = None) -> Scan:
    only = None if filter_text is None else plan(filter_text).scans()[0].filter
    return Scan(marker(start), marker(end), only)


def texts(scans: list[Scan]) -> list[str]:
    return [one.text(LAYOUT) for one in scans]


@pytest.mark.parametrize(
    ("first", "second", "both"),
    [
        ("p1 > 10 and p1 <= 40", "p1 >= 20 and p1 < 40", "Scan(X20, X40)"),
        ("p1 >= 10 and p1 <= 20", "p1 > 10 and p1 < 20", "Scan(X10+, X20)"),
        ("p1 > 20", "p1 < 10", "no scan"),
        ("false", "p1 = 1", "no scan"),
    ],
)
def test_an_intersection_starts_at_the_later_marker_and_ends_at_the_earlier(
    first: str, second: str, both: str
) -> None:
    assert plan(first).and_(plan(second)).text() == both


def test_a_single_scan_can_serve_a_conjunction() -> None:
    found = plan("p1 in (1, 5) and c1 = 2")
    (only,) = found.members
    assert texts(only.split(1)) == ["Scan(X1, X5+) + filter(p1 in (1, 5) and c1 = 2)"]
    assert found.text() == "merge(Get(X1/2), Get(X5/2))"


@pytest.mark.parametrize(
    ("first", "second", "conjunctions"),
    [
        ("p1 = 1 and c1 = 2", "p1 = 1 and c1 = 3", 1),
        ("p1 = 1 and c1 = 2", "p1 = 2 and c1 = 3", 2),
        ("false", "p1 = 1", 1),
    ],
)
def test_a_union_joins_conjunctions_that_differ_in_one_column(
    first: str, second: str, conjunctions: int
) -> None:
    both = union(LAYOUT, [*plan(first).members, *plan(second).members])
    assert len(both.members) == conjunctions
    assert both.text() == plan(f"({first}) or ({second})").text()


def test_behind_a_value_comes_what_has_none_of_its_next_columns() -> None:
    # X10 and a zero byte would come before X10 with any value of c1.
    key = LAYOUT.key([encode_value(INT, 10), None])
    assert marker(10).row + b"\0" < key < marker(10, after=True).row <= marker(11).row


def test_scans_that_overlap_become_pieces_that_do_not() -> None:
    parts = [scan(1, 10, "c1 = 1"), scan(5, 20, "c1 = 2"), scan(30, 40)]
    assert texts(merged(parts)) == [
        "Scan(X1, X5) + filter(c1 = 1)",
        "Scan(X5, X10) + filter(c1 = 1 or c1 = 2)",
        "Scan(X10, X20) + filter(c1 = 2)",
        "Scan(X30, X40)",
    ]


def test_a_scan_without_a_filter_swallows_those_within_it() -> None:
    assert texts(merged([scan(1, 10), scan(3, 5, "c1 = 1"), scan(10, 10)])) == ["Scan(X1, X10)"]


def test_scans_that_touch_stay_apart() -> None:
    assert texts(merged([scan(10, 20), scan(1, 10)])) == ["Scan(X1, X10)", "Scan(X10, X20)"]


def test_long_plans_are_cut_for_people() -> None:
    text = plan("p1 in (1, 2, 3, 4, 5, 6, 7) and c1 = 0").text()
    assert text == "merge(Get(X1/0), Get(X2/0), Get(X3/0), Get(X4/0), Get(X5/0), … 2 more)"


def test_a_table_without_partition_columns_is_one_partition() -> None:
    layout = KeyLayout(())
    assert plan_by_filter("p1 = 1", layout, {"p1": INT}).text() == "Get(X)"
