"""Inspects an index beside its table, as Hudi lists it: whether it is complete, and whether it is true."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Final

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from pycompiler.index.index import StatisticsIndex
from pycompiler.index.options import IndexOptions
from pycompiler.index.records import RANGE, WriteStatus
from pycompiler.indexing.progress import Progress, no_progress
from pycompiler.spark.executors import LOG_MODULES, modules_for, require_modules
from pycompiler.spark.footers import footer_records
from pycompiler.spark.hudi_table import HudiTable
from pycompiler.spark.progress import ProgressCounter
from pycompiler.spark.tasks import (
    CHECKED_COLUMNS,
    RECORD_COLUMNS,
    content_checker,
    data_file_reader,
    entry_text,
)
from pycompiler.values.types import FROM_MICROS, FROM_MILLIS, RECORDED_MILLIS, TIMESTAMP

_MOMENTS: Final = tuple(map(str, (TIMESTAMP, FROM_MICROS, FROM_MILLIS)))
"""Types of records of timestamps that the table does not count in milliseconds."""
MAX_FINDINGS: Final = 1000
"""Beyond this, findings are counted but not listed."""

_EVERY_KIND: Final = IndexOptions({"*": "bloom,values"})
"""The kinds to compare; contents of kinds that are not installed are ignored."""

_KEY: Final = ["kind", "column", "partition", "file_name"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A row of the index that is not true of its file."""

    column: str
    path: str
    problem: str


@dataclass(frozen=True, slots=True)
class Verification:
    """The result of `verify`.

    Attributes:
        records: Rows that were compared with their footers.
        wrong: How many of them could make a reader skip a file wrongly.
        findings: These rows, at most `MAX_FINDINGS`.
        files_gone: Files with rows that the table no longer has: harmless.
        files_resized: Files with rows for another size: readers ignore these rows.
        files_missing: Files of the table without rows: never skipped.
    """

    generation: int
    records: int
    wrong: int
    findings: tuple[Finding, ...]
    files_gone: int
    files_resized: int
    files_missing: int

    @property
    def sound(self) -> bool:
        """Whether every row is true."""
        return self.wrong == 0


def verify(spark: SparkSession, path: str | PathLike[str], progress: Progress = no_progress) -> Verification:
    """Reads all indexed files again, on the executors, and compares every row of the index.

    A range is true if its bounds enclose the footer's and its counts equal the footer's; for a partition
    column that belongs only in the path, the path replaces the footer. A Bloom filter or value set is true if
    it denies no value in the file's pages.

    Raises:
        IndexUnavailableError: The index is missing or damaged; the message says why.
        NotAHudiTableError: There is no Hudi table at the path.
        UnsupportedTableError: The table is bootstrapped, or not Parquet.
        ExecutorPythonError: The executors' Python lacks a library.
    """
    table = HudiTable(spark, path)
    index = StatisticsIndex.open(table.root)
    require_modules(spark.sparkContext, modules_for(_EVERY_KIND, table.root))
    indexed = index.files()
    index.check()
    listed = {file.relative_path: file for file in table.snapshot().files}
    present = [file for name, file in listed.items() if name in indexed]
    if any(file.is_log for file in present):
        require_modules(spark.sparkContext, LOG_MODULES)
    resized = sum(indexed[file.relative_path].size != file.size for file in present)
    with ProgressCounter(spark.sparkContext, len(present), progress) as count:
        compared = _compare(spark, table, index, present, count).persist()
        try:
            totals = compared.agg(F.count("*"), F.count("problem")).first()
            found = compared.where("problem is not null").orderBy(*_KEY).limit(MAX_FINDINGS).collect()
        finally:
            compared.unpersist()
    return Verification(
        generation=index.manifest.generation,
        records=totals[0] if totals else 0,
        wrong=totals[1] if totals else 0,
        findings=tuple(
            Finding(row.column, f"{row.partition}/{row.file_name}".lstrip("/"), row.problem) for row in found
        ),
        files_gone=len(indexed.keys() - listed.keys()),
        files_resized=resized,
        files_missing=len(listed.keys() - indexed.keys()),
    )


