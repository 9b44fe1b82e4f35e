"""A sample of the rows of files that are written by hand."""

from datetime import date
from decimal import Decimal
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pycompiler.advise.errors import AdviceError
from pycompiler.advise.sample import sampling
from pycompiler.advise.sample.row_sample import NULL, RowSample, TableSample
from pycompiler.advise.sample.sampling import AskedValues, sample_rows
from pycompiler.index.file_systems.location import Location
from pycompiler.table.files import TableFile
from pycompiler.values.encoding import encode_value
from pycompiler.values.types import HiveType


def written(root: Path, name: str, rows: pa.Table, group: int = 1_000_000) -> TableFile:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(rows, path, row_group_size=group)
    return TableFile(name, path.stat().st_size, "1", indexed=True)


def sampled(
    root: Path,
    files: list[TableFile],
    columns: set[str],
    asked: AskedValues | None = None,
    max_rows: int = 1_000,
) -> TableSample:
    return sample_rows(
        Location.parse(str(root)), files, columns, asked or {}, lambda done, total: None, max_rows=max_rows
    )


def values_of(sample: RowSample, name: str) -> list[bytes | str | None]:
    column = sample.columns[name]
    count = len(column.values)
    return [
        None if code == NULL else "NaN" if code == count else column.values[code]
        for code in column.codes.tolist()
    ]


def test_rows_keep_their_values_null_and_nan(tmp_path: Path) -> None:
    rows = pa.table(
        {
            "N": pa.array([3, None, 3, -5], pa.int32()),
            "text": ["b", "a", None, "b"],
            "real": [0.0, -0.0, float("nan"), None],
            "day": [date(2025, 1, 31), None, None, date(1999, 1, 1)],
            "place": [{"lat": 1}, {"lat": 1}, None, {"lat": 2}],
        }
    )
    file = written(tmp_path, "p/f.parquet", rows)
    sample = sampled(tmp_path, [file], {"n", "text", "real", "day", "place.lat", "absent"}).random
    assert set(sample.columns) == {"n", "text", "real", "day", "place.lat"}

    def encoded(hive_type: str, *values: object) -> list[object]:
        return [
            value if value in (None, "NaN") else encode_value(HiveType(hive_type), value)  # type: ignore[arg-type]
            for value in values
        ]

    assert values_of(sample, "n") == encoded("int", 3, None, 3, -5)
    assert values_of(sample, "text") == encoded("string", "b", "a", None, "b")
    assert values_of(sample, "real") == encoded("double", 0.0, 0.0, "NaN", None)
    assert values_of(sample, "day") == encoded("date", date(2025, 1, 31), None, None, date(1999, 1, 1))
    assert values_of(sample, "place.lat") == encoded("bigint", 1, 1, None, 2)
    assert all(list(column.values) == sorted(column.values) for column in sample.columns.values())


def test_rows_come_from_all_files_in_proportion_and_know_their_partition(tmp_path: Path) -> None:
    files = [
        written(tmp_path, f"p{part}/f{part}.parquet", pa.table({"n": pa.array(range(rows))}), group=500)
        for part, rows in enumerate((1_000, 3_000))
    ]
    sample = sampled(tmp_path, files, {"n"}, max_rows=400)
    counts = [int((sample.random.partitions == part).sum()) for part in (0, 1)]
    assert sample.files == files and sum(counts) == pytest.approx(400, abs=2)
    assert counts[1] == pytest.approx(3 * counts[0], rel=0.2)
    again = sampled(tmp_path, files, {"n"}, max_rows=400)
    assert values_of(again.random, "n") == values_of(sample.random, "n"), "each run takes the same rows"
    assert (sample.random.sources == sample.random.partitions).all(), "each file is a partition"
    assert (sample.table_rows, sample.rows_of_files) == (4_000, 4_000) and sample.rows_read == 1_000


def test_of_many_files_some_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "MAX_FILES", 3)
    files = [written(tmp_path, f"f{part}.parquet", pa.table({"n": [part] * 10})) for part in range(9)]
    sample = sampled(tmp_path, files, {"n"})
    thirds = {
        code // 3
        for code in range(9)
        if encode_value(HiveType("bigint"), code) in values_of(sample.random, "n")
    }
    assert len(sample.files) == 3 and thirds == {0, 1, 2}, "one file of each third"


def test_files_that_cannot_be_read_or_have_another_type_are_left_out(tmp_path: Path) -> None:
    files = [
        written(tmp_path, "a.parquet", pa.table({"n": ["1"]})),
        TableFile("gone.parquet", 100, "1", indexed=True),
        written(tmp_path, "b.parquet", pa.table({"n": pa.array([1, 2])})),
    ]
    sample = sampled(tmp_path, files, {"n"})
    assert (list(sample.files), sample.random.rows) == (files[2:], 2)


def test_a_table_without_readable_files_is_an_error(tmp_path: Path) -> None:
    file = written(tmp_path, "a.parquet", pa.table({"n": [1]}))
    for files, columns in (([file], {"other"}), ([TableFile("gone.parquet", 1, "1", indexed=True)], {"n"})):
        with pytest.raises(AdviceError, match="none can be read"):
            sampled(tmp_path, files, columns)


def test_rare_rows_are_taken_if_conditions_ask_for_them(tmp_path: Path) -> None:
    days = pa.array([date(2025, 1, 1)] * 2_998 + [date(2025, 2, 2)] * 2)
    columns = {
        "n": pa.array(range(3_000)),
        "text": [f"t{number}" for number in range(3_000)],
        "day": days,
        "cents": pa.array([Decimal(number) / 100 for number in range(3_000)], pa.decimal128(9, 2)),
        "real": [number / 2 for number in range(3_000)],
        "few": ["x", "y", None] * 1_000,
    }
    files = [written(tmp_path, f"f{part}.parquet", pa.table(columns)) for part in (0, 1)]
    asked = {
        "n": [encode_value(HiveType("bigint"), 7), encode_value(HiveType("bigint"), -1)],
        "text": [b"t1717", b"\xff"],
        "day": [encode_value(HiveType("date"), date(2025, 2, 2))],
        # Two places after the point have no row with a third of one.
        "cents": [encode_value(HiveType.parse("decimal(9,3)"), Decimal(text)) for text in ("3.14", "3.141")],
        "real": [encode_value(HiveType("double"), 40.5)],
        "few": [b"y"],
    }
    found = sampled(tmp_path, files, set(columns), asked, max_rows=100)
    rare = [each for each in range(found.asked.rows) if values_of(found.asked, "few")[each] != b"y"]
    numbers = {
        int.from_bytes(value, "big") - (1 << 63)
        for value in values_of(found.asked.part(np.array(rare)), "n")
        if isinstance(value, bytes)
    }
    assert numbers == {7, 314, 81, 1717, 2998, 2999} - set(range(1, 3_000, 3))
    assert found.asked.rows == pytest.approx(2 * (6 + 50), abs=12), "of a frequent value, some rows of a file"
    assert found.asked.columns["text"].values is found.random.columns["text"].values, "codes are the same"
