import math

import pytest

from pycompiler.compile.expression.statistics import ColumnStatistics
from pycompiler.compile.planner.keys import EncodedValue, KeyLayout, key_columns
from pycompiler.compile.planner.sorted_partitions import SortedPartitions, constant_values
from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.types import HiveType
from tests.planning import plan_by_filter

INT, STRING, DOUBLE = HiveType("int"), HiveType("string"), HiveType("double")
LAYOUT = KeyLayout(key_columns([("year", INT), ("dest", STRING)]))


def year(number: int) -> bytes:
    return encode_value(INT, number)


def of(
    hive_type: HiveType, lower: bytes | None, upper: bytes | None, nulls: int | None = 0
) -> ColumnStatistics:
    return ColumnStatistics(hive_type, lower, upper, null_count=nulls, value_count=5)


def constant(value: EncodedValue, hive_type: HiveType = STRING) -> ColumnStatistics:
    return of(hive_type, value, value, 5 if value is None else 0)


CATALOGUE = SortedPartitions.of(
    LAYOUT,
    [
        ("2014/HNL", (year(2014), b"HNL")),
        ("2013/null", (year(2013), None)),
        ("2013/HNL", (year(2013), b"HNL")),
        ("2013/hnl", (year(2013), b"HNL")),
        ("2013/ANC", (year(2013), b"ANC")),
        ("mixed", None),
        ("null/null", (None, None)),
    ],
)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("year = 2013 and dest = 'HNL'", ["2013/HNL", "2013/hnl"]),
        ("year = 2013", ["2013/null", "2013/ANC", "2013/HNL", "2013/hnl"]),
        ("dest = 'HNL'", ["2013/HNL", "2013/hnl", "2014/HNL"]),
        ("dest is null", ["null/null", "2013/null"]),
        ("year < 2014 and dest != 'HNL'", ["2013/ANC"]),
        ("year > 2014", []),
        # Nothing is known of this one.
        ("length(dest) = year", ["null/null", "2013/null", "2013/ANC", "2013/HNL", "2013/hnl", "2014/HNL"]),
    ],
)
def test_a_plan_leaves_the_partitions_that_can_match_and_those_that_have_no_key(
    text: str, left: list[str]
) -> None:
    assert CATALOGUE.select(plan_by_filter(text, LAYOUT)) == [*left, "mixed"]


def test_a_partition_whose_values_have_no_key_is_always_left() -> None:
    layout = KeyLayout(key_columns([("x", DOUBLE)]))
    values = [("nan", (encode_value(DOUBLE, math.nan),)), ("1", (encode_value(DOUBLE, 1.0),))]
    catalogue = SortedPartitions.of(layout, values)
    assert len(catalogue) == 2
    assert catalogue.select(plan_by_filter("x > 5.0", layout)) == ["nan"]


@pytest.mark.parametrize(
    ("files", "values"),
    [
        ([{"year": constant(year(2013), INT), "dest": constant(b"HNL")}], (year(2013), b"HNL")),
        ([{"year": constant(year(2013), INT), "dest": constant(None)}] * 2, (year(2013), None)),
        ([{"year": constant(year(2013), INT)}], None),
        (
            [
                {"year": constant(year(2013), INT), "dest": constant(b"HNL")},
                {"year": constant(year(2013), INT), "dest": constant(b"ANC")},
            ],
            None,
        ),
        ([{"year": constant(year(2013), INT), "dest": of(STRING, b"ANC", b"HNL")}], None),
        ([{"year": constant(year(2013), INT), "dest": of(STRING, b"HNL", b"HNL", 1)}], None),
        ([{"year": constant(year(2013), INT), "dest": of(STRING, b"HNL", b"HNL", None)}], None),
        ([{"year": constant(year(2013), INT), "dest": of(STRING, None, None)}], None),
        ([{"year": constant(year(2013), HiveType("bigint")), "dest": constant(b"HNL")}], None),
        ([], None),
    ],
    ids=[
        "one value",
        "NULL",
        "no statistics",
        "files of two values",
        "a file of two values",
        "a value and NULL",
        "NULLs not counted",
        "no bounds",
        "stored in a wider type",
        "no files",
    ],
)
def test_a_partition_has_a_key_if_its_files_have_one_value(
    files: list[dict[str, ColumnStatistics]], values: tuple[EncodedValue, ...] | None
) -> None:
    assert constant_values(LAYOUT, files) == values


def test_bounds_say_nothing_of_a_column_that_may_have_nan() -> None:
    layout = KeyLayout(key_columns([("x", DOUBLE)]))
    one = encode_value(DOUBLE, 1.0)
    assert constant_values(layout, [{"x": constant(one, DOUBLE)}]) is None
    without_nan = ColumnStatistics(DOUBLE, one, one, null_count=0, value_count=5, nan_count=0)
    assert constant_values(layout, [{"x": without_nan}]) == (one,)
