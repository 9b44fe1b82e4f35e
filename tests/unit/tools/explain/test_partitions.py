import pytest

from pycompiler.compile.compiler.compile import compile_predicate
from pycompiler.compile.expression.evaluator import FileStatistics
from pycompiler.compile.expression.statistics import ColumnStatistics
from pycompiler.compile.planner.keys import key_layout
from pycompiler.compile.sql.from_sql import from_sql
from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.types import HiveType
from pycompiler.table.files import FileSlice, TableFile
from pycompiler.tools.explain.partitions import PartitionVerdict, partition_verdict

SCHEMA = {"year": HiveType("int"), "dest": HiveType("string"), "n": HiveType("int")}


def file(path: str, *, indexed: bool = True) -> TableFile:
    return TableFile(path, 1, "20260101000000000", indexed)


def of(year: int, dest: str | None) -> FileStatistics:
    number = encode_value(HiveType("int"), year)
    text = None if dest is None else dest.encode()
    return {
        "year": ColumnStatistics(HiveType("int"), number, number, 0, 5),
        "dest": ColumnStatistics(HiveType("string"), text, text, 5 if dest is None else 0, 5),
    }


# The path of the last one says another destination than its rows have.
FILES = {
    file("2013/ANC/a.parquet"): of(2013, "ANC"),
    file("2013/HNL/b.parquet"): of(2013, "HNL"),
    file("2013/HNL/c.parquet"): of(2013, "HNL"),
    file("2014/HNL/d.parquet"): of(2014, None),
}
LOG = file("2013/ANC/.a.log.1_0-1-0")


def verdict(
    where: str, files: dict[TableFile, FileStatistics] = FILES, *, log: bool = False, is_mixing: bool = False
) -> PartitionVerdict:
    layout = key_layout(["year", "dest"], SCHEMA)
    assert layout is not None
    logs = (LOG,) if log else ()
    slices = [FileSlice(each, logs if each.path.startswith("2013/ANC") else ()) for each in files]
    expression = compile_predicate(from_sql(where, SCHEMA)).expression
    known = {**files, LOG: of(2013, "ANC")}
    return partition_verdict(expression, layout, slices, known, is_mixing=is_mixing)


@pytest.mark.parametrize(
    ("where", "plan", "kept"),
    [
        ("year = 2013 and dest = 'HNL'", "Get(X2013/'HNL')", 1),
        ("year = 2013 and n = 5", "Scan(X2013, X2013+)", 2),
        ("dest is null", "Scan(X, X+) + filter(dest is null)", 1),
        ("n = 5", "Scan(X, X+)", 3),
    ],
)
def test_partitions_are_left_by_what_their_rows_have(where: str, plan: str, kept: int) -> None:
    assert verdict(where) == PartitionVerdict(plan, total=3, kept=kept, without_key=0)


def test_a_partition_with_a_file_that_the_index_does_not_know_is_left() -> None:
    found = verdict("year = 2015", FILES | {file("2013/ANC/new.parquet", indexed=False): {}})
    assert (found.kept, found.total, found.without_key) == (1, 3, 1)


def test_rows_made_of_several_records_may_have_other_values_than_any_file() -> None:
    assert verdict("year = 2015", log=True).kept == 0
    assert verdict("year = 2015", is_mixing=True).kept == 0, "there is no log"
    found = verdict("year = 2015", log=True, is_mixing=True)
    assert (found.kept, found.without_key) == (1, 1)


def test_keys_have_the_first_columns_whose_types_are_known() -> None:
    layout = key_layout(["year", "unknown", "dest"], SCHEMA)
    assert layout is not None
    assert [column.name for column in layout.columns] == ["year"]
    assert key_layout(["unknown", "dest"], SCHEMA) is None
    assert key_layout([], SCHEMA) is None
    assert key_layout(["year"], None) is None
