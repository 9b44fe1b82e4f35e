"""What an index has of schemas as Hudi tables have them: wide, nested, and changed between commits."""

from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

from pycompiler.compile.values.encoding import encode_value, truncate_lower, truncate_upper
from pycompiler.compile.values.types import HiveType
from pycompiler.index.index import IndexedStatistics, StatisticsIndex
from pycompiler.indexing.verification import verify
from pycompiler.spark.index_creator import IndexCreator

from .tables import live_files, options, write

pytestmark = pytest.mark.spark

WIDE = 4_000


def indexed(spark: SparkSession, path: Path) -> StatisticsIndex:
    """Brings the index up to date and checks it against the footers."""
    IndexCreator(spark).update(str(path))
    found = verify(str(path))
    assert found.sound, found.findings
    assert found.files_missing == 0
    return StatisticsIndex.open(path)


def statistics(index: StatisticsIndex, column: str, commit: int) -> list[IndexedStatistics]:
    """What the index has of a column in the files of a commit, the first being 0."""
    commits = sorted({file.commit_time for file in index.files().values()})
    by_file = index.statistics([column]).get(column, {})
    return [
        by_file[name]
        for name, file in index.files().items()
        if file.commit_time == commits[commit] and name in by_file
    ]


def range_of(index: StatisticsIndex, column: str, commit: int) -> tuple[str, bytes | None, bytes | None]:
    """Type and bounds of a column over the one file of a commit."""
    (entry,) = statistics(index, column, commit)
    return str(entry.statistics.type), entry.statistics.lower, entry.statistics.upper


def encoded(hive_type: str, low: Any, high: Any) -> tuple[str, bytes | None, bytes | None]:
    """The result of `range_of` for these bounds."""
    kind = HiveType.parse(hive_type)
    return hive_type, encode_value(kind, low), encode_value(kind, high)


def insert(df: DataFrame, path: Path, **more: str) -> None:
    """A commit of one file, which no later commit rewrites."""
    given = {"hoodie.parquet.small.file.limit": "0", **more}
    write(df.coalesce(1), path, options("t", "bulk_insert", False, **given))


@pytest.mark.full
def test_every_column_of_a_wide_table_has_rows(spark: SparkSession, tmp_path: Path) -> None:
    columns = ", ".join(f"id + {n} AS c{n}" for n in range(WIDE - 1))
    path = tmp_path / "wide"
    rows = spark.range(10).selectExpr("id", *columns.split(", "))
    insert(rows, path, **{"hoodie.metadata.enable": "false"})
    index = indexed(spark, path)
    assert len([name for name in index.columns() if not name.startswith("_hoodie")]) == WIDE
    assert range_of(index, f"c{WIDE - 2}", 0) == encoded("bigint", WIDE - 2, WIDE + 7)


def test_fields_of_structs_have_rows_at_any_depth_and_those_in_lists_and_maps_none(
    spark: SparkSession, tmp_path: Path
) -> None:
    schema = (
        "id bigint, a struct<b: struct<c: struct<d: int, e: string>, f: date>, "
        "l: array<struct<x: int>>, m: map<string, int>>"
    )
    frame = spark.createDataFrame(
        [(1, (((7, "p"), date(2020, 1, 1)), [(1,)], {"k": 1})), (2, (((9, "q"), None), [], {})), (3, None)],
        schema,
    )
    path = tmp_path / "nested"
    insert(frame, path)
    index = indexed(spark, path)
    names = {name for name in index.columns() if name.startswith("a")}
    assert names == {"a.b.c.d", "a.b.c.e", "a.b.f"}
    assert range_of(index, "a.b.c.d", 0) == encoded("int", 7, 9)
    (entry,) = statistics(index, "a.b.f", 0)
    assert entry.statistics.null_count == 2, "a NULL struct has NULL fields"


