"""From footers to records, on files that pyarrow writes. Files of Spark and Hudi are in tests/spark."""

from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pycompiler.collect.footer import read_records
from pycompiler.index.file_systems.factory import open_source
from pycompiler.index.options import IndexOptions
from pycompiler.index.records import HoodieMetadataRecord, RecordFlag
from pycompiler.values.encoding import Value, decode_value

from .samples import status

EVERYTHING = IndexOptions()
PYARROW = f"parquet-cpp-arrow version {pa.__version__}".encode()


def _records(path: Path, options: IndexOptions = EVERYTHING) -> dict[str, HoodieMetadataRecord]:
    return {record.column: record for record in read_records(status(path), options)}


def _write(folder: Path, columns: dict[str, pa.Array], *, rows: int = 3, **options: Any) -> Path:
    path = folder / "f.parquet"
    pq.write_table(pa.table(columns), path, row_group_size=rows, **options)
    return path


def _pretend(path: Path, created_by: str) -> None:
    """Puts another writer's name into the footer; it has to be of the same length."""
    name = created_by.encode()
    assert len(name) == len(PYARROW), (len(name), len(PYARROW))
    content = path.read_bytes()
    assert content.count(PYARROW) == 1
    path.write_bytes(content.replace(PYARROW, name))


def _bounds(record: HoodieMetadataRecord) -> tuple[Value | None, Value | None]:
    lower, upper = (
        None if bound is None else decode_value(record.type, bound) for bound in (record.lower, record.upper)
    )
    return lower, upper


@pytest.mark.parametrize(
    ("array", "hive_type", "lower", "upper"),
    [
        (pa.array([True, False, None, True], pa.bool_()), "boolean", False, True),
        (pa.array([-128, 127, 0, None], pa.int8()), "tinyint", -128, 127),
        (pa.array([-32768, 32767, 0, None], pa.int16()), "smallint", -32768, 32767),
        (pa.array([-(2**31), 2**31 - 1, 0, None], pa.int32()), "int", -(2**31), 2**31 - 1),
        (pa.array([-(2**63), 2**63 - 1, 0, None], pa.int64()), "bigint", -(2**63), 2**63 - 1),
        (pa.array(["b", "", "é", None], pa.string()), "string", "", "é"),
        # UTF-8 and UTF-16 disagree: U+FFFF is above an emoji in UTF-16 code units and below it in bytes.
        (pa.array(["\uffff", "😀", None, "a"], pa.string()), "string", "a", "😀"),
        (
            pa.array([date(2021, 3, 4), date(1583, 1, 1), None, None]),
            "date",
            date(1583, 1, 1),
            date(2021, 3, 4),
        ),
        (pa.array([date(1582, 12, 31), date(2021, 3, 4), None, None]), "date", None, date(2021, 3, 4)),
        (pa.array([date(1500, 1, 1), date(1582, 12, 31), None, None]), "date", None, None),
        (pa.array([b"a", b"b", None, None], pa.binary()), "binary", None, None),
        (pa.array([1.0, 2.0, None, 3.0], pa.float64()), "double", None, None),
        (pa.array([1.0, 2.0, None, 3.0], pa.float32()), "float", None, None),
    ],
    ids=str,
)
def test_types_and_bounds(
    tmp_path: Path, array: pa.Array, hive_type: str, lower: Value | None, upper: Value | None
) -> None:
    record = _records(_write(tmp_path, {"c": array}, rows=2))["c"]
    assert str(record.type) == hive_type
    assert _bounds(record) == (lower, upper)
    assert (record.null_count, record.value_count) == (array.null_count, 4)
    assert record.flags is RecordFlag.NONE


@pytest.mark.parametrize("unit", ["us", "ms", "s"])
def test_timestamps_are_microseconds_whatever_their_unit(tmp_path: Path, unit: str) -> None:
    values = [datetime(1969, 12, 31, 23, 59, 59), datetime(2021, 3, 4, 5, 6, 7), None]
    record = _records(_write(tmp_path, {"c": pa.array(values, pa.timestamp(unit))}))["c"]
    assert (str(record.type), _bounds(record)) == ("timestamp", (values[0], values[1]))


def test_milliseconds_beyond_64_bits_of_microseconds_are_no_bound(tmp_path: Path) -> None:
    array = pa.array([0, 2**63 - 1], pa.timestamp("ms"))
    assert _bounds(_records(_write(tmp_path, {"c": array}))["c"]) == (datetime(1970, 1, 1), None)


