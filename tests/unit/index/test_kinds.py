"""Bloom filters and value sets: of real files, denying no value of them; and which column gets them."""

import math
import re
from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pycompiler import plugins
from pycompiler.compile.expression.bloom import BloomFilter
from pycompiler.compile.expression.content import Content
from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.types import ValueKind, read_by_default
from pycompiler.index.choices import added_to, given_up
from pycompiler.index.collect.footer import values_of
from pycompiler.index.kinds import Bloom, DistinctValues, IndexKind, denied_by, index_kind, index_kinds
from pycompiler.index.options import IndexOptions, IndexOptionsError, parse_assignments
from pycompiler.index.records import HoodieMetadataRecord
from pycompiler.index.value_set import parse_values, serialize_values
from tests.records import read_records
from tests.unit.index.collect.samples import status

ALL_KINDS = IndexOptions({"*": ["range", "bloom(fpp=0.001)", "values(max=100)"]})


def _records(path: Path, options: IndexOptions = ALL_KINDS) -> dict[tuple[str, str], HoodieMetadataRecord]:
    return {(record.kind, record.column): record for record in read_records(status(path), options)}


def _write(folder: Path, columns: dict[str, pa.Array], **options: Any) -> Path:
    path = folder / "f.parquet"
    pq.write_table(pa.table(columns), path, **{"row_group_size": 2, **options})
    return path


COLUMNS: dict[str, tuple[pa.DataType, st.SearchStrategy[Any]]] = {
    "boolean": (pa.bool_(), st.booleans()),
    "tinyint": (pa.int8(), st.integers(-128, 127)),
    "int": (pa.int32(), st.integers(-(2**31), 2**31 - 1)),
    "bigint": (pa.int64(), st.integers(-(2**63), 2**63 - 1)),
    "float": (pa.float32(), st.floats(width=32)),
    "double": (pa.float64(), st.floats()),
    "string": (pa.string(), st.text(alphabet="aé\uffff😀", max_size=200)),
    "date": (pa.date32(), st.dates(date(1583, 1, 1))),
    "timestamp": (pa.timestamp("us"), st.datetimes(datetime(1583, 1, 1))),
    "decimal(20,3)": (
        pa.decimal128(20, 3),
        st.decimals(-(10**16), 10**16, places=3, allow_nan=False, allow_infinity=False),
    ),
    # More digits than Python's decimals keep by default.
    "decimal(38,0)": (pa.decimal128(38, 0), st.integers(1 - 10**38, 10**38 - 1).map(Decimal)),
}


@pytest.mark.parametrize("hive_type", COLUMNS)
@pytest.mark.parametrize("dictionary", [True, False], ids=["dictionary", "plain"])
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_kind_excludes_a_value_and_bounds_and_sets_are_exact(
    tmp_path: Path, hive_type: str, dictionary: bool, data: st.DataObject
) -> None:
    arrow_type, values = COLUMNS[hive_type]
    drawn = data.draw(st.lists(st.none() | values, max_size=12))
    array = pa.array(drawn, arrow_type)
    found = _records(_write(tmp_path, {"c": array}, use_dictionary=dictionary))
    known = [value for value in array.to_pylist() if value is not None and value == value]
    bounds = found["range", "c"]
    encoded = {encode_value(bounds.type, value) for value in known}
    assert bounds.null_count == array.null_count
    assert bounds.lower is None or bounds.lower <= min(encoded)
    assert bounds.upper is None or bounds.upper >= max(encoded)
    if encoded and not bounds.flags and bounds.type.kind is not ValueKind.FLOAT:
        assert (bounds.lower, bounds.upper) == (min(encoded), max(encoded)), "uncut bounds are reached"
    bloom, content = found["bloom", "c"].content, found["values", "c"].content
    assert bloom is not None and content is not None
    assert str(read_by_default(found["values", "c"].type)) == hive_type
    assert parse_values(content) == tuple(sorted(encoded)), f"the values of {drawn}"
    assert all(map(BloomFilter(bloom).might_contain, encoded)), f"a value of {drawn} is denied"


