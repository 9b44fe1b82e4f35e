"""Converts rows of random tables for Spark and back."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from pyspark.sql import DataFrame, SparkSession

from pycompiler.compile.predicate.model import Column
from pycompiler.compile.values.types import HiveType
from tests.drawing.tables import Row, Table, Value

STORED: Final = (
    *("boolean", "int", "bigint", "float", "double", "decimal(5,0)", "decimal(38,10)", "date", "timestamp"),
    *("int", "bigint", "decimal(10,2)", "string", "string", "date"),
)
"""Types that a Hudi table can have. Other types are stored as one of these."""

ORDERING: Final = Column("n", HiveType("int"))
"""The ordering column for records with the same key."""

IDENTITY: Final = tuple(
    Column(f"_hoodie_{name}", HiveType("string")) for name in ("commit_seqno", "record_key")
)
"""What tells a row from others, in the order of `Slice.rows`: a key may be there twice."""

_AS_NUMBERS: Final = {
    "date": ("int", "date_from_unix_date({})", "unix_date({})"),
    "timestamp": ("bigint", "timestamp_micros({})", "unix_micros({})"),
}
"""Types that Python would convert to its own zone and calendar; they travel as numbers."""


def exact_session(spark: SparkSession) -> SparkSession:
    """Returns a session that keeps days and instants before 1900 unchanged."""
    session = spark.newSession()
    for way in ("Read", "Write"):
        session.conf.set(f"spark.sql.parquet.datetimeRebaseModeIn{way}", "CORRECTED")
    return session


def frame(spark: SparkSession, table: Table, keyed: Iterable[tuple[int, str, int, Row]]) -> DataFrame:
    """Builds the rows to write, each with key, partition and ordering value."""
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
    # The partition column comes last: bulk_insert confuses columns if it has to drop another one.
    return spark.createDataFrame(rows, ", ".join(fields)).selectExpr("id", ORDERING.name, *written, "part")


def snapshot(spark: SparkSession, path: Path, columns: Sequence[Column]) -> dict[tuple[str, str], list[Row]]:
    """Returns the rows that Spark reads, by partition path and file id of their slice."""
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
    # File ids differ between runs, and draws must not depend on them.
    return dict(sorted(slices.items(), key=lambda item: (item[0][0], repr(item[1]))))


def shown(columns: Iterable[Column]) -> list[str]:
    """Returns Spark expressions that yield columns as values of a table."""
    return [f"{_shown(column)} as {_plain(column)}" for column in columns]


def file_id(file_name: str) -> str:
    """Returns the file id in the name of a base file; rows from logs have the id itself."""
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
