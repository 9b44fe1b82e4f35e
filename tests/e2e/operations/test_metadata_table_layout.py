"""Skipping by the column statistics of Hudi's metadata table: what is proved is used, and nothing else is."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from ..harness.check import Checker, assert_same_rows
from ..harness.hudi_writer import COLUMN_STATISTICS, HudiWriter
from ..harness.lake import Lake
from ..harness.operated_table import OperatedTable, row
from ..harness.session import Session
from ..tables import CUSTOMERS, EVERY_TYPE, TableData

METADATA_TABLE = {"hudi.skipping.index": "metadata-table"}
_OPERATION = "hoodie.datasource.write.operation"

TRUSTED = {
    "tinyint": "ti between -20 and -11",
    "smallint": "si = 1005",
    "int": "i = 1015",
    "int, negative": "i = -1",
    "bigint": "l < -10000000000000000",
    "bigint in a list": "l in (9223372036854775807, -9223372036854775808)",
    "two columns": "i = 1015 or l = 9223372036854775807",
    "beside what is not trusted": "i = 1015 and s >= 's'",
}
UNTRUSTED = {
    "boolean": "b = true",
    "float": "f > 100000",
    "double": "d > 100000",
    "decimal": "amount between 100 and 200.5",
    "wide decimal": "wide > 100000000000000000000",
    "string": "s = 's44-3'",
    "long string": "s like 'qqqq%'",
    "timestamp": "ts = timestamp '2022-01-01 00:00:00'",
    "no value at all": "i is not null",
}


CONDITIONS: dict[str, Callable[[Any], bool]] = {
    "n >= 10000": lambda each: each.n >= 10_000,
    "n between 5 and 9": lambda each: 5 <= each.n <= 9,
    "id between 12 and 19": lambda each: 12 <= each.id <= 19,
    "n = 20 or id = 30": lambda each: each.n == 20 or each.id == 30,
    "n is null": lambda each: each.n is None,
}
"""Of rows of an operated table: in HiveQL, and in Python."""


def _write(lake: Lake, data: TableData, stem: str) -> Path:
    return lake.write_unindexed(data, lake.fresh(stem), COLUMN_STATISTICS)


@pytest.fixture(scope="module")
def every_type(lake: Lake, session: Session) -> Iterator[str]:
    with session.table(_write(lake, EVERY_TYPE, "metadata_table")) as name:
        yield name


@pytest.fixture
def customers(lake: Lake) -> Path:
    return _write(lake, CUSTOMERS, "metadata_table_customers")


@pytest.mark.since_version_8
@pytest.mark.selected(2)
@pytest.mark.parametrize("kind", TRUSTED)
def test_integers_and_dates_skip_files_and_no_more_than_the_parquet_layout(
    check: Checker, every_type: str, kind: str
) -> None:
    query = f"select id from {{}} where {TRUSTED[kind]}"
    checked = check(query.format(every_type), METADATA_TABLE, spark=query.format("every_type"))
    checked.skips()
    by_parquet = check.run(query.format("every_type"), {"hudi.skipping.index": "parquet"})
    assert checked.scan.kept >= by_parquet.scan.kept, (
        f"the same statistics with less trust keep no fewer files: {checked.scan.line} {by_parquet.scan.line}"
    )


@pytest.mark.since_version_8
def test_dates_skip_files_of_a_table_of_version_9_and_of_no_older_one(
    check: Checker, spark: SparkSession, every_type: str
) -> None:
    query = "select id from {} where day >= date '2020-03-01' and day < date '2020-03-05'"
    checked = check(query.format(every_type), METADATA_TABLE, spark=query.format("every_type"))
    version = HudiWriter(spark, Path(checked.scan.table)).version()
    assert (checked.scan.kept < checked.scan.files) == (version >= 9), checked.scan.line


def test_days_before_our_era_lose_no_row(check: Checker, lake: Lake, table: OperatedTable) -> None:
    """Hudi records 4713 BC like AD 4713 before table version 9; and so does Hive read it."""
    early = "date_add(date'1970-01-01', -2440588)"
    for days in ([early, "date'2020-01-01'"], [early, "date'2020-01-01'", "date'9999-12-31'"]):
        rows = " union all ".join(f"select {n} id, 'a' grp, {n}L n, {day} day" for n, day in enumerate(days))
        table.write(
            table.spark.sql(rows).coalesce(1),
            "insert",
            {**COLUMN_STATISTICS, "hoodie.parquet.small.file.limit": "0"},
        )
    with check.session.table(table.path) as name:
        _days_before_our_era_lose_no_row(check, name, METADATA_TABLE)
        lake.build_index(table.path)
        _days_before_our_era_lose_no_row(check, name, {})


def _days_before_our_era_lose_no_row(check: Checker, name: str, settings: dict[str, str]) -> None:
    for where in ("= date '2020-01-01'", "< date '2000-01-01'", "> date '3000-01-01'", "is null"):
        check(f"select n, day from {name} where day {where}", settings, spark=False)


@pytest.mark.since_version_8
@pytest.mark.selected(2)
@pytest.mark.parametrize("kind", UNTRUSTED)
def test_a_type_whose_records_are_not_bounds_skips_nothing(
    check: Checker, every_type: str, kind: str
) -> None:
    query = f"select id from {{}} where {UNTRUSTED[kind]}"
    # Spark orders NaN otherwise.
    spark = False if kind in ("float", "double") else query.format("every_type")
    checked = check(query.format(every_type), METADATA_TABLE, spark=spark)
    assert checked.scan.kept == checked.scan.files, f"should keep every file: {checked.scan.line}"


def test_row_groups_without_statistics_lose_no_row(check: Checker, lake: Lake, spark: SparkSession) -> None:
    """Each file has three row groups; of the first, Parquet has no bounds: NULL, NaN or too long a string."""
    path = lake.fresh("row_groups")
    row, group = F.col("id") % 300, F.floor(F.col("id") % 300 / 100)
    frame = spark.range(900, numPartitions=1).select(
        F.col("id"),
        F.when(group > 0, F.floor(F.col("id") / 300) * 100 + 5).cast("int").alias("i"),
        F.when(group > 0, F.lit(5.0)).when(row % 2 == 0, F.lit(float("nan"))).otherwise(70.0).alias("d"),
        F.when(group > 0, F.lit("m")).otherwise(F.lit("q" * 5000)).alias("s"),
        F.when(group > 0, F.date_add(F.lit("2020-01-01"), 1)).alias("day"),
    )
    options = {
        **lake.options(CUSTOMERS),
        **COLUMN_STATISTICS,
        "hoodie.datasource.write.recordkey.field": "id",
        "hoodie.datasource.write.precombine.field": "id",
        "hoodie.parquet.block.size": "1000",
    }
    frame.repartitionByRange(3, "id").write.format("hudi").options(**options).mode("overwrite").save(
        str(path)
    )
    with check.session.table(path) as name:
        for condition, rows in {
            "i = 5": 200,
            "i is null": 300,
            "i is not null": 600,
            "d = 70.0D": 150,
            "s = concat('q', repeat('q', 4999))": 300,
            "day is null": 300,
            "day = date '2020-01-02'": 600,
        }.items():
            checked = check.run(f"select id from {name} where {condition}", METADATA_TABLE)
            assert len(checked.rows) == rows, condition


def test_a_table_without_an_index_skips_by_the_metadata_table_or_as_the_session_or_the_table_says(
    check: Checker, lake: Lake, customers: Path
) -> None:
    with check.session.table(customers) as name:
        query = f"select cust from {name} where cust = 11"
        reference = "select cust from customers where cust = 11"
        by_metadata = check(query, spark=reference).kept(1)
        source = (
            "Hudi's metadata table: integers, and dates from table version 9 on; for other types and "
            f"Bloom filters: hudi-skip index build {customers}"
        )
        assert f'index="{source}"' in by_metadata.scan.line, by_metadata.scan.line
        assert source in check.session.text(f"EXPLAIN {query}"), "the plan should name the source"
        assert any(source in line for line in check.session.messages(query)), "so should the session's log"
        parquet = {"hudi.skipping.index": "parquet"}
        check(query, parquet, spark=reference).kept_all("hudi-skip index build")
        with check.session.table(customers, properties=METADATA_TABLE) as named:
            of_named = f"select cust from {named} where cust = 11"
            check.run(of_named, parquet).kept_all("hudi-skip index build")
            check.run(of_named).kept(1)
        lake.build_index(customers)
        by_index = check(query, spark=reference).kept(1)
        assert "generation=1 " in by_index.scan.line, "the index that was built"


@pytest.mark.parametrize("kind", ["COPY_ON_WRITE", "MERGE_ON_READ"])
def test_no_row_is_lost_while_writers_switch_column_statistics_on_and_off(
    check: Checker, table: OperatedTable, kind: str
) -> None:
    """Statistics of some columns, then none, then of others: of old files, and of files with logs."""
    some = {**COLUMN_STATISTICS, "hoodie.metadata.index.column.stats.column.list": "id"}
    others = {**COLUMN_STATISTICS, "hoodie.metadata.index.column.stats.column.list": "n,v"}
    without = {"hoodie.metadata.enable": "false"}
    of_kind = {"hoodie.datasource.write.table.type": kind}
    rows = table.frame(row(number) for number in range(48))
    table.write(rows.repartitionByRange(6, "id"), "bulk_insert", {**some, **of_kind})
    skipped = 0
    with check.session.table(table.path) as name:
        for number, options in enumerate([some, without, some, others, COLUMN_STATISTICS]):
            # Moves n of a row beyond the bounds of its file, and into those of another.
            table.write(
                [row(3 + 9 * number, n=10_000 * (number + 1)), row(40 + number, v=None, n=5)],
                "upsert",
                {**options, **of_kind},
            )
            live = {each.id: each for each in table.spark.read.format("hudi").load(str(table.path)).collect()}
            for where, matches in CONDITIONS.items():
                checked = check.run(f"select id from {name} where {where}")
                truth = [(key,) for key, each in live.items() if matches(each)]
                assert_same_rows(checked.rows, truth, f"write {number}: {where}", checked.scans)
                skipped += checked.scan.files - checked.scan.kept
    assert skipped, "control: some files were skipped"


def test_a_metadata_table_without_column_statistics_keeps_all_files(check: Checker) -> None:
    checked = check("select cust from customers where cust = 11", METADATA_TABLE)
    checked.kept_all("no column statistics")


@pytest.mark.selected(1)
@pytest.mark.parametrize("operation", ["upsert", "delete", "insert_overwrite_table"])
def test_a_commit_is_seen_at_once_without_an_update_of_an_index(
    check: Checker, lake: Lake, customers: Path, operation: str
) -> None:
    moved = lake.spark.createDataFrame(
        [(cust, f"name-{cust}", "moved") for cust in (3, 44, 75)], CUSTOMERS.schema
    )
    options = {**lake.options(CUSTOMERS), **COLUMN_STATISTICS, _OPERATION: operation}
    moved.coalesce(1).write.format("hudi").options(**options).mode("append").save(str(customers))
    live = lake.spark.read.format("hudi").load(str(customers))
    with check.session.table(customers) as name:
        for condition in ("cust = 44", "cust >= 70", "cust between 3 and 4", "cust < 0", "cust is null"):
            checked = check.run(f"select cust from {name} where {condition}", METADATA_TABLE)
            truth = [(row.cust,) for row in live.where(condition).select("cust").collect()]
            assert_same_rows(
                checked.rows, truth, f"Hive and Spark after {operation}: {condition}", checked.scans
            )
            if condition in ("cust < 0", "cust is null"):
                checked.kept(0)
