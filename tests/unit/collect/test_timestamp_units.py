"""Statistics of timestamps whose unit the file and the table do not agree on."""

import json
from datetime import datetime, timedelta
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pycompiler.collect.footer import FooterReader, values_of
from pycompiler.collect.table_columns import TableColumns
from pycompiler.index.options import IndexOptions
from pycompiler.values.encoding import decode_value
from pycompiler.values.types import HiveType
from tests.records import records_of

from .samples import status

NUMBER = 1641603723456
STORED = {"micros": pa.timestamp("us", "UTC"), "millis": pa.timestamp("ms", "UTC"), "number": pa.int64()}
EPOCH = datetime(1970, 1, 1)


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
        ("timestamp-micros", "micros", "timestamp", 1),
        ("timestamp-micros", "millis", "timestamp", 1000),
        ("local-timestamp-millis", "number", "timestamp_millis", 1000),
        ("local-timestamp-micros", "number", "timestamp", 1),
        (None, "micros", "timestamp", 1),
        (None, "millis", "timestamp", 1000),
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
