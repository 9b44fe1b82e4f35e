"""Footers of many files at once, against each statistic of each file for itself."""

import math
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from decimal import Context, Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pycompiler.collect.errors import FooterError
from pycompiler.collect.footer import FooterReader, read_records
from pycompiler.collect.indexed_columns import IndexedColumnFinder
from pycompiler.collect.provenance import provenance
from pycompiler.collect.stored_type import StoredType
from pycompiler.index.options import IndexOptions
from pycompiler.index.records import (
    FILES,
    RECORD_SCHEMA,
    HoodieMetadataRecord,
    RecordFlag,
    from_table,
)
from pycompiler.values.encoding import encode_value, truncate_lower, truncate_upper
from pycompiler.values.types import ValueKind

from .samples import status

WRITER = f"parquet-cpp-arrow version {pa.__version__}"
WRITERS = [
    WRITER,
    *(
        text.ljust(len(WRITER), "_")
        for text in ("parquet-mr version 1.13.1 (", "parquet-mr version 1.8.1 (", "unknown version 1.0.0")
    ),
]
"""All of one length, so that one can be put in the place of the other."""
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
    return list(from_table(table.filter(pc.not_equal(table["kind"], FILES))))


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


def _write(folder: Path, number: int, table: pa.Table, options: dict[str, Any], writer: str) -> Path:
    path = folder / f"{number}.parquet"
    pq.write_table(table, path, **options)
    path.write_bytes(path.read_bytes().replace(WRITER.encode(), writer.encode()))
    assert pq.read_metadata(path).created_by == writer
    return path


@settings(max_examples=300, deadline=None)
@given(files=_files())
def test_many_files_have_the_records_of_each_file(
    tmp_path_factory: pytest.TempPathFactory, files: list[tuple[pa.Table, dict[str, Any], str]]
) -> None:
    folder = tmp_path_factory.mktemp("f")
    paths = [_write(folder, number, *file) for number, file in enumerate(files)]
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


def test_a_minimum_above_its_maximum_is_no_bound(tmp_path: Path) -> None:
    small, great = (struct.pack("<q", number) for number in (0x1122334455667788, 0x2122334455667788))
    table = pa.table({"c": [*struct.unpack("<qq", small + great), 5, 6], "d": [1, 2, 3, 4]})
    path = _write(tmp_path, 0, table, {"row_group_size": 2}, WRITER)
    content = path.read_bytes().replace(small, b"~" * 8).replace(great, small).replace(b"~" * 8, great)
    path.write_bytes(content)
    statistics = pq.read_metadata(path).row_group(0).column(0).statistics
    assert statistics.min_raw > statistics.max_raw, "the test has turned them round"
    wrong, right = by_key(together([path]))
    assert (wrong.lower, wrong.upper, wrong.null_count, wrong.flags) == (None, None, 0, RecordFlag.NONE)
    assert [wrong, right] == by_key(list(expected(path)))
    assert right.lower is not None


@pytest.mark.parametrize("content", [b"", b"PAR1", b"rubbish" * 100])
def test_a_missing_or_broken_file_does_not_affect_the_others(tmp_path: Path, content: bytes) -> None:
    path = _write(tmp_path, 0, pa.table({"c": [1]}), {}, WRITER)
    broken = tmp_path / "broken.parquet"
    broken.write_bytes(content)
    reader = FooterReader()
    with pytest.raises(FileNotFoundError):
        reader.add(status(tmp_path / "gone.parquet"))
    reader.add(status(path))
    with pytest.raises(FooterError, match="broken.parquet"):
        reader.add(status(broken))
    assert reader.take()["file_name"].to_pylist() == [path.name] * 2
