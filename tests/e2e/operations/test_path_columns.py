"""Partition columns that are not in the files: Hive reads them from the paths, and skips files by them."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from ..harness.check import WITHOUT_SKIPPING, Checker
from ..harness.engines import MODES
from ..harness.hudi_writer import COLUMN_STATISTICS
from ..harness.lake import Lake
from ..harness.operated_table import OperatedTable
from ..harness.session import QueryFailed, Session, create_statement

SCHEMA = "id int, n int, grp string"
"""As Hudi has it once the column is not in the files: bulk_insert would mix them up otherwise."""
IN_PATHS = {
    "hoodie.datasource.write.drop.partition.columns": "true",
    "hoodie.parquet.small.file.limit": "0",
}
_HIVE_STYLE = "hoodie.datasource.write.hive_style_partitioning"
_URL_ENCODE = "hoodie.datasource.write.partitionpath.urlencode"
_FIELDS = "hoodie.datasource.write.partitionpath.field"
_KEY_GENERATOR = "hoodie.datasource.write.keygenerator.class"

LONG = "l" * 100
"""Longer than a bound in the index."""
SIMPLE = [None, "Berlin", "Bonn", "a b", "a/b", "50%", "ü", LONG]
ODD = ["%41", "a=b", "c:d", "__hive", "#?*'\"\\"]
"""What Spark reads rightly only where it is escaped."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A way of writing partition paths, and the values that Spark reads from it as they were written."""

    hive_style: bool
    url_encode: bool

    @property
    def values(self) -> list[str | None]:
        return [*SIMPLE, *(ODD if self.url_encode else [])]

    @property
    def options(self) -> dict[str, str]:
        return {
            **IN_PATHS,
            _HIVE_STYLE: str(self.hive_style).lower(),
            _URL_ENCODE: str(self.url_encode).lower(),
        }


LAYOUTS = [Layout(hive_style, url_encode) for hive_style in (True, False) for url_encode in (True, False)]

FILTERS: Mapping[str, Callable[[str | None, list[int]], bool]] = {
    "grp = 'Berlin'": lambda grp, n: grp == "Berlin",
    "grp in ('Bonn', '50%', 'nowhere')": lambda grp, n: grp in ("Bonn", "50%"),
    "grp < 'C'": lambda grp, n: grp is not None and grp < "C",
    "grp between 'a' and 'b'": lambda grp, n: grp is not None and "a" <= grp <= "b",
    "grp is null": lambda grp, n: grp is None,
    "grp is not null": lambda grp, n: grp is not None,
    "grp <> 'Berlin'": lambda grp, n: grp is not None and grp != "Berlin",
    "grp like 'B%n'": lambda grp, n: grp in ("Berlin", "Bonn"),
    "upper(grp) = 'BERLIN'": lambda grp, n: grp == "Berlin",
    "grp = 'Berlin' or n = 20": lambda grp, n: grp == "Berlin" or 20 in n,
    "grp is null and n = 20": lambda grp, n: False,
    "grp = 'a/b' and n >= 0": lambda grp, n: grp == "a/b",
}
"""Filters, and whether a file with this value and these `n` has a row that matches."""

QUERIES = [
    "select grp from {}",
    "select distinct grp from {}",
    "select count(*) from {}",
    "select count(grp), max(grp) from {}",
    "select grp, count(*), sum(n) from {} group by grp",
    "select id, grp from {} where n % 2 = 0 order by grp, id",
    "select a.id, b.id, b.grp from {} a join {} b on a.grp = b.grp where a.n < 30",
    "select length(grp), concat(grp, '-', n) from {} where grp <=> null or length(grp) > 5",
]


@contextmanager
def _asked(check: Checker, table: OperatedTable) -> Iterator[str]:
    """The table in Hive, and a view of the same name in Spark."""
    with check.session.table(table.path) as name:
        table.spark.read.format("hudi").load(str(table.path)).createOrReplaceTempView(name)
        yield name


def _rows(values: list[str | None]) -> list[tuple[int, int, str | None]]:
    """Three rows for each value."""
    return [
        (10 * number + r, 10 * number + 5 * r, value) for number, value in enumerate(values) for r in range(3)
    ]


