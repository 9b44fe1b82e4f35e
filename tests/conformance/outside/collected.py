"""Has Spark write rows to Parquet, and collects statistics of the files.

Spark writes with parquet-mr, as Hudi does; the collector trusts other writers less.
"""

import json
import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from pyspark.sql import SparkSession
from pyspark.sql import types as spark_types

from pycompiler.compile.expression.evaluator import FileStatistics
from pycompiler.index.records import WriteStatus
from tests.records import read_records

from ..vectors import days_of, micros_of
from .reading import Json, Row

SPARK_SETTINGS: Final = {
    "spark.sql.session.timeZone": "UTC",
    # As Hudi writes them.
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
    "spark.sql.parquet.datetimeRebaseModeInWrite": "CORRECTED",
}
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=timezone.utc)
_PADDED: Final = re.compile(r"\b(var)?char\s*\(\s*\d+\s*\)", re.IGNORECASE)


class Collector:
    """Writes rows to Parquet files and collects their statistics; equal files are written once.

    Args:
        spark: A session with `SPARK_SETTINGS`.
        folder: An existing folder for these files only.
    """

    def __init__(self, spark: SparkSession, folder: Path) -> None:
        self._spark = spark
        self._folder = folder
        self._found: dict[str, FileStatistics] = {}

    def file_statistics(self, columns: Mapping[str, str], rows: Sequence[Row]) -> FileStatistics:
        """Returns statistics of a file with these rows, by lower-case column name; types are as written."""
        key = json.dumps([columns, list(rows)])
        if key not in self._found:
            self._found[key] = self._collect(columns, rows)
        return self._found[key]

    def _collect(self, columns: Mapping[str, str], rows: Sequence[Row]) -> FileStatistics:
        # Parquet stores varchar and char as strings, and Spark's data frames lack these types.
        fields = [f"`{name}` {_PADDED.sub('string', hive_type)}" for name, hive_type in columns.items()]
        schema = self._spark.createDataFrame([], ", ".join(fields)).schema
        values = [_spark_value(schema, dict(row)) for row in rows]
        folder = self._folder / str(len(self._found))
        self._spark.createDataFrame(values, schema).coalesce(1).write.parquet(str(folder))
        (file,) = folder.glob("*.parquet")
        records = read_records(WriteStatus("", file.name, str(file), file.stat().st_size, "1"))
        return {record.column: record.statistics() for record in records}


def _spark_value(data_type: spark_types.DataType, value: Json) -> Any:
    """Converts a vector's JSON value to what Spark accepts for a column of this type."""
    if value is None:
        return None
    match data_type, value:
        case spark_types.StructType(), dict():
            return tuple(_spark_value(field.dataType, value.get(field.name)) for field in data_type.fields)
        case spark_types.MapType(), dict():
            return {
                _map_key(data_type.keyType, key): _spark_value(data_type.valueType, item)
                for key, item in value.items()
            }
        case spark_types.ArrayType(), list():
            return [_spark_value(data_type.elementType, item) for item in value]
        case spark_types.DateType(), str():
            return _EPOCH.date() + timedelta(days=days_of(value))
        case spark_types.TimestampType(), str():
            return _EPOCH + timedelta(microseconds=micros_of(value))
        case spark_types.DecimalType(), _:
            return Decimal(str(value))
        case ((spark_types.FloatType() | spark_types.DoubleType()), int() | float() | str()):
            return float(value)
        case spark_types.BinaryType(), str():
            return bytes.fromhex(value)
    return value


def _map_key(data_type: spark_types.DataType, key: str) -> Any:
    """Converts the keys of JSON objects, which are always text."""
    return int(key) if isinstance(data_type, spark_types.IntegralType) else _spark_value(data_type, key)