def test_nanoseconds_int96_and_old_timestamps_have_no_bounds(tmp_path: Path) -> None:
    values = pa.array([datetime(2021, 3, 4), None], pa.timestamp("us"))
    old = pa.array([datetime(1500, 1, 1), None], pa.timestamp("us"))
    nanos = _records(_write(tmp_path, {"n": values.cast(pa.timestamp("ns")), "o": old}))
    int96 = _records(_write(tmp_path, {"c": values}, use_deprecated_int96_timestamps=True))
    for record in (nanos["n"], nanos["o"], int96["c"]):
        assert (str(record.type), _bounds(record)) == ("timestamp", (None, None))
    assert (nanos["n"].null_count, nanos["o"].null_count) == (1, 1)
    assert int96["c"].null_count is None, "pyarrow hands out no statistics of INT96 at all"


@pytest.mark.parametrize("as_integer", [False, True])
@pytest.mark.parametrize(("precision", "scale"), [(9, 2), (18, 6), (38, 10), (38, 38), (1, 0)])
def test_decimals_of_every_physical_type_are_exact(
    tmp_path: Path, precision: int, scale: int, as_integer: bool
) -> None:
    largest = Decimal((0, (9,) * precision, -scale))
    smallest = Decimal((1, (9,) * precision, -scale))
    array = pa.array([largest, Decimal(0), smallest, None], pa.decimal128(precision, scale))
    record = _records(_write(tmp_path, {"c": array}, store_decimal_as_integer=as_integer))["c"]
    assert str(record.type) == f"decimal({precision},{scale})"
    assert _bounds(record) == (smallest, largest)


def test_types_that_hive_reads_differently_have_no_records(tmp_path: Path) -> None:
    columns = {
        "u8": pa.array([200], pa.uint8()),
        "u32": pa.array([2**31], pa.uint32()),
        "u64": pa.array([2**63], pa.uint64()),
        "time": pa.array([1], pa.time64("us")),
        "half": pa.array([1.0], pa.float16()),
        "fixed": pa.array([b"ab"], pa.binary(2)),
        "wide": pa.array([Decimal(1)], pa.decimal256(50, 0)),
        "i": pa.array([1], pa.int32()),
    }
    assert set(_records(_write(tmp_path, columns))) == {"i"}


def test_struct_fields_have_records_and_lists_and_maps_have_none(tmp_path: Path) -> None:
    inner = pa.struct(
        [("X", pa.int32()), ("l", pa.list_(pa.int32())), ("deep", pa.struct([("y", pa.string())]))]
    )
    columns = {
        "before": pa.array([1, 2, 3]),
        "l": pa.array([[1], [], None], pa.list_(pa.int64())),
        "m": pa.array([[("k", 1)], [], None], pa.map_(pa.string(), pa.int32())),
        "ls": pa.array([[{"a": 1}], None, []], pa.list_(pa.struct([("a", pa.int32())]))),
        "S": pa.array(
            [{"X": 5, "l": [1], "deep": {"y": "q"}}, None, {"X": None, "l": None, "deep": None}], inner
        ),
        "after": pa.array([7, 8, 9]),
    }
    records = _records(_write(tmp_path, columns))
    assert set(records) == {"before", "s.x", "s.deep.y", "after"}
    assert _bounds(records["after"]) == (7, 9), "positions must not shift behind nested columns"
    assert (_bounds(records["s.x"]), records["s.x"].null_count) == ((5, 5), 2), (
        "a NULL struct has NULL fields"
    )
    assert (_bounds(records["s.deep.y"]), records["s.deep.y"].null_count) == (("q", "q"), 2)


def test_ambiguous_names_have_no_records(tmp_path: Path) -> None:
    columns = {
        "a": pa.array([1]),
        "A": pa.array([100]),
        "s.x": pa.array([200]),
        "s": pa.array([{"x": 5, "b": 1, "B": 2}]),
        "T": pa.array([{"x": 1}]),
        "t": pa.array([{"z": 2}]),
        "Fine": pa.array([3]),
    }
    records = _records(_write(tmp_path, columns))
    assert set(records) == {"s.x", "fine"}
    assert _bounds(records["s.x"]) == (5, 5), (
        "of the struct's field, not of the column with a dot in its name"
    )


def test_options_choose_columns(tmp_path: Path) -> None:
    columns = {"A": pa.array([1]), "b": pa.array([1]), "s": pa.array([{"x": 1, "y": 1}]), "sx": pa.array([1])}
    path = _write(tmp_path, columns)
    for kinds, expected in (
        ({"*": "none"}, set()),
        ({"*": "none", "a": "range", "S": "range"}, {"a", "s.x", "s.y"}),
        ({"A": "none", "s.y": "none"}, {"b", "s.x", "sx"}),
        ({"*": "none", "s": "range", "s.x": "none"}, {"s.y"}),
    ):
        assert set(_records(path, IndexOptions(kinds))) == expected, kinds