def _write(
    table: OperatedTable,
    rows: list[tuple[int, int, str | None]],
    operation: str,
    options: Mapping[str, str],
) -> None:
    table.write(table.spark.createDataFrame(rows, SCHEMA).coalesce(1), operation, options)


def _stored(table: OperatedTable, column: str) -> list[list[object]]:
    """What each of the files that have a column has in it."""
    found = [pq.ParquetFile(table.path / file).read().to_pydict() for file in table.files()]
    return [columns[column] for columns in found if column in columns]


@pytest.fixture(scope="module")
def tables(spark: SparkSession, lake: Lake) -> dict[Layout, OperatedTable]:
    """A table of each layout with a file for each value, and its index."""
    made = {layout: OperatedTable(spark, lake.fresh("in_paths")) for layout in LAYOUTS}
    for layout, table in made.items():
        _write(table, _rows(layout.values), "insert", layout.options)
        table.update_index()
        assert len(table.files()) == len(layout.values)
    return made


@pytest.mark.selected(1)
@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
def test_every_kind_of_path_is_read_and_pruned(
    check: Checker, tables: Mapping[Layout, OperatedTable], layout: Layout
) -> None:
    table = tables[layout]
    assert table.index_command("verify")["sound"]
    with _asked(check, table) as name:
        assert len(check(f"select * from {name}", MODES["fetch task"]).rows) == 3 * len(layout.values)
        listed = ", ".join(
            "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
            for value in layout.values[4:]
            if value
        )
        check(f"select id, grp from {name} where grp in ({listed})", MODES["fetch task"]).kept(
            len(layout.values) - 4
        )
        check(f"select id from {name} where grp is null or grp = 'Bonn'", MODES["fetch task"]).kept(2)


@pytest.mark.full
@pytest.mark.parametrize("mode", MODES)
def test_every_kind_of_filter_and_query_is_answered_as_spark_does(
    check: Checker, tables: Mapping[Layout, OperatedTable], mode: str
) -> None:
    layout = LAYOUTS[0]
    files = [(value, [10 * i, 10 * i + 5, 10 * i + 10]) for i, value in enumerate(layout.values)]
    with _asked(check, tables[layout]) as name:
        for where, matches in FILTERS.items():
            checked = check(f"select id, grp, n from {name} where {where}", MODES[mode])
            wanted = sum(matches(value, numbers) for value, numbers in files)
            assert (checked.scan.kept, checked.scan.files) == (wanted, len(files)), checked.scan.line
        for query in QUERIES:
            checked = check(query.format(name, name), MODES[mode])
            if "order by" in query:
                known = [grp.encode() for _, grp in checked.rows if grp is not None]
                assert known == sorted(known)


def test_hive_has_the_columns_in_the_order_of_hudis_schema(
    session: Session, tables: Mapping[Layout, OperatedTable]
) -> None:
    with session.table(tables[LAYOUTS[0]].path) as name:
        columns = [(row[0], row[1]) for row in session.rows(f"describe {name}")]
    assert columns[-3:] == [("id", "int"), ("n", "int"), ("grp", "string")]


@pytest.mark.full
def test_an_upsert_moves_the_table_on(check: Checker, table: OperatedTable) -> None:
    layout = Layout(hive_style=True, url_encode=True)
    _write(table, _rows(["a", "b", None]), "insert", layout.options)
    table.update_index()
    _write(table, [(0, 1000, "a"), (40, 400, "d/e")], "upsert", layout.options)
    for _ in range(2):
        with _asked(check, table) as name:
            for mode in MODES.values():
                check(f"select * from {name} where grp = 'b'", mode).kept(1)
                check(f"select id, n from {name} where grp = 'a' and n = 1000", mode)
                check(f"select grp, n from {name} where grp = 'd/e'", mode)
        table.update_index()
    assert table.index_command("verify")["sound"]


