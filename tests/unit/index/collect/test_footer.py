"""From footers to records, on files that pyarrow writes. Files of Spark and Hudi are in tests/spark."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime
from decimal import Context, Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pycompiler.compile.values.encoding import (
    Value,
    decode_value,
    encode_value,
    truncate_lower,
    truncate_upper,
)
from pycompiler.compile.values.types import ValueKind
from pycompiler.index.collect.errors import FooterError
from pycompiler.index.collect.footer import FooterReader
from pycompiler.index.collect.indexed_columns import IndexedColumnFinder
from pycompiler.index.collect.provenance import provenance
from pycompiler.index.collect.stored_type import StoredType
from pycompiler.index.file_systems.factory import open_source
from pycompiler.index.options import IndexOptions
from pycompiler.index.records import (
    FILES,
    RECORD_SCHEMA,
    HoodieMetadataRecord,
    RecordFlag,
)
from tests.records import read_records, records_of

from .samples import status

WRITER = f"parquet-cpp-arrow version {pa.__version__}"
PARQUET_MR, OLD_PARQUET_MR, UNKNOWN = (
    text.ljust(len(WRITER), "_")
    for text in ("parquet-mr version 1.13.1 (", "parquet-mr version 1.8.1 (", "unknown version 1.0.0")
)
WRITERS = [WRITER, PARQUET_MR, OLD_PARQUET_MR, UNKNOWN]
"""All of the same length, so that one can replace another in a file."""
EVERY_COLUMN = IndexOptions()
FIRST_DAY = (date(1583, 1, 1) - date(1970, 1, 1)).days


def expected(path: Path) -> Iterator[HoodieMetadataRecord]:
    """The range of each column, as docs/inside/formats.md says it, from one value after the other."""
    metadata = pq.read_metadata(path)
    writer = provenance(metadata.created_by)
    groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
    for position, name, stored in IndexedColumnFinder(IndexOptions()).find(metadata.schema).columns:
        chunks = [(group.num_rows, group.column(position).statistics) for group in groups if group.num_rows]
        yield replace(
            _record(stored, writer.trusted_with(stored), chunks),
            column=name,
            file_name=path.name,
            file_size=path.stat().st_size,
            value_count=metadata.num_rows,
        )


def _record(stored: StoredType, trusted: bool, chunks: Sequence[tuple[int, Any]]) -> HoodieMetadataRecord:
    lowers: list[bytes | None] = []
    uppers: list[bytes | None] = []
    null_count: int | None = 0
    flags = RecordFlag.NONE
    for rows, statistics in chunks:
        nulls = statistics.null_count if statistics is not None and statistics.has_null_count else None
        null_count = None if nulls is None or null_count is None else null_count + nulls
        if nulls == rows:
            continue
        bounded = statistics is not None and statistics.has_min_max
        if nulls is None or not bounded:
            flags |= RecordFlag.STATISTICS_MISSING
        lower = _encoded(stored, statistics.min_raw) if bounded and trusted else None
        upper = _encoded(stored, statistics.max_raw) if bounded and trusted else None
        if lower is not None and upper is not None and lower > upper:
            lower = upper = None
        lowers.append(lower)
        uppers.append(upper)
    is_float = stored.hive_type.kind is ValueKind.FLOAT
    nan_free = None not in lowers and None not in uppers
    lower, upper = _widest(min, lowers), _widest(max, uppers)
    if is_float and not nan_free:
        lower = upper = None
    if stored.hive_type.kind is ValueKind.STRING:
        flags |= RecordFlag.LOWER_CUT if lower is not None and len(lower) > 64 else RecordFlag.NONE
        flags |= RecordFlag.UPPER_CUT if upper is not None and len(upper) > 64 else RecordFlag.NONE
        lower = None if lower is None else truncate_lower(lower)
        upper = None if upper is None else truncate_upper(upper)
    return HoodieMetadataRecord(
        "",
        stored.hive_type,
        "p",
        "",
        "id",
        "20260101000000000",
        0,
        0,
        lower,
        upper,
        null_count,
        0 if is_float and nan_free else None,
        flags,
    )


def _widest(widest: Callable[[list[bytes]], bytes], of_groups: list[bytes | None]) -> bytes | None:
    known = [bound for bound in of_groups if bound is not None]
    return widest(known) if known and len(known) == len(of_groups) else None


def _encoded(stored: StoredType, raw: Any) -> bytes | None:
    match stored.hive_type.kind:
        case ValueKind.FLOAT if math.isnan(raw):
            return None
        case ValueKind.DATE if raw < FIRST_DAY:
            return None
        case ValueKind.TIMESTAMP:
            raw *= stored.unit_micros
            if not FIRST_DAY * 86_400_000_000 <= raw < 1 << 63:
                return None
        case ValueKind.DECIMAL:
            unscaled = raw if isinstance(raw, int) else int.from_bytes(raw, "big", signed=True)
            digits = tuple(map(int, str(abs(unscaled))))
            raw = Decimal((int(unscaled < 0), digits, -(stored.hive_type.scale or 0)))
    return encode_value(stored.hive_type, raw)


def together(paths: Sequence[Path]) -> list[HoodieMetadataRecord]:
    reader = FooterReader()
    for path in paths:
        reader.add(status(path))
    rows = reader.rows
    table = reader.take()
    assert table.schema.equals(RECORD_SCHEMA) and table.num_rows == rows
    assert (reader.rows, reader.take().num_rows) == (0, 0), "rows are taken once"
    named = table.filter(pc.equal(table["kind"], FILES))
    assert named["file_name"].to_pylist() == [path.name for path in paths]
    assert named["value_count"].to_pylist() == [pq.read_metadata(path).num_rows for path in paths]
    assert named["file_size"].to_pylist() == [path.stat().st_size for path in paths]
    return records_of(table)


def by_key(records: Sequence[HoodieMetadataRecord]) -> list[HoodieMetadataRecord]:
    return sorted(records, key=lambda record: (record.file_name, record.column))


def _timestamps(unit: str) -> st.SearchStrategy[Any]:
    edges = [FIRST_DAY * 86_400 * (10**6 if unit == "us" else 1000), 2**63 - 1, -(2**63), (2**63 - 1) // 1000]
    return st.sampled_from([value + more for value in edges for more in (-1, 0, 1)]).filter(
        lambda value: -(2**63) <= value < 2**63
    ) | st.integers(-(2**63), 2**63 - 1)


_DOUBLES = st.sampled_from([0.0, -0.0, math.inf, -math.inf, math.nan, 5e-324]) | st.floats()
_TEXTS = st.sampled_from(
    [b"", b"\0", b"a", b"a\0", b"a\0\0", b"\xff" * 63, b"\xff" * 64, b"\xff" * 65, b"z" * 64, b"z" * 65]
) | st.binary(max_size=70)
_DAYS = st.integers(FIRST_DAY - 1, FIRST_DAY + 1) | st.integers(-(2**31), 2**31 - 1)


def _unscaled(precision: int, scale: int) -> st.SearchStrategy[Any]:
    most = 10**precision - 1
    return st.integers(-most, most).map(lambda number: Decimal(number).scaleb(-scale, _EXACT))


_EXACT = Context(prec=76)
_TYPES: dict[str, tuple[pa.DataType, st.SearchStrategy[Any]]] = {
    "bool": (pa.bool_(), st.booleans()),
    "tiny": (pa.int8(), st.integers(-128, 127)),
    "int": (pa.int32(), st.integers(-(2**31), 2**31 - 1)),
    "big": (pa.int64(), st.sampled_from([-(2**63), 2**63 - 1, -1, 0]) | st.integers(-(2**63), 2**63 - 1)),
    "float": (pa.float32(), st.sampled_from([math.nan, -0.0]) | st.floats(width=32)),
    "double": (pa.float64(), _DOUBLES),
    "text": (pa.binary(), _TEXTS),
    "raw": (pa.binary(), _TEXTS),
    "day": (pa.int32(), _DAYS),
    "us": (pa.timestamp("us"), _timestamps("us")),
    "ms": (pa.timestamp("ms"), _timestamps("ms")),
    "ns": (pa.timestamp("ns"), st.integers(-(2**63), 2**63 - 1)),
    "dec9": (pa.decimal128(9, 2), _unscaled(9, 2)),
    "dec38": (pa.decimal128(38, 38), _unscaled(38, 38)),
}


@st.composite
def _tables(draw: st.DrawFn) -> pa.Table:
    names = draw(st.lists(st.sampled_from(sorted(_TYPES)), min_size=1, max_size=5, unique=True))
    rows = draw(st.integers(0, 6))
    arrays = {}
    for name in names:
        arrow_type, values = _TYPES[name]
        # Often NULLs only, so that row groups of them are there.
        value = draw(st.sampled_from([st.none(), st.none() | values, values]))
        array = pa.array(draw(st.lists(value, min_size=rows, max_size=rows)), arrow_type)
        if name == "text":
            array = array.cast(pa.string(), safe=False)
        arrays[name] = array.cast(pa.date32()) if name == "day" else array
    nested = draw(st.booleans())
    table = pa.table(arrays)
    if nested and rows:
        mask = pa.array(draw(st.lists(st.booleans(), min_size=rows, max_size=rows)))
        fields = [column.combine_chunks() for column in table.columns]
        struct = pa.StructArray.from_arrays(fields, names, mask=mask)
        return pa.table({draw(st.sampled_from(["s", "t"])): struct})
    return table


@st.composite
def _files(draw: st.DrawFn) -> list[tuple[pa.Table, dict[str, Any], str]]:
    """Tables, some of them twice so that schemas come again, how they are written, and by whom allegedly."""
    tables = draw(st.lists(_tables(), min_size=1, max_size=4))
    drawn = draw(st.lists(st.sampled_from(tables), min_size=1, max_size=6))
    return [
        (
            table,
            {
                "row_group_size": draw(st.integers(1, 4)),
                "write_statistics": draw(st.sampled_from([True, True, True, False, table.column_names[:1]])),
                "store_decimal_as_integer": draw(st.booleans()),
            },
            draw(st.sampled_from(WRITERS)),
        )
        for table in drawn
    ]


def _write(folder: Path, columns: Any, *, name: str = "f", writer: str = WRITER, **options: Any) -> Path:
    path = folder / f"{name}.parquet"
    pq.write_table(pa.table(columns), path, **options)
    path.write_bytes(path.read_bytes().replace(WRITER.encode(), writer.encode()))
    assert pq.read_metadata(path).created_by == writer
    return path


@pytest.mark.full
@settings(max_examples=300, deadline=None)
@given(files=_files())
def test_many_files_have_the_records_of_each_file(
    tmp_path_factory: pytest.TempPathFactory, files: list[tuple[pa.Table, dict[str, Any], str]]
) -> None:
    folder = tmp_path_factory.mktemp("f")
    paths = [
        _write(folder, table, name=str(number), writer=writer, **options)
        for number, (table, options, writer) in enumerate(files)
    ]
    found = by_key(together(paths))
    assert found == by_key([record for path in paths for record in expected(path)])
    assert found == by_key([record for path in paths for record in read_records(status(path))])


def test_columns_with_the_same_name_in_different_structs_are_kept_apart(tmp_path: Path) -> None:
    paths = []
    for number, name in enumerate(["s", "t", "s", None]):
        x = pa.field("x", pa.int64(), nullable=False)
        array = pa.array([number])
        if name is not None:
            array = pa.StructArray.from_arrays([array], fields=[x])
            x = pa.field(name, array.type, nullable=False)
        paths.append(tmp_path / f"{number}.parquet")
        pq.write_table(pa.Table.from_arrays([array], schema=pa.schema([x])), paths[-1])
    first, second, *_ = (pq.read_metadata(path).schema for path in paths)
    assert first.equals(second), "pyarrow does not tell them apart, which is what this is about"
    assert [record.column for record in by_key(together(paths))] == ["s.x", "t.x", "s.x", "x"]


@pytest.mark.parametrize("content", [b"", b"PAR1", b"rubbish" * 100])
def test_a_missing_or_broken_file_does_not_affect_the_others(tmp_path: Path, content: bytes) -> None:
    path = _write(tmp_path, {"c": [1]})
    broken = tmp_path / "broken.parquet"
    broken.write_bytes(content)
    reader = FooterReader()
    with pytest.raises(FileNotFoundError):
        reader.add(status(tmp_path / "gone.parquet"))
    reader.add(status(path))
    with pytest.raises(FooterError, match="broken.parquet"):
        reader.add(status(broken))
    assert reader.take()["file_name"].to_pylist() == [path.name] * 2


def _records(path: Path, options: IndexOptions = EVERY_COLUMN) -> dict[str, HoodieMetadataRecord]:
    return {record.column: record for record in read_records(status(path), options)}


def _bounds(record: HoodieMetadataRecord) -> tuple[Value | None, Value | None]:
    lower, upper = (
        None if bound is None else decode_value(record.type, bound) for bound in (record.lower, record.upper)
    )
    return lower, upper


@pytest.mark.parametrize(
    ("array", "hive_type", "lower", "upper"),
    [
        (pa.array([-32768, 32767, 0, None], pa.int16()), "smallint", -32768, 32767),
        # UTF-8 and UTF-16 disagree: U+FFFF is above an emoji in UTF-16 code units and below it in bytes.
        (pa.array(["\uffff", "😀", None, "a"], pa.string()), "string", "a", "😀"),
        (pa.array([date(1582, 12, 31), date(2021, 3, 4), None, None]), "date", None, date(2021, 3, 4)),
        # Hive reads 4713 BC as AD 4713.
        (
            pa.array([-2440588, 0, None, None], pa.int32()).cast(pa.date32()),
            "date",
            None,
            None,
        ),
        (pa.array([b"a", b"b", None, None], pa.binary()), "binary", None, None),
        (pa.array([1.0, 2.0, None, 3.0], pa.float64()), "double", None, None),
        (pa.array([1.0, 2.0, None, 3.0], pa.float32()), "float", None, None),
    ],
    ids=str,
)
def test_types_and_bounds(
    tmp_path: Path, array: pa.Array, hive_type: str, lower: Value | None, upper: Value | None
) -> None:
    record = _records(_write(tmp_path, {"c": array}, row_group_size=2))["c"]
    assert str(record.type) == hive_type
    assert _bounds(record) == (lower, upper)
    assert (record.null_count, record.value_count) == (array.null_count, 4)
    assert record.flags is RecordFlag.NONE


@pytest.mark.parametrize("unit", ["us", "ms", "s"])
def test_timestamps_are_microseconds_whatever_their_unit(tmp_path: Path, unit: str) -> None:
    values = [datetime(1969, 12, 31, 23, 59, 59), datetime(2021, 3, 4, 5, 6, 7), None]
    record = _records(_write(tmp_path, {"c": pa.array(values, pa.timestamp(unit))}))["c"]
    recorded = "timestamp_from_micros" if unit == "us" else "timestamp_from_millis"
    assert (str(record.type), _bounds(record)) == (recorded, (values[0], values[1]))


def test_nanoseconds_and_int96_have_no_bounds(tmp_path: Path) -> None:
    values = pa.array([datetime(2021, 3, 4), None], pa.timestamp("us"))
    nanos = _records(_write(tmp_path, {"c": values.cast(pa.timestamp("ns"))}))["c"]
    int96 = _records(_write(tmp_path, {"c": values}, use_deprecated_int96_timestamps=True))["c"]
    for record in (nanos, int96):
        assert (str(record.type), _bounds(record)) == ("timestamp", (None, None))
    assert (nanos.null_count, int96.null_count) == (1, None), "pyarrow returns no statistics of INT96 at all"


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


def test_a_statistic_missing_in_one_row_group_is_missing_for_the_file(tmp_path: Path) -> None:
    values = ["a", "b", "x" * 5000, "c", "d", "e"]  # Above 4 KB a writer leaves statistics out.
    record = _records(_write(tmp_path, {"c": pa.array(values)}, row_group_size=2))["c"]
    assert (record.lower, record.upper) == (None, None)
    assert RecordFlag.STATISTICS_MISSING in record.flags


def test_floats_need_a_writer_that_makes_nan_the_maximum(tmp_path: Path) -> None:
    columns = {"d": pa.array([1.5, -0.0, None]), "f": pa.array([1.5, -2.5, None], pa.float32())}
    found = _records(_write(tmp_path, columns))
    assert [found[name].nan_count for name in "df"] == [None, None], "pyarrow leaves NaN out of bounds"
    records = _records(_write(tmp_path, columns, writer=PARQUET_MR))
    assert (_bounds(records["d"]), records["d"].nan_count) == ((0.0, 1.5), 0)
    assert (_bounds(records["f"]), records["f"].nan_count) == ((-2.5, 1.5), 0)


def test_an_unknown_writer_has_bounds_of_numbers_only(tmp_path: Path) -> None:
    columns = {
        "s": pa.array(["a", "é"]),
        "n": pa.array([1, 2]),
        "d": pa.array([Decimal("1.5"), Decimal("-2.5")]),
    }
    records = _records(_write(tmp_path, columns, writer=WRITER.replace("cpp", "xyz")))
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
