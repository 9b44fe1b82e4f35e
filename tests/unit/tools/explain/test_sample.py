"""A column of a file, as it is read for estimates."""

from datetime import date
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.types import HiveType
from pycompiler.index.file_systems.location import Location
from pycompiler.tools.explain import sample
from pycompiler.tools.explain.sample import ColumnReader

ROWS = pa.table(
    {
        "N": pa.array([3, None, 3, 5], pa.int32()),
        "text": ["b", "a", None, "b"],
        "real": [0.0, -0.0, float("nan"), 1.5],
        "day": [date(2025, 1, 31), None, None, None],
        "place": [{"lat": 1}, {"lat": 1}, None, {"lat": 2}],
        "old": [date(1500, 1, 1), None, None, None],
    }
)


@pytest.fixture
def read(tmp_path: Path) -> ColumnReader:
    (tmp_path / "p").mkdir()
    pq.write_table(ROWS, tmp_path / "p" / "f.parquet", row_group_size=2)
    return ColumnReader(Location.parse(str(tmp_path)))


@pytest.mark.parametrize(
    ("column", "hive_type", "counts"),
    [
        ("n", "int", {3: 2, 5: 1}),
        ("text", "string", {"a": 1, "b": 2}),
        ("real", "double", {0.0: 2, 1.5: 1}),
        ("day", "date", {date(2025, 1, 31): 1}),
        ("place.lat", "bigint", {1: 2, 2: 1}),
    ],
)
def test_values_are_counted_over_row_groups_without_null_and_nan(
    read: ColumnReader, column: str, hive_type: str, counts: dict[object, int]
) -> None:
    found = read("p/f.parquet", column)
    assert found is not None and (found.type, found.rows) == (HiveType(hive_type), 4)
    days = {
        (value - date(1970, 1, 1)).days if isinstance(value, date) else value: rows
        for value, rows in counts.items()
    }
    assert found.counts == {encode_value(found.type, value): rows for value, rows in days.items()}  # type: ignore[arg-type]


def test_what_cannot_be_read_gives_nothing(read: ColumnReader, monkeypatch: pytest.MonkeyPatch) -> None:
    assert read("p/gone.parquet", "n") is None
    assert read("p/f.parquet", "other") is None
    assert read("p/f.parquet", "old") is None, "calendars disagree on the day"
    monkeypatch.setattr(sample, "MAX_ROWS", 3)
    assert read("p/f.parquet", "n") is None, "it is too long to wait for"
