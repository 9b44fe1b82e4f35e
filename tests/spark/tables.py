"""Hudi tables for tests, and the truth about their files, read from the data itself."""

import math
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from unittest import mock

import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession

from pycompiler.compile.expression.statistics import ColumnStatistics
from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.types import ValueKind
from pycompiler.index.compactor import compact
from pycompiler.index.file_systems.factory import open_storage
from pycompiler.index.file_systems.location import Location
from pycompiler.index.index import IndexedStatistics, StatisticsIndex
from pycompiler.index.publisher import GRACE_SECONDS
from pycompiler.indexing import indexer
from pycompiler.indexing.indexer import IndexUpdate
from pycompiler.spark.hudi_table import HudiTable
from pycompiler.spark.index_creator import IndexCreator
from pycompiler.table.errors import UnknownChangesError
from pycompiler.table.index_status import IndexStatus, status_by_listing
from pycompiler.table.timeline import Timeline
from tests.contents import all_values, bloom_filter

from ..unit.table.updating import Snapshot, another_index

SCHEMA = (
    "id bigint, part string, i int, f float, d double, s string, b boolean, dec9 decimal(9,2), "
    "dec18 decimal(18,4), dec38 decimal(38,10), day date, ts timestamp, st struct<x: int, y: string>, "
    "arr array<int>, nothing int"
)
VALUES = (
    *("id", "part", "i", "f", "d", "s", "b", "dec9", "dec18", "dec38", "day", "ts"),
    *("st.x", "st.y", "nothing"),
)
"""The columns of `SCHEMA` that are indexed."""


def rows(numbers: Iterable[int]) -> list[tuple[Any, ...]]:
    """Rows with the values that statistics trip over, in steady places."""
    return [
        (
            n,
            f"p{n % 3}",
            None if n % 7 == 0 else n * (-1) ** n,
            math.nan if n == 900 else float(n),
            -0.0 if n % 2 else 0.0,
            _text(n),
            n % 5 == 0,
            Decimal(n * (-1) ** n).scaleb(-2),
            Decimal(n * 12345).scaleb(-4),
            (Decimal(n) * Decimal("1234567890123456789")).scaleb(-10),
            date(1500, 1, 1) if n == 800 else date.fromordinal(730_000 + n),
            datetime(2021, 3, 4, 5, 6, n % 60, n % 1_000_000),
            None if n % 11 == 0 else (n, None if n % 2 else f"y{n}"),
            [n, -n],
            None,
        )
        for n in numbers
    ]


def _text(n: int) -> str | None:
    match n % 100:
        case 3:
            return None
        case 4:
            return f"\uffff{n}"
        case 5:
            return f"😀{n}"
        case _:
            return "x" * 5000 if n == 700 else f"s{n:06d}"


def frame(spark: SparkSession, numbers: Iterable[int]) -> DataFrame:
    """The rows of some numbers."""
    return spark.createDataFrame(rows(numbers), SCHEMA)


def options(name: str, operation: str, partitioned: bool, **more: str) -> dict[str, str]:
    """Hudi's options; row groups are small, so that files have several."""
    return {
        "hoodie.table.name": name,
        "hoodie.datasource.write.recordkey.field": "id",
        "hoodie.datasource.write.partitionpath.field": "part" if partitioned else "",
        "hoodie.datasource.write.operation": operation,
        "hoodie.datasource.write.hive_style_partitioning": "true",
        "hoodie.bulkinsert.shuffle.parallelism": "2",
        "hoodie.parquet.block.size": "20000",
        "hoodie.parquet.page.size": "4000",
        **more,
    }


def write(df: DataFrame, path: Path, settings: Mapping[str, str], mode: str = "append") -> None:
    """A Hudi write without any index."""
    df.write.format("hudi").options(**settings).mode(mode).save(str(path))


@contextmanager
def sql_table(spark: SparkSession, path: Path) -> Iterator[str]:
    """The name of a table of Spark SQL over a Hudi table, for the block."""
    spark.sql(f"create table tested using hudi location '{path}'")
    try:
        yield "tested"
    finally:
        spark.sql("drop table tested")


def timeline_of(path: Path) -> Timeline:
    """The active timeline of a table."""
    return Timeline.of(Location.parse(str(path)))