@pytest.mark.parametrize(
    "array",
    [
        pa.array([date(1582, 12, 31), date(2021, 1, 1)]),
        pa.array([datetime(1500, 1, 1), datetime(2021, 1, 1)], pa.timestamp("us")),
        pa.array([0, 2**63 - 1], pa.timestamp("ms")),
        pa.array([1, 2], pa.timestamp("ns")),
        pa.array([b"a", b"b"], pa.binary()),
    ],
    ids=["old date", "old timestamp", "far future", "nanoseconds", "binary"],
)
def test_a_column_with_an_untrusted_value_has_only_a_range(tmp_path: Path, array: pa.Array) -> None:
    assert list(_records(_write(tmp_path, {"c": array}))) == [("range", "c")]


def test_int96_has_only_a_range(tmp_path: Path) -> None:
    array = pa.array([datetime(2021, 1, 1), None], pa.timestamp("us"))
    path = _write(tmp_path, {"c": array}, use_deprecated_int96_timestamps=True)
    assert list(_records(path)) == [("range", "c")]


def test_arrow_types_are_read_as_stored(tmp_path: Path) -> None:
    """pyarrow notes its types in a file and reads them back: the values have to be the stored ones."""
    found = _records(
        _write(
            tmp_path,
            {
                "category": pa.array(["a", "b", "a"]).dictionary_encode(),
                "large": pa.array(["a", "b", None], pa.large_string()),
                "seconds": pa.array([0, 1, None], pa.timestamp("s", "Europe/Berlin")),
                "duration": pa.array([1, 2, None], pa.duration("us")),
                "nan": pa.array([math.nan, -0.0, 0.0]),
            },
        )
    )
    values = {
        column: parse_values(record.content or b"")
        for (kind, column), record in found.items()
        if kind == "values"
    }
    for column in ("category", "large"):
        assert values[column] == (b"a", b"b")
    assert values["seconds"] == tuple(encode_value(found["values", "seconds"].type, n) for n in (0, 10**6))
    assert values["duration"] == tuple(encode_value(found["values", "duration"].type, n) for n in (1, 2))
    assert values["nan"] == (encode_value(found["values", "nan"].type, 0.0),), (
        "zeros are one value, NaN is none"
    )


def test_fields_of_structs_are_null_where_the_struct_is(tmp_path: Path) -> None:
    struct = pa.array([{"In": {"x": 1}}, None, {"In": None}, {"In": {"x": 2}}])
    found = _records(_write(tmp_path, {"St": struct, "St2": struct}))
    content = found["values", "st.in.x"].content
    assert content is not None and parse_values(content) == (
        encode_value(found["values", "st.in.x"].type, 1),
        encode_value(found["values", "st.in.x"].type, 2),
    )


def test_more_values_than_the_limit_make_no_set(tmp_path: Path) -> None:
    path = _write(tmp_path, {"c": pa.array(range(100)), "d": pa.array(range(100)).cast(pa.float64())})
    for limit, expected in ((100, {"range", "values"}), (99, {"range"})):
        options = IndexOptions({"*": f"values(max={limit})"})
        assert {kind for kind, _ in _records(path, options)} == expected, f"at most {limit}"


def test_zeros_of_both_signs_count_as_one_value(tmp_path: Path) -> None:
    path = _write(tmp_path, {"c": pa.array([0.0, -0.0, 1.0])})
    assert ("values", "c") in _records(path, IndexOptions({"c": "values(max=2)"}))


def test_the_longest_matching_name_selects_a_columns_kinds() -> None:
    of_structs = {"St": "values", "st.y": "none", "st.z.a": "range"}
    options = IndexOptions({"*": "range", "tail_num": ["range", "bloom(fpp=0.05)"], **of_structs})
    expected = {
        "other": [],
        "tail_num": ["bloom"],
        "st.x": ["values"],
        "st.y": None,
        "st.y.deep": None,
        "st.z": ["values"],
        "st.z.a": [],
        "stx": [],
    }
    for column, names in expected.items():
        kinds = options.kinds_of(column)
        assert (None if kinds is None else [kind.name for kind in kinds]) == names, column