@pytest.mark.full
@pytest.mark.parametrize("layout", LAYOUTS[:3:2], ids=str)
def test_two_partition_columns(check: Checker, table: OperatedTable, layout: Layout) -> None:
    rows = [(n, place, year, n) for n, (place, year) in enumerate(zip("abab", (7, 7, 8, None), strict=True))]
    frame = table.spark.createDataFrame(rows, "id int, Place string, year int, n int").coalesce(1)
    table.write(frame, "insert", {**layout.options, _FIELDS: "Place,year"})
    table.update_index()
    with _asked(check, table) as name:
        for mode in MODES.values():
            check(f"select * from {name} where place = 'a' and year = '8'", mode).kept(1)
            check(f"select id from {name} where year = '7'", mode).kept(2)
            check(f"select year, place from {name} where year is null or place = 'a'", mode).kept(3)
            check(f"select place, count(*) from {name} group by place", mode)


def test_values_are_those_that_were_written_where_spark_unescapes_what_was_not_escaped(
    check: Checker, lake: Lake
) -> None:
    for hive_style in (True, False):
        table = OperatedTable(lake.spark, lake.fresh("unescaped"))
        layout = Layout(hive_style, url_encode=False)
        _write(table, [(1, 1, "%41"), (2, 2, "a=b"), (3, 3, "A")], "insert", layout.options)
        table.update_index()
        with check.session.table(table.path) as name:
            for mode in MODES.values():
                query = f"select id, grp from {name} where grp in ('%41', 'a=b')"
                checked = check(query, mode, spark=False).kept(2)
                assert sorted(checked.rows) == [(1, "%41"), (2, "a=b")]


@pytest.mark.full
def test_the_path_counts_where_hudi_has_left_the_column_in_the_file(
    check: Checker, table: OperatedTable
) -> None:
    layout = Layout(hive_style=True, url_encode=True)
    _write(table, [(1, 1, "a/b")], "insert", layout.options)
    _write(table, [(3, 3, "a/b"), (5, 5, None)], "bulk_insert", layout.options)
    assert [None] in _stored(table, "grp"), "Hudi has lost a value"
    table.update_index()
    assert len(table.files()) == 3
    assert table.index_command("verify")["sound"]
    with _asked(check, table) as name:
        for mode in MODES.values():
            for where, kept in (("n > 0", 3), ("grp = 'a/b'", 2), ("grp is null", 1), ("grp > 'a'", 2)):
                check(f"select id, grp from {name} where {where}", mode).kept(kept)
            check(f"select id from {name}", mode)


@pytest.mark.full
def test_the_path_counts_where_hudi_has_mixed_up_columns(check: Checker, lake: Lake) -> None:
    path = lake.fresh("mixed_up")
    table = OperatedTable(lake.spark, path)
    written = Layout(hive_style=True, url_encode=True).options
    properties = {"primaryKey": "id", **written}
    listed = ", ".join(f"'{key}' = '{value}'" for key, value in properties.items())
    lake.spark.sql(
        f"create table {path.name} (id int, grp string, s string) using hudi "
        f"tblproperties ({listed}) partitioned by (grp) location '{path}'"
    )
    try:
        rows = [(1, "a", "xx"), (2, "a", "yy"), (4, "b", "zz")]
        frame = lake.spark.createDataFrame(rows, "id int, grp string, s string").coalesce(1)
        options = {
            "hoodie.table.name": path.name,
            "hoodie.datasource.write.recordkey.field": "id",
            "hoodie.datasource.write.operation": "bulk_insert",
            _FIELDS: "grp",
            **written,
        }
        frame.write.format("hudi").options(**options).mode("append").save(str(path))
        lake.spark.sql(f"insert into {path.name} (id, s, grp) values (3, 'zz', 'a')")
        assert ["xx", "yy"] in _stored(table, "grp"), "Hudi has mixed up nothing"
        for _ in range(2):
            table.update_index()
            assert table.index_command("verify")["sound"]
            with _asked(check, table) as name:
                for mode in MODES.values():
                    for where in ("grp = 'a'", "grp = 'xx' or grp is null"):
                        check(f"select id, grp from {name} where {where}", mode)
                    check(f"select id, grp from {name} where grp = 'b'", mode).kept(1)
            lake.spark.sql(f"call run_clustering(path => '{path}', op => 'scheduleAndExecute')")
    finally:
        lake.spark.sql(f"drop table {path.name}")


