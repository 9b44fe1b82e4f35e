"""Statistics of files that Spark and Hudi write, parquet-mr's, against the values in them."""

from decimal import Decimal
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.types import HiveType
from pycompiler.index.records import HoodieMetadataRecord, WriteStatus
from tests.records import read_records

pytestmark = pytest.mark.spark

DOUBLE = HiveType("double")
ROWS = 12_000


@pytest.fixture(scope="module")
def plain_file(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Spark file of several row groups; columns have their odd value in one of them only."""
    folder = tmp_path_factory.mktemp("plain") / "t"
    session = spark.newSession()
    session.conf.set("spark.sql.parquet.datetimeRebaseModeInWrite", "CORRECTED")
    df = session.range(0, ROWS, 1, 1).selectExpr(
        "id",
        f"if(id = {ROWS} - 5, double('NaN'), double(id)) as nan_late",
        "if(id = 0, double('NaN'), double(id)) as nan_first",
        "if(id = 0, -double('NaN'), -double(id)) as nan_negated",
        "float('NaN') as nan_only",
        "if(id % 3 = 0, null, double(id) - 5000) as no_nan",
        "if(id % 2 = 0, double('-0.0'), double('0.0')) as zeros",
        "double('-0.0') as negative_zero",
        f"if(id = {ROWS} - 5, repeat('x', 5000), concat('s', id)) as long_late",
        "if(id % 2 = 0, decode(unhex('F09F9880'), 'utf-8'), decode(unhex('EFBFBF'), 'utf-8')) as astral",
        "cast(null as string) as nothing",
        "cast(id - 5000 as decimal(9,2)) as dec9",
        "cast(id - 5000 as decimal(18,2)) as dec18",
        "cast(id - 5000 as decimal(38,2)) as dec38",
        "date_add(date'1500-01-01', cast(id as int)) as old_late",
        "timestamp_micros(id * 1000003) as ts",
    )
    df.write.option("parquet.block.size", "65536").option("parquet.page.size", "8192").parquet(str(folder))
    (file,) = folder.glob("*.parquet")
    assert pq.ParquetFile(file).metadata.num_row_groups > 3
    return file


@pytest.fixture(scope="module")
def records(plain_file: Path) -> dict[str, HoodieMetadataRecord]:
    status = WriteStatus("", "id", str(plain_file), 0, "1")
    return {record.column: record for record in read_records(status)}


def test_parquet_mr_writes_a_nan_as_the_maximum_of_its_row_group(plain_file: Path) -> None:
    """The fact that the NaN rule of the index rests on."""
    metadata = pq.ParquetFile(plain_file).metadata
    assert metadata.created_by.startswith("parquet-mr version 1.13.1 (build"), metadata.created_by
    names = [metadata.schema.column(number).name for number in range(metadata.num_columns)]
    for name, groups_with_nan in (("nan_late", 1), ("nan_first", 1), ("nan_negated", 1), ("no_nan", 0)):
        column = names.index(name)
        groups = [metadata.row_group(number).column(column) for number in range(metadata.num_row_groups)]
        maxima = [group.statistics.max_raw for group in groups]
        assert sum(maximum != maximum for maximum in maxima) == groups_with_nan, f"{name}: {maxima}"


BOUNDS = {
    # A NaN in any row group takes away bounds and count.
    "nan_late": (None, None, 0, None),
    "nan_first": (None, None, 0, None),
    "nan_negated": (None, None, 0, None),
    "nan_only": (None, None, 0, None),
    "no_nan": (encode_value(DOUBLE, -4999.0), encode_value(DOUBLE, ROWS - 5001.0), ROWS // 3, 0),
    # Zeros of both signs are one value.
    "zeros": (encode_value(DOUBLE, 0.0), encode_value(DOUBLE, 0.0), 0, 0),
    "negative_zero": (encode_value(DOUBLE, 0.0), encode_value(DOUBLE, 0.0), 0, 0),
    # One string is too long for a footer.
    "long_late": (None, None, None, None),
    "astral": ("\uffff".encode(), "😀".encode(), 0, None),
    "nothing": (None, None, ROWS, None),
    # Writers and Hive disagree on dates before 1583.
    "old_late": (None, None, 0, None),
}
"""Lower and upper bound, number of NULLs, number of NaNs."""


@pytest.mark.parametrize("column", BOUNDS)
def test_what_is_known_of_a_column(records: dict[str, HoodieMetadataRecord], column: str) -> None:
    record = records[column]
    assert (record.lower, record.upper, record.null_count, record.nan_count) == BOUNDS[column]
    assert record.value_count == ROWS


@pytest.mark.selected(1)
@pytest.mark.parametrize(
    ("column", "physical"), [("dec9", "INT32"), ("dec18", "INT64"), ("dec38", "FIXED_LEN_BYTE_ARRAY")]
)
def test_decimals_of_each_physical_type_have_exact_bounds(
    plain_file: Path, records: dict[str, HoodieMetadataRecord], column: str, physical: str
) -> None:
    schema = pq.ParquetFile(plain_file).schema
    stored = {
        schema.column(number).name: schema.column(number).physical_type for number in range(len(schema))
    }
    assert stored[column] == physical
    assert records[column].lower == encode_value(records[column].type, Decimal(-5000))
    assert records[column].upper == encode_value(records[column].type, Decimal(ROWS - 5001))


def test_sparks_own_timestamps_are_int96_and_have_no_bounds(records: dict[str, HoodieMetadataRecord]) -> None:
    record = records["ts"]
    assert (str(record.type), record.lower, record.upper) == ("timestamp", None, None)
