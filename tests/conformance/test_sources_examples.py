"""Examples from the RFC and from Hive's page on filter pushdown."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pycompiler.compile.compiler.compile import Compilation, compile_predicate
from pycompiler.compile.expression.evaluator import FileStatistics, evaluate
from pycompiler.compile.expression.render import to_text
from pycompiler.compile.sql.from_sql import from_sql
from pycompiler.compile.values.encoding import Value, decode_value
from pycompiler.compile.values.types import HiveType
from pycompiler.compile.wire.filter_tree import from_filter_tree
from pycompiler.compile.wire.search_argument import from_search_argument
from pycompiler.index.file_systems.factory import open_storage
from pycompiler.index.index import StatisticsIndex
from pycompiler.index.manifest import LiveTotals
from pycompiler.index.options import IndexOptions
from pycompiler.index.publisher import Delta, IndexPublisher
from pycompiler.index.records import WriteStatus
from pycompiler.thrift_gen.ttypes import Literal, PredicateLeafOperator
from tests.records import read_records, write_records
from tests.unit.compile.wire.thrift_filters import argument, call, column, constant, integer, leaf, tree

INT, STRING = HiveType("int"), HiveType("string")
EVENTS = {"event_id": STRING, "event_name": STRING}
TWO_FILES = (
    {"event_id": ["1", "2"], "event_name": ["start", "stop"]},
    {"event_id": ["3", "4"], "event_name": ["open", "close"]},
)
"""Four rows in two files."""
COMBINED: Mapping[str, Mapping[str, tuple[Value, Value]]] = {
    "p1/f1-c1.parquet": {"city_id": (20, 30), "commit_time": ("a", "g")},
    "p1/f2-c1.parquet": {"city_id": (25, 100), "commit_time": ("b", "g")},
    "p2/f3-c1.parquet": {"city_id": (40, 60), "commit_time": ("i", "w")},
    "p3/f4-c1.parquet": {"city_id": (300, 400), "commit_time": ("x", "z")},
}
"""The RFC's "Example CombinedMetadataRecords generated"."""


def _collected(folder: Path, files: Sequence[Mapping[str, list[Any]]]) -> list[FileStatistics]:
    """Writes files with these columns, and collects their statistics."""
    found: list[FileStatistics] = []
    for number, columns in enumerate(files):
        path = folder / f"{number}.parquet"
        pq.write_table(pa.table(dict(columns)), path)
        status = WriteStatus("", str(number), str(path), path.stat().st_size, "1")
        found.append({record.column: record.statistics() for record in read_records(status)})
    return found


def _compiled(where: str, schema: Mapping[str, HiveType]) -> Compilation:
    return compile_predicate(from_sql(where, schema))


@pytest.fixture
def rfc_index(tmp_path: Path) -> StatisticsIndex:
    """Builds an index of four files from the RFC's values."""
    (tmp_path / ".hoodie").mkdir()
    records = []
    for path, columns in COMBINED.items():
        file = tmp_path / path
        file.parent.mkdir(exist_ok=True)
        pq.write_table(pa.table({name: list(ends) for name, ends in columns.items()}), file)
        partition, _, name = path.partition("/")
        status = WriteStatus(partition, name.partition("-")[0], str(file), file.stat().st_size, "1")
        records += list(read_records(status, IndexOptions()))
    storage = open_storage(tmp_path)
    totals = LiveTotals(len(COMBINED), 2 * len(COMBINED), 0)
    delta = Delta(write_records(storage, records), "t", "1", totals, frozenset(COMBINED), None)
    IndexPublisher(storage).add(delta)
    return StatisticsIndex.open(tmp_path)


def _combined(index: StatisticsIndex) -> dict[str, FileStatistics]:
    """Returns the statistics of all columns by file, in the form of the RFC's CombinedMetadataRecords."""
    of_columns = index.statistics(index.columns())
    return {
        path: {column: of_files[path].statistics for column, of_files in of_columns.items()}
        for path in index.files()
    }


