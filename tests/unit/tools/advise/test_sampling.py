"""A sample of the rows of files that are written by hand."""

from datetime import date
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.types import HiveType
from pycompiler.index.file_systems.location import Location
from pycompiler.table.files import TableFile
from pycompiler.tools.advise import sampling
from pycompiler.tools.advise.errors import AdviceError
from pycompiler.tools.advise.row_sample import NULL, RowSample
from pycompiler.tools.advise.sampling import sample_rows


def written(root: Path, name: str, rows: pa.Table, group: int = 1_000_000) -> TableFile:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(rows, path, row_group_size=group)
    return TableFile(name, path.stat().st_size, "1", indexed=True)


def sampled(root: Path, files: list[TableFile], columns: set[str], max_rows: int = 1_000) -> RowSample:
    return sample_rows(Location.parse(str(root)), files, columns, lambda done, total: None, max_rows=max_rows)


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
    sample = sampled(tmp_path, [file], {"n", "text", "real", "day", "place.lat", "absent"})
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
    counts = [int((sample.partitions == part).sum()) for part in (0, 1)]
    assert sample.files == 2 and sum(counts) == pytest.approx(400, abs=2)
    assert counts[1] == pytest.approx(3 * counts[0], rel=0.2)
    again = sampled(tmp_path, files, {"n"}, max_rows=400)
    assert values_of(again, "n") == values_of(sample, "n"), "each run takes the same rows"
    assert sample.share == pytest.approx(0.1, abs=0.001)


def test_of_many_files_some_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "MAX_FILES", 3)
    files = [written(tmp_path, f"f{part}.parquet", pa.table({"n": [part] * 10})) for part in range(9)]
    sample = sampled(tmp_path, files, {"n"})
    thirds = {
        code // 3 for code in range(9) if encode_value(HiveType("bigint"), code) in values_of(sample, "n")
    }
    assert sample.files == 3 and thirds == {0, 1, 2}, "one file of each third"


def test_files_that_cannot_be_read_or_have_another_type_are_left_out(tmp_path: Path) -> None:
    files = [
        written(tmp_path, "a.parquet", pa.table({"n": ["1"]})),
        TableFile("gone.parquet", 100, "1", indexed=True),
        written(tmp_path, "b.parquet", pa.table({"n": pa.array([1, 2])})),
    ]
    sample = sampled(tmp_path, files, {"n"})
    assert (sample.files, sample.rows) == (1, 2)


def test_a_table_without_readable_files_is_an_error(tmp_path: Path) -> None:
    file = written(tmp_path, "a.parquet", pa.table({"n": [1]}))
    for files, columns in (([file], {"other"}), ([TableFile("gone.parquet", 1, "1", indexed=True)], {"n"})):
        with pytest.raises(AdviceError, match="none can be read"):
            sampled(tmp_path, files, columns)