def test_kinds_are_read_from_assignments() -> None:
    read = parse_assignments(["tail_num=range,bloom(fpp=0.01)", "*=none"])
    assert read == {"tail_num": "range,bloom(fpp=0.01)", "*": "none"}
    options = IndexOptions(read)
    assert options.kinds_of("other") is None and options.kinds_of("tail_num")


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("blom", "unknown kind of index record: 'blom'; known kinds: bloom, "),
        ("range(x=1)", "unknown kind of index record: 'range(x=1)'"),
        ("bloom(fpp=2)", "'bloom(fpp=2)' is invalid: fpp must be a number between 0 and 1, not 2.0"),
        ("bloom(fpp=x)", "'bloom(fpp=x)' is invalid: fpp must be a number between 0 and 1, not x"),
        ("bloom(max=3)", "'bloom(max=3)' is invalid: bloom takes fpp"),
        ("values(max=0)", "'values(max=0)' is invalid: max must be a whole number from 1 on, not 0"),
        ("values(max=x)", "'values(max=x)' is invalid: max must be a whole number from 1 on, not x"),
        ("", "not a kind of index record: ''"),
        ("bloom,bloom", "a kind is listed twice"),
    ],
)
def test_an_invalid_kind_is_refused(spec: str, reason: str) -> None:
    with pytest.raises(IndexOptionsError, match=re.escape(reason)):
        IndexOptions({"c": spec})


@pytest.mark.parametrize(
    ("spec", "files", "least", "most"),
    [("bloom", 10, 0, 1), ("bloom", 1_000, 0, 1), ("bloom(fpp=0.01)", 10_000, 60, 140)],
)
def test_lookups_in_a_bloom_filter_read_few_files_needlessly(
    tmp_path: Path, spec: str, files: int, least: int, most: int
) -> None:
    path = _write(tmp_path, {"v": pa.array([f"value {number}" for number in range(2_000)])})
    content = _records(path, IndexOptions({"v": spec}).sized(files))["bloom", "v"].content
    assert content is not None
    bloom, asked = BloomFilter(content), 20_000
    found = sum(bloom.might_contain(b"%d" % number) for number in range(asked))
    assert least <= files * found / asked < most, f"of {files} files with these values"


def test_the_filters_of_a_larger_table_are_larger() -> None:
    rates = [Bloom().sized(files).fpp for files in (10, 1_000, 20_000)]
    assert rates == [0.0005, 0.0005, 0.000025]


class Least(IndexKind):
    """A kind of another package: the least value, with a prefix."""

    name = "least"

    def __init__(self, prefix: str = "") -> None:
        self._prefix = prefix.encode()

    def content(self, values: DistinctValues) -> bytes | None:
        return self._prefix + values.encoded()[0]

    def denies(self, content: bytes, values: DistinctValues) -> bool:
        return content != self._prefix + values.encoded()[0]

    def read(self, content: bytes) -> Content:
        return Content()