def test_the_rfcs_example_query_reads_one_of_two_files(tmp_path: Path) -> None:
    """`select event_name from storage_handler_table where event_id = '1'`."""
    files = _collected(tmp_path, TWO_FILES)
    compiled = _compiled("event_id = '1'", EVENTS)
    assert evaluate(compiled.expression, files) == [True, False]
    assert compiled.unused == ()


def test_the_rfcs_leaf_becomes_the_same_expression_as_its_query() -> None:
    """`leaf-0 = (EQUALS event_id 1), expr = leaf-0`."""
    one = Literal(type="string", stringValue=b"1")
    equals = leaf(PredicateLeafOperator.EQUALS, column="event_id", type_name="string", one=one)
    of_leaf = compile_predicate(from_search_argument(argument([equals]), EVENTS))
    assert of_leaf.expression == _compiled("event_id = '1'", EVENTS).expression
    assert to_text(of_leaf.expression) == "event_id = '1'"


def test_the_rfcs_combined_records_are_those_of_the_index(rfc_index: StatisticsIndex) -> None:
    found = {
        path: {
            name: tuple(
                decode_value(column.type, end) for end in (column.lower, column.upper) if end is not None
            )
            for name, column in columns.items()
        }
        for path, columns in _combined(rfc_index).items()
    }
    assert found == COMBINED


@pytest.mark.parametrize(
    ("where", "kept"),
    [
        ("city_id = 28", {"f1", "f2"}),
        ("city_id between 50 and 70", {"f2", "f3"}),
        ("city_id > 100", {"f4"}),
        ("city_id = 200", set()),
        ("commit_time = 'h'", set()),
        ("commit_time < 'j' and city_id >= 40", {"f2", "f3"}),
    ],
)
def test_the_rfcs_combined_records_skip_files(rfc_index: StatisticsIndex, where: str, kept: set[str]) -> None:
    compiled = _compiled(where, {"city_id": HiveType("bigint"), "commit_time": STRING})
    files = _combined(rfc_index)
    votes = evaluate(compiled.expression, list(files.values()))
    ids = {path: file.file_id for path, file in rfc_index.files().items()}
    assert {ids[path] for path, keeps in zip(files, votes, strict=True) if keeps} == kept


def test_the_pushdown_pages_decomposition_prunes_by_its_first_part_and_by_the_second(tmp_path: Path) -> None:
    """`x > 3 AND upper(y) = 'XYZ'`: Hive keeps the whole filter as its residual; both parts skip files."""
    schema = {"x": INT, "y": STRING}
    files = _collected(
        tmp_path,
        [
            {"x": pa.array([1, 3], pa.int32()), "y": ["xyz", "xyz"]},
            {"x": pa.array([3, 4], pa.int32()), "y": ["xYz", "xyz"]},
            {"x": pa.array([4, 5], pa.int32()), "y": ["abc", "abd"]},
        ],
    )
    where = "x > 3 AND upper(y) = 'XYZ'"
    assert evaluate(_compiled(where, schema).expression, files) == [False, True, False]
    assert evaluate(_compiled("x > 3", schema).expression, files) == [False, True, True]
    assert evaluate(_compiled("upper(y) = 'XYZ'", schema).expression, files) == [True, True, False]


def test_the_pushdown_pages_range_reads_the_files_that_it_meets(tmp_path: Path) -> None:
    """`((key >= 100) and (key < 200))`, as text from Hive and as the tree that Hive sends."""
    keys = [(0, 99), (50, 100), (100, 150), (199, 250), (200, 300)]
    files = _collected(tmp_path, [{"key": pa.array(ends, pa.int32())} for ends in keys])
    unparsed = _compiled("((key >= 100) and (key < 200))", {"key": INT})
    assert evaluate(unparsed.expression, files) == [False, True, True, True, False]

    key, low, high = column("key"), constant(integer(100)), constant(integer(200))
    nodes = tree(key, low, call(">=", 2), key, high, call("<", 2), call("and", 2))
    of_tree = compile_predicate(from_filter_tree(nodes, {"key": INT}))
    assert of_tree.expression == unparsed.expression
