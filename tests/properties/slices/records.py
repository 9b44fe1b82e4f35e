"""Rows of random tables on their way to Spark and back."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from pyspark.sql import DataFrame, SparkSession

from pycompiler.predicate.model import Column
from pycompiler.values.types import HiveType

from ..tables import Row, Table, Value

STORED: Final = (
    *("boolean", "int", "bigint", "float", "double", "decimal(5,0)", "decimal(38,10)", "date", "timestamp"),
    *("int", "bigint", "decimal(10,2)", "string", "string", "date"),
)
"""Types that a Hudi table has as they are; the others it has as one of these."""

ORDERING: Final = Column("n", HiveType("int"))
"""By which records of one key are ordered."""

_AS_NUMBERS: Final = {
    "date": ("int", "date_from_unix_date({})", "unix_date({})"),
    "timestamp": ("bigint", "timestamp_micros({})", "unix_micros({})"),
}
"""What Python would show in its own zone and calendar goes as a number."""


def exact_session(spark: SparkSession) -> SparkSession:
    """A session that takes days and instants of before 1900 as they are."""
    session = spark.newSession()
    for way in ("Read", "Write"):
        session.conf.set(f"spark.sql.parquet.datetimeRebaseModeIn{way}", "CORRECTED")
    return session


def frame(spark: SparkSession, table: Table, keyed: Iterable[tuple[int, str, int, Row]]) -> DataFrame:
    """Rows to be written: each with its key, partition and ordering value."""
    plain = [_plain(column) for column in table.columns]
    fields = ["id int", "part string", f"{ORDERING.name} int"]
    fields += [f"{name} {_type(column)}" for name, column in zip(plain, table.columns, strict=True)]
    rows = [
        (key, partition, ordering, *(row[column.name] for column in table.columns))
        for key, partition, ordering, row in keyed
    ]
    written = [
        f"{_written(column, name)} as {name}"
        for name, column in zip(plain, table.columns, strict=True)
        if "." not in column.name
    ]
    if table.has_struct:
        written.append(
            "named_struct('a', s_a, 'b', s_b, 'c', named_struct('d', date_from_unix_date(s_c_d))) as s"
        )
    # The partition column comes last: bulk_insert mixes up columns if it is to drop another.
    return spark.createDataFrame(rows, ", ".join(fields)).selectExpr("id", ORDERING.name, *written, "part")


def snapshot(spark: SparkSession, path: Path, columns: Sequence[Column]) -> dict[tuple[str, str], list[Row]]:
    """The rows that Spark reads, by partition path and file id of the slice that it has them from."""
    found = (
        spark.read.format("hudi")
        .load(str(path))
        .selectExpr("_hoodie_partition_path", "_hoodie_file_name", *shown(columns))
        .collect()
    )
    slices: dict[tuple[str, str], list[Row]] = {}
    for partition, file_name, *values in found:
        row: dict[str, Value] = {column.name: value for column, value in zip(columns, values, strict=True)}
        slices.setdefault((partition, file_id(file_name)), []).append(row)
    for rows in slices.values():
        rows.sort(key=repr)
    # File ids are other ones in each run, and what is drawn from the rows must not be.
    return dict(sorted(slices.items(), key=lambda item: (item[0][0], repr(item[1]))))


def shown(columns: Iterable[Column]) -> list[str]:
    """The expressions by which Spark shows columns as values of a table."""
    return [f"{_shown(column)} as {_plain(column)}" for column in columns]


def file_id(file_name: str) -> str:
    """Of the name of a base file; rows of logs have the id itself."""
    return file_name.partition("_")[0]


def _plain(column: Column) -> str:
    return column.name.replace(".", "_")


def _type(column: Column) -> str:
    known = _AS_NUMBERS.get(column.type.name)
    return str(column.type) if known is None else known[0]


def _written(column: Column, name: str) -> str:
    known = _AS_NUMBERS.get(column.type.name)
    return name if known is None else known[1].format(name)


def _shown(column: Column) -> str:
    known = _AS_NUMBERS.get(column.type.name)
    return column.name if known is None else known[2].format(column.name)