class Pairs(IndexKind):
    """A kind over two columns: their rows as text."""

    name = "pairs"
    column_count = 2

    def content(self, values: DistinctValues) -> bytes | None:
        return repr(sorted(values.rows())).encode()

    def denies(self, content: bytes, values: DistinctValues) -> bool:
        return content != self.content(values)

    def read(self, content: bytes) -> Content:
        return Content()


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Kinds that packages offer, one of which is broken, one no kind, and one named like a built-in kind."""
    points = [
        EntryPoint(name, value, plugins.INDEX_KINDS)
        for name, value in {
            "least": f"{__name__}:Least",
            "pairs": f"{__name__}:Pairs",
            "octets": "tests.contents:Octets",
            "broken": "no.such.module:Kind",
            "path": "pathlib:Path",
            "bloom": f"{__name__}:Least",
        }.items()
    ]
    monkeypatch.setattr(plugins, "entry_points", lambda group: points if group == plugins.INDEX_KINDS else [])
    index_kinds.cache_clear()
    index_kind.cache_clear()
    yield
    index_kinds.cache_clear()
    index_kind.cache_clear()


@pytest.mark.usefixtures("offered")
def test_a_kind_of_another_package_is_one_class_under_an_entry_point(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = _write(tmp_path, {"c": pa.array(["b", "a"])})
    found = _records(path, IndexOptions({"c": "least(prefix=x),bloom"}))
    assert found["least", "c"].content == b"xa"
    content = found["bloom", "c"].content
    assert content is not None and BloomFilter(content).might_contain(b"a"), "built-in names stay built in"
    for name in ("broken", "path"):
        assert name in caplog.text
        with pytest.raises(IndexOptionsError, match="least"):
            IndexOptions({"c": name})


@pytest.mark.usefixtures("offered")
def test_records_of_two_columns_cover_rows_with_both_values(tmp_path: Path) -> None:
    nan = math.nan
    path = _write(
        tmp_path,
        {
            "Lat": pa.array([1.0, 2.0, None, nan, 1.0, 5.0]),
            "at": pa.array([{"lon": 10}, {"lon": 20}, {"lon": 30}, {"lon": 40}, {"lon": 10}, None]),
        },
    )
    found = _records(path, IndexOptions({"lat, At.lon": "pairs", "at.lon,lat": "pairs"}))
    record = found["pairs", "lat,at.lon"]
    assert record.content == b"[(1.0, 10), (2.0, 20)]"
    assert str(record.type) == "struct<lat:double,at.lon:bigint>"
    assert found["pairs", "at.lon,lat"].content == b"[(10, 1.0), (20, 2.0)]", "the order is the choice's"
    values = values_of(status(path), ["lat,at.lon"])["lat,at.lon"]
    assert not denied_by("pairs", record.content, values) and denied_by("pairs", b"[(1.0, 10)]", values)


@pytest.mark.usefixtures("offered")
def test_untrusted_columns_have_no_joint_record(tmp_path: Path) -> None:
    early = pa.array([date(1500, 1, 1), date(2000, 1, 1)])
    columns = {"day": early, "n": pa.array([None, 1], pa.int64()), "list": pa.array([[1], [2]])}
    options = IndexOptions({"day,n": "pairs", "n,list": "pairs", "n,no": "pairs"})
    names = {column for _, column in _records(_write(tmp_path, columns), options)}
    assert names == {"day", "n", "day,n"}, "the early day is in no row of which both columns have a value"
    path = _write(tmp_path, {"day": early, "n": pa.array([1, 1], pa.int64())})
    assert {column for _, column in _records(path, options)} == {"day", "n"}


@pytest.mark.usefixtures("offered")
@pytest.mark.parametrize(
    ("columns", "kind"),
    [("a,b", "bloom"), ("a", "pairs"), ("a,b,c", "pairs"), ("a,a", "pairs"), ("a,", "pairs")],
)
def test_a_kind_is_refused_for_another_number_of_columns(columns: str, kind: str) -> None:
    with pytest.raises(IndexOptionsError):
        IndexOptions({columns: kind})


@pytest.mark.usefixtures("offered")
def test_each_of_several_columns_must_exist() -> None:
    options = IndexOptions({"lat,lon": "pairs", "x": "bloom"})
    options.require_columns(["Lat", "lon", "x"], "the table")
    with pytest.raises(IndexOptionsError, match="no column lon"):
        options.require_columns(["lat", "x"], "the table")
    assert options.without(["LON"]).of_several == {}, "what only the path of a file has is in no record"


@pytest.mark.usefixtures("offered")
def test_kinds_of_several_columns_are_one_choice_that_can_be_added_to() -> None:
    earlier = {"Lat, lon": ["pairs"], "*": ["bloom"]}
    assert added_to(earlier, IndexOptions({"lat,lon": "pairs"})).document() == earlier
    assert added_to({}, IndexOptions({"lat,lon": "pairs"})).document() == {"lat,lon": ["pairs"]}
    assert given_up(earlier, IndexOptions({"*": "bloom"})).no_longer_kept == {"lat,lon": ["pairs"]}


def test_an_unknown_kind_is_warned_about_once(caplog: pytest.LogCaptureFixture) -> None:
    index_kind.cache_clear()
    assert index_kind("of the future") is None and index_kind("of the future") is None
    assert [record.getMessage() for record in caplog.records] == [
        "no installed package provides the index kind of the future; its records are ignored"
    ]


@given(st.sets(st.binary(max_size=300)))
def test_value_sets_read_back(values: set[bytes]) -> None:
    ordered = sorted(values)
    assert parse_values(serialize_values(ordered)) == tuple(ordered)


@pytest.mark.parametrize("content", [b"\x05no", b"\x80", b"\xff" * 9, b"\x01b\x01a", b"\x01a\x01a"])
def test_malformed_value_sets_are_refused(content: bytes) -> None:
    with pytest.raises(ValueError, match="not terminated|not ascending"):
        parse_values(content)