def _compare(
    spark: SparkSession,
    table: HudiTable,
    index: StatisticsIndex,
    present: Sequence[WriteStatus],
    count: Callable[[int], None],
) -> DataFrame:
    """One row for each index row that a reader would use, with its `problem` or NULL."""
    entries = [(number, entry_text(item)) for number, item in enumerate(index.manifest.data_files)]
    stored = (
        spark.createDataFrame(entries, "ordinal int, entry string")
        .mapInArrow(data_file_reader(table.root), f"{RECORD_COLUMNS}, ordinal int")
        .groupBy(*_KEY)
        .agg(F.max_by(F.struct("*"), "ordinal").alias("row"))
        .select("row.*")
    )
    # Records of a log file stay true however the table's schema changes.
    columns = replace(table.columns_of_files, may_differ=True)
    files = spark.createDataFrame(
        [(file.partition, file.file_name, file.size, file.path) for file in present],
        "partition string, file_name string, file_size bigint, path string",
    )
    # Readers use a row only for a file of the same size.
    used = stored.join(F.broadcast(files), ["partition", "file_name", "file_size"])
    # Nor one of timestamps in another unit than the table's.
    in_millis = F.col("column").isin([name for name, unit in columns.units.items() if unit == "ms"])
    is_moment = F.col("type").isin(str(RECORDED_MILLIS), *_MOMENTS)
    used = used.where(~is_moment | ((F.col("type") == str(RECORDED_MILLIS)) == in_millis))
    # Grouped by file, so that its pages are read once.
    contents = (
        used.where(f"kind <> '{RANGE}'")
        .repartition("path")
        .sortWithinPartitions("path", "column")
        .mapInArrow(content_checker(columns), CHECKED_COLUMNS)
    )
    is_range = f"kind = '{RANGE}'"
    truth = footer_records(spark, present, IndexOptions(), count, columns).where(is_range).alias("truth")
    same = [F.col(f"stored.{name}") == F.col(f"truth.{name}") for name in _KEY]
    ranges = used.where(is_range).alias("stored").join(truth, same, "left")
    stored_key = (F.col(f"stored.{name}") for name in _KEY)
    return ranges.select(*stored_key, _problem().alias("problem")).unionByName(contents)


def _problem() -> Column:
    """What is untrue in a stored row, compared with the footer's current row; NULL if nothing is."""

    def differs(name: str) -> Column:
        return ~F.col(f"stored.{name}").eqNullSafe(F.col(f"truth.{name}"))

    def claimed(name: str, untrue: Column) -> Column:
        # A missing part of the stored row claims nothing; one missing in the footer proves nothing.
        unfounded = F.col(f"truth.{name}").isNull()
        return F.col(f"stored.{name}").isNotNull() & (unfounded | untrue)

    is_older = F.col("stored.type") == str(TIMESTAMP)
    checks = {
        # Older releases did not record in what a file counts.
        "type differs": differs("type") & ~(is_older & F.col("truth.type").isin(*_MOMENTS)),
        "value count differs": differs("value_count"),
        "lower bound above a value": claimed("lower", F.col("stored.lower") > F.col("truth.lower")),
        "upper bound below a value": claimed("upper", F.col("stored.upper") < F.col("truth.upper")),
        "null count differs": claimed("null_count", differs("null_count")),
        "NaN count differs": claimed("nan_count", differs("nan_count")),
    }
    problems = F.concat_ws(", ", *(F.when(check, F.lit(text)) for text, check in checks.items()))
    return F.when(
        F.col("truth.column").isNull(), F.lit("the file has no statistics for the column")
    ).otherwise(F.when(problems != "", problems))
