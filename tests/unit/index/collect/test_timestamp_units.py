"""Statistics of timestamps whose unit the file and the table do not agree on."""

import json
import operator as python
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pycompiler.compile.expression.evaluator import leaf_keeps
from pycompiler.compile.expression.model import Leaf, Operator
from pycompiler.compile.expression.statistics import ColumnStatistics
from pycompiler.compile.values import types
from pycompiler.compile.values.encoding import decode_value, encode_value
from pycompiler.compile.values.types import BIGINT, TIMESTAMP, HiveType
from pycompiler.index.collect.footer import FooterReader, values_of
from pycompiler.index.collect.table_columns import TableColumns
from pycompiler.index.options import IndexOptions
from tests.records import records_of

from .samples import status

NUMBER = 1641603723456
STORED = {"micros": pa.timestamp("us", "UTC"), "millis": pa.timestamp("ms", "UTC"), "number": pa.int64()}
EPOCH = datetime(1970, 1, 1)
NUMBERS = st.integers(NUMBER, NUMBER + 20) | st.integers(0, 2 * NUMBER)
COMPARISONS = {
    Operator.EQ: python.eq,
    Operator.NE: python.ne,
    Operator.LT: python.lt,
    Operator.LTEQ: python.le,
    Operator.GT: python.gt,
    Operator.GTEQ: python.ge,
}


def table(logical: str | None) -> TableColumns:
    if logical is None:
        return TableColumns()
    moment = {"type": "long", "logicalType": logical}
    inner = {"type": "record", "name": "i", "fields": [{"name": "t", "type": moment}]}
    fields = [{"name": "T", "type": ["null", moment]}, {"name": "s", "type": inner}]
    return TableColumns(schema=json.dumps({"type": "record", "name": "r", "fields": fields}))


def write(path: Path, numbers: list[int], stored: str) -> None:
    of_type = STORED[stored]
    column = pa.array(numbers, pa.int64()).cast(of_type)
    inner = pa.StructArray.from_arrays([column], fields=[pa.field("t", of_type)])
    pq.write_table(pa.table({"T": column, "s": inner}), path)


@pytest.mark.parametrize(
    ("logical", "stored", "type_name", "micros"),
    [
        ("timestamp-millis", "micros", "timestamp_millis", 1000),
        ("timestamp-millis", "millis", "timestamp_millis", 1000),
        ("timestamp-micros", "micros", "timestamp_from_micros", 1),
        ("timestamp-micros", "millis", "timestamp_from_millis", 1000),
        ("local-timestamp-millis", "number", "timestamp_millis", 1000),
        ("local-timestamp-micros", "number", "timestamp_from_micros", 1),
        (None, "micros", "timestamp_from_micros", 1),
        (None, "millis", "timestamp_from_millis", 1000),
        (None, "number", "bigint", None),
    ],
)
@given(numbers=st.lists(st.integers(0, NUMBER), min_size=1))
def test_the_number_has_the_unit_of_the_table(
    tmp_path_factory: pytest.TempPathFactory,
    logical: str | None,
    stored: str,
    type_name: str,
    micros: int | None,
    numbers: list[int],
) -> None:
    path = tmp_path_factory.mktemp("units") / "f1-0_0-1-0_20260101000000000.parquet"
    write(path, numbers, stored)
    reader = FooterReader(IndexOptions(), table(logical))
    reader.add(status(path))
    ranges = {each.column: each for each in records_of(reader.take())}
    values = values_of(status(path), ["t", "s.t"], table(logical))
    hive_type = HiveType.parse(type_name)
    expected = [
        number if micros is None else EPOCH + timedelta(microseconds=number * micros) for number in numbers
    ]
    for column in ("t", "s.t"):
        assert str(ranges[column].type) == type_name
        found = ranges[column].lower, ranges[column].upper
        assert [decode_value(hive_type, bound) for bound in found if bound] == [min(expected), max(expected)]
        assert {decode_value(hive_type, value) for value in values[column].encoded()} == {*expected}


def statistics_of(reader: FooterReader) -> ColumnStatistics:
    """Those of the column `t` in the only file."""
    (record,) = (each for each in records_of(reader.take()) if each.column == "t")
    return ColumnStatistics(
        record.type, record.lower, record.upper, record.null_count, record.value_count, record.nan_count
    )


@pytest.mark.parametrize(
    ("logical", "stored"),
    [("timestamp-micros", "micros"), ("timestamp-micros", "millis"), ("local-timestamp-micros", "number")],
)
@given(
    files=st.lists(st.lists(NUMBERS, min_size=1, max_size=5), min_size=1, max_size=8),
    wanted=NUMBERS,
    operator=st.sampled_from(sorted(COMPARISONS, key=str)),
)
def test_a_file_without_the_number_of_a_timestamp_declared_as_bigint_is_skipped(
    tmp_path_factory: pytest.TempPathFactory,
    logical: str,
    stored: str,
    files: list[list[int]],
    wanted: int,
    operator: Operator,
) -> None:
    root = tmp_path_factory.mktemp("numbers")
    leaf = Leaf(operator, "t", BIGINT, (encode_value(BIGINT, wanted),))
    for position, numbers in enumerate(files):
        path = root / f"f{position}-0_0-1-0_20260101000000000.parquet"
        write(path, numbers, stored)
        reader = FooterReader(IndexOptions(), table(logical))
        reader.add(status(path))
        known = statistics_of(reader)
        matches = any(COMPARISONS[operator](number, wanted) for number in numbers)
        bounded = any(COMPARISONS[operator](bound, wanted) for bound in (min(numbers), max(numbers)))
        between = operator in (Operator.EQ, Operator.NE) and min(numbers) < wanted < max(numbers)
        assert leaf_keeps(leaf, {"t": known}) is (bounded or between) >= matches
        assert leaf_keeps(leaf, {"t": replace(known, type=TIMESTAMP)}), "a record of an older release"


def test_records_of_older_releases_believed_for_numbers_would_lose_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "f-0_0-1-0_20260101000000000.parquet"
    write(path, [NUMBER], "millis")
    reader = FooterReader(IndexOptions(), table("timestamp-micros"))
    reader.add(status(path))
    older = replace(statistics_of(reader), type=TIMESTAMP)
    leaf = Leaf(Operator.EQ, "t", BIGINT, (encode_value(BIGINT, NUMBER),))
    assert leaf_keeps(leaf, {"t": older})
    monkeypatch.setattr(types, "_READ_AS", types._READ_AS | {("timestamp", "bigint")})
    assert not leaf_keeps(leaf, {"t": older}), "the rule, broken"