@pytest.mark.selected(1)
@pytest.mark.parametrize(
    ("before", "after", "low", "high"),
    [
        ("int", "bigint", 5, 6),
        ("float", "double", 5.0, 6.0),
        ("int", "double", 5, 6),
        ("int", "string", 5, 6),
    ],
)
def test_rows_of_a_widened_column_have_the_type_that_each_file_has(
    spark: SparkSession, tmp_path: Path, before: str, after: str, low: object, high: object
) -> None:
    path = tmp_path / "widened"
    values = "SELECT 1L AS id, CAST(5 AS {0}) AS v UNION ALL SELECT 2L, CAST(6 AS {0})"
    insert(spark.sql(values.format(before)), path)
    insert(spark.sql(values.format(after).replace("1L", "3L").replace("2L", "4L")), path)
    index = indexed(spark, path)
    assert range_of(index, "v", 0) == encoded(before, low, high), "the old file is not rewritten"
    assert range_of(index, "v", 1)[0] == after


def test_files_have_rows_for_the_columns_that_they_have(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "evolved"
    insert(spark.createDataFrame([(1, 5)], "id bigint, old int"), path)
    wider = spark.createDataFrame([(2, 6, Decimal("1.50"))], "id bigint, old int, added decimal(5,2)")
    insert(wider, path)
    drop = {"hoodie.datasource.write.schema.allow.auto.evolution.column.drop": "true"}
    other = spark.createDataFrame([(3, Decimal("2.50"), 7)], "id bigint, added decimal(5,2), renamed int")
    insert(other, path, **drop)
    index = indexed(spark, path)
    assert range_of(index, "old", 0) == encoded("int", 5, 5), "what was dropped later"
    assert range_of(index, "added", 1) == encoded("decimal(5,2)", Decimal("1.50"), Decimal("1.50"))
    assert range_of(index, "renamed", 2) == encoded("int", 7, 7)
    for column, commit in (("added", 0), ("renamed", 0), ("old", 2)):
        assert statistics(index, column, commit) == [], "absent is unknown, which keeps the file"


@pytest.mark.selected(2)
@pytest.mark.parametrize(
    ("hive_style", "encode"), [("true", "true"), ("true", "false"), ("false", "true"), ("false", "false")]
)
def test_partition_paths_are_indexed_as_they_are_on_disk(
    spark: SparkSession, tmp_path: Path, hive_style: str, encode: str
) -> None:
    path = tmp_path / "a table"
    values = ["plain", "with space", "a=b"] + (
        ["50%", "a/b", "x:y", "%2F", "ü"] if encode == "true" else ["ü", "50%"]
    )
    settings = {
        "hoodie.datasource.write.hive_style_partitioning": hive_style,
        "hoodie.datasource.write.partitionpath.urlencode": encode,
    }
    frame = spark.createDataFrame([(n, value) for n, value in enumerate(values)], "id bigint, part string")
    write(frame.coalesce(1), path, options("t", "bulk_insert", True, **settings))
    index = indexed(spark, path)
    assert set(index.files()) == live_files(spark, path)
    on_disk = {str(file.relative_to(path)) for file in path.rglob("*.parquet") if ".hoodie" not in file.parts}
    assert set(index.files()) == on_disk, "Hive lists the files by these names"
    found = index.statistics(["part"])["part"]
    assert sorted(entry.statistics.lower or b"" for entry in found.values()) == sorted(
        v.encode() for v in values
    )


DROPPED = {"hoodie.datasource.write.drop.partition.columns": "true"}
# Not bulk_insert: its row writer leaves the columns in the files.
IN_PATHS = options("t", "insert", True, **DROPPED)


@pytest.mark.selected(1)
@pytest.mark.parametrize("encode", ["true", "false"])
def test_partition_columns_that_are_only_in_the_path_have_its_value_as_bounds(
    spark: SparkSession, tmp_path: Path, encode: str
) -> None:
    path = tmp_path / "only_in_path"
    values = [None, "plain", "a/b", "50%", "%41", "x" * 100]
    frame = spark.createDataFrame([(n, value) for n, value in enumerate(values)], "id bigint, part string")
    settings = {**IN_PATHS, "hoodie.datasource.write.partitionpath.urlencode": encode}
    write(frame.coalesce(1), path, settings)
    index = indexed(spark, path)
    ids, parts = (index.statistics([column])[column] for column in ("id", "part"))
    for n, value in enumerate(values):
        number = encode_value(HiveType.parse("bigint"), n)
        (file,) = (file for file, entry in ids.items() if entry.statistics.lower == number)
        part = parts[file].statistics
        text = None if value is None else value.encode()
        bounds = (None, None) if text is None else (truncate_lower(text), truncate_upper(text))
        assert (str(part.type), part.lower, part.upper) == ("string", *bounds)
    assert len(parts) == len(values)
    nulls = [entry.statistics for entry in parts.values() if entry.statistics.lower is None]
    assert [(statistics.null_count, statistics.value_count) for statistics in nulls] == [(1, 1)]


@pytest.mark.full
def test_two_partition_columns_that_are_only_in_the_path_have_rows(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = tmp_path / "two_in_path"
    frame = spark.createDataFrame([(1, 7, "Ä/"), (2, 8, "")], "id bigint, Year int, place string")
    encode = {"hoodie.datasource.write.partitionpath.urlencode": "true"}
    by_both = {"hoodie.datasource.write.partitionpath.field": "Year,place"}
    write(frame.coalesce(1), path, {**IN_PATHS, **encode, **by_both})
    index = indexed(spark, path)
    assert {entry.statistics.lower for entry in index.statistics(["year"])["year"].values()} == {b"7", b"8"}
    assert {entry.statistics.lower for entry in index.statistics(["place"])["place"].values()} == {
        "Ä/".encode(),
        None,
    }, "Hudi makes no difference between NULL and the empty string"


def test_nothing_is_said_of_a_partition_column_that_a_file_has_as_something_else(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = tmp_path / "some_in_path"
    for operation, part in (("insert", 7), ("bulk_insert", 8)):
        frame = spark.createDataFrame([(part, part)], "id bigint, part int")
        write(frame.coalesce(1), path, {**IN_PATHS, "hoodie.datasource.write.operation": operation})
    index = indexed(spark, path)
    assert range_of(index, "part", 0) == ("string", b"7", b"7")
    assert statistics(index, "part", 1) == [], "a number, which the handler refuses to read"


@pytest.mark.parametrize(
    "settings",
    [
        {
            "hoodie.datasource.write.keygenerator.class": "org.apache.hudi.keygen.TimestampBasedKeyGenerator",
            "hoodie.keygen.timebased.timestamp.type": "DATE_STRING",
            "hoodie.keygen.timebased.input.dateformat": "yyyy-MM-dd",
            "hoodie.keygen.timebased.output.dateformat": "yyyy/MM",
        },
        {"hoodie.datasource.write.partitionpath.field": "part,other"},
    ],
    ids=["a key generator that writes something else", "whose slash is it?"],
)
def test_a_path_that_does_not_tell_the_value_has_no_row(
    spark: SparkSession, tmp_path: Path, settings: dict[str, str]
) -> None:
    path = tmp_path / "untold"
    frame = spark.createDataFrame([(1, "2020-01-02", "a/b")], "id bigint, part string, other string")
    write(frame.coalesce(1), path, {**IN_PATHS, **settings})
    index = indexed(spark, path)
    assert "part" not in index.columns(), "Hive is refused the table; were it not, the files would be kept"
    assert index.files(), "the other columns have theirs"


def test_a_wrong_row_about_a_column_that_is_only_in_the_path_is_found(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = tmp_path / "moved"
    frame = spark.createDataFrame([(1, "a")], "id bigint, part string")
    write(frame.coalesce(1), path, {**IN_PATHS, "hoodie.datasource.write.partitionpath.urlencode": "true"})
    settings = path / ".hoodie" / "hoodie.properties"
    # Another reading of the same path than the one that the index is made by.
    text = settings.read_text()
    settings.write_text(text.replace("hive_style_partitioning=true", "hive_style_partitioning=false"))
    (path / ".hoodie" / ".hoodie.properties.crc").unlink(missing_ok=True)
    IndexCreator(spark).update(str(path))
    settings.write_text(text)
    found = verify(str(path))
    assert not found.sound
    assert {finding.column for finding in found.findings} == {"part"}