def times_of(path: Path) -> list[str]:
    """The commits of a table in the times that ranges go by."""
    return sorted(entry.completion or entry.instant for entry in timeline_of(path).commits)


def live_files(spark: SparkSession, path: Path) -> set[str]:
    """Paths, relative to the table, of the files that Spark reads for a snapshot query."""
    df = spark.read.format("hudi").load(str(path))
    names = df.select("_hoodie_file_name", "_hoodie_partition_path").distinct().collect()
    return {f"{row[1]}/{row[0]}".lstrip("/") for row in names}


def status(spark: SparkSession, path: str | Path) -> IndexStatus:
    """Compares an index with the table as Hudi's own view lists it."""
    table = HudiTable(spark, path)
    return status_by_listing(table.root, table.snapshot())


def compact_index(spark: SparkSession, path: Path, grace_seconds: float = GRACE_SECONDS) -> None:
    """Compacts an index with the files that Hudi's own view lists."""
    files = HudiTable(spark, path).snapshot().files
    compact(open_storage(path), lambda: {file.relative_path for file in files}, grace_seconds)


def update_by_listing(spark: SparkSession, path: Path) -> IndexUpdate:
    """Brings the index up to date as if the timeline told nothing."""
    with mock.patch.object(indexer, "by_timeline", side_effect=UnknownChangesError("to compare")):
        return IndexCreator(spark).update(str(path))


def check_listing_says_the_same(spark: SparkSession, path: Path) -> None:
    """Holds the index against another one of the table, which is always brought up to date by a listing."""
    snapshot = Snapshot.of(path)
    with another_index(path):
        update_by_listing(spark, path)
        assert Snapshot.of(path) == snapshot


def check_index(
    spark: SparkSession, path: Path, columns: Iterable[str]
) -> dict[str, dict[str, IndexedStatistics]]:
    """Holds the index against every value of every live file.

    Returns:
        What the index says about the columns, live files only.
    """
    index = StatisticsIndex.open(path)
    live = live_files(spark, path)
    found = index.statistics(list(columns))
    for column, by_file in found.items():
        assert set(by_file) >= live, f"{column}: files without rows"
        for name in live:
            _check(path / name, column, by_file[name])
    assert index.manifest.live.files == len(live)
    assert index.manifest.live.rows == spark.read.format("hudi").load(str(path)).count()
    assert index.manifest.live.bytes == sum((path / name).stat().st_size for name in live)
    return {column: {name: by_file[name] for name in live} for column, by_file in found.items()}


def _check(file: Path, column: str, entry: IndexedStatistics) -> None:
    where = f"{column} in {file.name}"
    values = values_of(pq.ParquetFile(file).read(columns=[column]).to_pylist(), column)
    assert entry.file_size == file.stat().st_size, where
    check_statistics(where, entry.statistics, values)


def values_of(rows: list[Any], column: str) -> list[Any]:
    """The values of a column or, by its dotted name, of a struct field."""
    for field in column.split("."):
        rows = [None if row is None else row[field] for row in rows]
    return rows


def check_statistics(where: str, statistics: ColumnStatistics, values: list[Any]) -> None:
    """Holds statistics against the values that they are about."""
    known = [value for value in values if value is not None]
    nans = [value for value in known if isinstance(value, float) and math.isnan(value)]
    assert statistics.value_count == len(values), where
    assert statistics.null_count in (None, len(values) - len(known)), where
    assert statistics.nan_count in (None, len(nans)), where
    if statistics.type.kind is ValueKind.FLOAT and nans:
        assert statistics.nan_count is None, f"{where}: a NaN went unseen"
    bloom, distinct = bloom_filter(statistics), all_values(statistics)
    for value in known:
        if value in nans:
            continue
        plain = value.replace(tzinfo=None) if isinstance(value, datetime) else value
        encoded = encode_value(statistics.type, plain)
        assert statistics.lower is None or statistics.lower <= encoded, (
            f"{where}: {value!r} is below its bound"
        )
        assert statistics.upper is None or statistics.upper >= encoded, (
            f"{where}: {value!r} is above its bound"
        )
        assert bloom is None or bloom.might_contain(encoded), (
            f"{where}: {value!r} is denied by the Bloom filter"
        )
        assert distinct is None or encoded in distinct, f"{where}: {value!r} is denied by the value set"