def test_long_strings_are_cut_to_bounds(tmp_path: Path) -> None:
    record = _records(_write(tmp_path, {"c": pa.array(["a" * 100, "z" * 100, "m"])}))["c"]
    assert (record.lower, record.upper) == (b"a" * 64, b"z" * 63 + b"{")
    assert record.flags == RecordFlag.LOWER_CUT | RecordFlag.UPPER_CUT


def test_an_upper_bound_that_cannot_be_rounded_up_is_absent(tmp_path: Path) -> None:
    path = _write(tmp_path, {"c": pa.array([b"\xff" * 70, b"a"], pa.binary()).cast(pa.string(), safe=False)})
    record = _records(path)["c"]
    assert (record.lower, record.upper, record.flags) == (b"a", None, RecordFlag.UPPER_CUT)


def test_a_statistic_missing_in_one_row_group_is_missing_for_the_file(tmp_path: Path) -> None:
    values = ["a", "b", "x" * 5000, "c", "d", "e"]  # Above 4 KB a writer leaves statistics out.
    record = _records(_write(tmp_path, {"c": pa.array(values)}, rows=2))["c"]
    assert (record.lower, record.upper) == (None, None)
    assert RecordFlag.STATISTICS_MISSING in record.flags


def test_a_row_group_of_nulls_keeps_the_bounds(tmp_path: Path) -> None:
    array = pa.array([None, None, 5, 7, None, 6], pa.int64())
    record = _records(_write(tmp_path, {"c": array}, rows=2))["c"]
    assert (_bounds(record), record.null_count, record.flags) == ((5, 7), 3, RecordFlag.NONE)


@pytest.mark.parametrize("kind", [pa.int32(), pa.string(), pa.float64(), pa.decimal128(10, 2), pa.date32()])
def test_a_column_of_nulls_is_known_to_be_all_null(tmp_path: Path, kind: pa.DataType) -> None:
    record = _records(_write(tmp_path, {"c": pa.array([None] * 4, kind)}, rows=2))["c"]
    assert (record.lower, record.upper, record.flags) == (None, None, RecordFlag.NONE)
    assert record.statistics().all_null


def test_files_without_statistics_have_counts_of_rows_only(tmp_path: Path) -> None:
    record = _records(_write(tmp_path, {"c": pa.array([1, 2, None])}, write_statistics=False))["c"]
    assert (record.lower, record.upper, record.null_count, record.value_count) == (None, None, None, 3)
    assert record.flags == RecordFlag.STATISTICS_MISSING


def test_floats_need_a_writer_that_makes_nan_the_maximum(tmp_path: Path) -> None:
    columns = {"d": pa.array([1.5, -0.0, None]), "f": pa.array([1.5, -2.5, None], pa.float32())}
    path = _write(tmp_path, columns)
    assert [_records(path)[name].nan_count for name in "df"] == [None, None], (
        "pyarrow leaves NaN out of bounds"
    )
    _pretend(path, "parquet-mr version 1.13.1 (build".ljust(len(PYARROW)))
    records = _records(path)
    assert (_bounds(records["d"]), records["d"].nan_count) == ((0.0, 1.5), 0)
    assert (_bounds(records["f"]), records["f"].nan_count) == ((-2.5, 1.5), 0)


def test_an_unknown_writer_has_bounds_of_numbers_only(tmp_path: Path) -> None:
    columns = {
        "s": pa.array(["a", "é"]),
        "n": pa.array([1, 2]),
        "d": pa.array([Decimal("1.5"), Decimal("-2.5")]),
    }
    path = _write(tmp_path, columns)
    _pretend(path, "parquet-xyz-arrow" + PYARROW.decode().removeprefix("parquet-cpp-arrow"))
    records = _records(path)
    assert _bounds(records["s"]) == (None, None) == _bounds(records["d"])
    assert _bounds(records["n"]) == (1, 2)
    assert records["s"].null_count == 0


def test_paths_are_read_in_hadoops_notation(tmp_path: Path) -> None:
    folder = tmp_path / "day=2021-01-01 00%3A00"
    folder.mkdir()
    path = _write(folder, {"c": pa.array([1])})
    for text in (str(path), f"file:{path}", f"file://{path}"):
        with open_source(text) as source:
            assert source.read() == path.read_bytes(), text