@pytest.mark.full
def test_a_table_of_spark_sql(check: Checker, lake: Lake, spark: SparkSession) -> None:
    path = lake.fresh("spark_sql")
    dropping = "'hoodie.datasource.write.drop.partition.columns' = 'true'"
    spark.sql(
        f"create table {path.name} (id int, v string, dt date, n int) using hudi "
        f"tblproperties (primaryKey = 'id', {dropping}) partitioned by (dt, n) location '{path}'"
    )
    try:
        spark.sql(f"insert into {path.name} values (1, 'x', date'2020-01-02', 5), (2, 'y', null, 6)")
        spark.sql(f"update {path.name} set v = 'z' where id = 1")
        lake.build_index(path)
        with _asked(check, OperatedTable(spark, path)) as name:
            for mode in MODES.values():
                check(f"select * from {name} where dt = '2020-01-02'", mode).kept(1)
                check(f"select id, v, n from {name} where n = '6' and dt is null", mode).kept(1)
                check(f"select n, dt from {name}", mode)
    finally:
        spark.sql(f"drop table {path.name}")


@pytest.mark.full
def test_paths_tell_of_such_a_column_what_hudis_column_statistics_do_not(
    check: Checker, table: OperatedTable
) -> None:
    options = {**Layout(hive_style=True, url_encode=True).options, **COLUMN_STATISTICS}
    _write(table, _rows(["a", None, "c"]), "insert", options)
    settings = {"hudi.skipping.index": "metadata-table"}
    with _asked(check, table) as name:
        for mode in MODES.values():
            for where, kept in (("grp is null", 1), ("grp = 'a'", 1), ("grp is not null", 2)):
                check(f"select id, grp from {name} where {where}", {**mode, **settings}).kept(kept)
            check(f"select id, grp from {name} where grp = 'c' and n = 30", {**mode, **settings}).kept(1)


REFUSED: Mapping[str, tuple[Mapping[str, str], str, str]] = {
    "a key generator that writes something else": (
        {
            _KEY_GENERATOR: "org.apache.hudi.keygen.TimestampBasedKeyGenerator",
            "hoodie.keygen.timebased.timestamp.type": "DATE_STRING",
            "hoodie.keygen.timebased.input.dateformat": "yyyy-MM-dd",
            "hoodie.keygen.timebased.output.dateformat": "yyyy/MM",
        },
        "",
        "TimestampBasedKeyGenerator does not write their values",
    ),
    "varchar": ({}, "id int, grp varchar(10)", "declared as varchar"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_the_paths_do_not_tell_is_refused_at_create_table(
    session: Session, table: OperatedTable, case: str
) -> None:
    options, columns, message = REFUSED[case]
    _write(table, [(1, 1, "2020-01-02")], "insert", {**IN_PATHS, **options})
    session.assert_refused(create_statement("refused", table.path, columns=columns), message)


@pytest.mark.default_hudi  # Hudi 1.2 writes a file that neither Spark nor Hive can read.
def test_columns_that_are_in_the_files_as_no_strings_are_refused_at_create_table(
    session: Session, table: OperatedTable
) -> None:
    frame = table.spark.sql("select 1 id, 7 grp, 1 n")
    table.write(frame, "bulk_insert", IN_PATHS)
    session.assert_refused(create_statement("refused", table.path), "partition column grp .* is int")


def test_a_path_that_does_not_tell_which_value_is_whose_fails_the_query_that_reads_it(
    check: Checker, table: OperatedTable
) -> None:
    frame = table.spark.sql("select 1 id, 'a/b' p, 'c' q, 1 n union all select 2, 'x', 'y', 2").coalesce(1)
    table.write(frame, "insert", {**IN_PATHS, _FIELDS: "p,q"})
    table.update_index()
    with check.session.table(table.path) as name:
        for mode in MODES.values():
            with pytest.raises(QueryFailed, match="does not determine the values of"):
                check.run(f"select p from {name}", {**mode, **WITHOUT_SKIPPING}, scans=0)
            assert sorted(check.run(f"select id from {name}", mode).column()) == [1, 2]
            assert check.run(f"select p, q from {name} where n = 2", mode).rows == (("x", "y"),)
