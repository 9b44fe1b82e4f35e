"""Timestamps that the Hive table declares as `bigint`, as hive-sync does: the numbers that the files have."""

from collections.abc import Iterator
from itertools import cycle
from typing import Any, Final

import pytest
from pyspark.sql import SparkSession

from pycompiler import IndexCreator

from ..harness.avro_writer import AvroWriter
from ..harness.check import Checker
from ..harness.engines import ENGINES, MODES
from ..harness.hudi_writer import HudiWriter
from ..harness.lake import Lake
from ..harness.session import Session
from ..merging.cases import commits
from ..merging.consume import incremental
from .test_timestamp_units import (
    EVERY_KIND,
    LOCAL_MICROS,
    LOCAL_MILLIS,
    MICROS,
    MILLIS,
    NUMBER,
    build,
    fields,
    row,
)

COLUMNS: Final = "id string, t bigint, s struct<t:bigint>, a array<bigint>, m map<string,bigint>"
FORMS: Final = {
    "micros": (MICROS, MICROS, "MERGE_ON_READ"),
    "millis": (MILLIS, MILLIS, "MERGE_ON_READ"),
    "mislabelled": (MICROS, MILLIS, "COPY_ON_WRITE"),
    "mislabelled, merged": (MICROS, MILLIS, "MERGE_ON_READ"),
    "local micros": (LOCAL_MICROS, LOCAL_MICROS, "COPY_ON_WRITE"),
    "local millis": (LOCAL_MILLIS, LOCAL_MILLIS, "MERGE_ON_READ"),
}
"""Schemas of the first and of later commits."""
BY_SPARK: Final = "id int, n bigint, t bigint, grp string"
TIMESTAMPS: Final = "hoodie.parquet.outputtimestamptype"
FIRST: Final = 1_600_000_000_123_000
"""Microseconds of the row 0 that Spark writes; each row is a millisecond later."""


@pytest.fixture
def table(request: pytest.FixtureRequest, spark: SparkSession, lake: Lake) -> AvroWriter:
    return AvroWriter(spark, lake.fresh("numbers"), getattr(request, "param", "MERGE_ON_READ"))


def answers(session: Session, query: str, modes: Any = MODES) -> Iterator[tuple[str, list[Any]]]:
    for name, mode in modes.items():
        with session.settings(mode):
            yield name, session.rows(query)


@pytest.mark.default_hudi
@pytest.mark.parametrize(("first", "second", "table"), FORMS.values(), ids=FORMS, indirect=["table"])
def test_a_timestamp_declared_as_bigint_is_the_number_in_the_file(
    session: Session, spark: SparkSession, table: AvroWriter, first: dict[str, str], second: dict[str, str]
) -> None:
    table.write(fields(first), [row("1"), row("2", 5), row("3")])
    table.write(fields(second), [row("2", NUMBER + 1)], "upsert")
    table.write(fields(second), [row("4", 7)], "insert")
    numbers = {"1": NUMBER, "2": NUMBER + 1, "3": NUMBER, "4": 7}
    expected = [(key, n, n, n, n, f'{{"t":{n}}}', f"[{n}]") for key, n in numbers.items()]
    with session.table(table.path, columns=COLUMNS) as name:
        query = f"select id, t, s.t, a[0], m['k'], s, a from {name} order by id"
        for mode, found in answers(session, query, ENGINES):
            assert found == expected, mode
    build(spark, table)
    conditions = {
        f"t = {NUMBER}": "13",
        f"t > {NUMBER}": "2",
        f"s.t <= {NUMBER}": "134",
        f"t in (7, {NUMBER + 1})": "24",
        f"t between 8 and {NUMBER} or s.t = 7": "134",
        "t is null": "",
    }
    with session.table(table.path, columns=COLUMNS) as name:
        for (condition, keys), settings in zip(conditions.items(), cycle(MODES.values()), strict=False):
            with session.settings(settings):
                found = session.rows(f"select id, t from {name} where {condition} order by id")
            assert found == [(key, numbers[key]) for key in keys], f"{condition}, {settings}"


@pytest.mark.default_hudi
@pytest.mark.parametrize(
    ("moment", "table"),
    [(MICROS, "COPY_ON_WRITE"), (MILLIS, "MERGE_ON_READ"), (LOCAL_MILLIS, "COPY_ON_WRITE")],
    ids=["micros", "millis", "local millis"],
    indirect=["table"],
)
def test_conditions_on_the_number_skip_files(
    check: Checker, session: Session, spark: SparkSession, table: AvroWriter, moment: dict[str, str]
) -> None:
    for number in range(4):
        table.write(fields(moment), [row(f"{number}{i}", NUMBER + 100 * number + i) for i in range(3)])
    build(spark, table)
    with session.table(table.path, columns=COLUMNS) as name:
        for condition, kept in {
            f"t = {NUMBER + 101}": 1,
            f"t < {NUMBER + 100}": 1,
            f"s.t >= {NUMBER + 200}": 2,
            f"t between {NUMBER + 1} and {NUMBER + 100}": 2,
            f"t div 1000000 > {(NUMBER + 900) // 1_000_000}": 0,
            f"t * 2 > {2 * (NUMBER + 202)}": 1,
        }.items():
            asked = check.run(f"select id from {name} where {condition}")
            assert asked.scan.kept == kept, f"{condition}: {asked.scan.line}"


@pytest.mark.default_hudi
@pytest.mark.parametrize("kind", ["copy_on_write", "merge_on_read"])
def test_milliseconds_of_a_table_in_microseconds_are_read_as_they_are_or_refused(
    check: Checker, session: Session, spark: SparkSession, lake: Lake, kind: str
) -> None:
    writer = HudiWriter(spark, lake.fresh("numbers"), {"hoodie.datasource.write.table.type": kind.upper()})

    def write(ids: range, form: str, operation: str = "bulk_insert") -> None:
        rows = spark.range(ids.start, ids.stop).selectExpr(
            "cast(id as int) id", "id n", f"timestamp_micros({FIRST} + id * 1000) t", "'east' grp"
        )
        writer.write(rows.coalesce(1), operation, {TIMESTAMPS: form})

    write(range(10), "TIMESTAMP_MILLIS")
    write(range(10, 20), "TIMESTAMP_MICROS")
    for indexed in (False, True):
        if indexed:
            IndexCreator(spark, EVERY_KIND).build(str(writer.path))
        with session.table(writer.path, columns=BY_SPARK) as name:
            millis = [(i, FIRST // 1000 + i) for i in range(10)]
            micros = [(i, FIRST + 1000 * i) for i in range(10, 20)]
            for mode, found in answers(session, f"select id, t from {name} order by id"):
                assert found == [*millis, *micros], mode
            for condition, expected in {
                f"t < {FIRST}": millis,
                f"t >= {FIRST}": micros,
                f"t = {FIRST // 1000 + 3}": millis[3:4],
                f"t = {FIRST + 13_000}": micros[3:4],
                f"t = {FIRST + 3_000}": [],
            }.items():
                asked = check.run(f"select id, t from {name} where {condition} order by id")
                assert list(asked.rows) == expected
                assert not indexed or asked.scan.kept <= 1, asked.scan.line
    write(range(20, 30), "INT96")
    with session.table(writer.path, columns=BY_SPARK) as name:
        for settings in MODES.values():
            with session.settings(settings):
                session.assert_refused(f"select t from {name}", "column t is .*bigint")
                assert len(session.rows(f"select id from {name}")) == 30
        if kind == "copy_on_write":
            return
        write(range(5, 6), "TIMESTAMP_MICROS", "upsert")
        session.assert_refused(f"select t from {name} where id < 10", "column t .*bigint")


@pytest.mark.default_hudi
def test_past_states_and_ranges_have_the_numbers(session: Session, table: AvroWriter) -> None:
    table.write(fields(MICROS), [row("1", 1), row("2", 2)])
    table.write(fields(MICROS), [row("2", 3)], "upsert")
    (first, _), (second, _) = commits(table.path)
    with session.table(table.path, columns=COLUMNS) as name:
        for mode, found in answers(
            session, f"select id, t, s.t from {name} for system_version as of {first} order by id"
        ):
            assert found == [("1", 1, 1), ("2", 2, 2)], mode
        with session.settings(incremental("units", start_timestamp=first, end_timestamp=second)):
            for mode, found in answers(session, f"select id, t, s.t from {name} where t > 0"):
                assert found == [("2", 3, 3)], mode


@pytest.mark.default_hudi
def test_types_of_other_columns_stay_those_of_the_table(session: Session, table: AvroWriter) -> None:
    table.write({**fields(MICROS), "n": "long", "d": {"type": "int", "logicalType": "date"}}, [])
    for columns in ("n timestamp", "t int", "d bigint", "s struct<t:int>", "t decimal(20,0)"):
        session.assert_refused(
            f"create external table refused ({columns}) stored by 'io.hudiskip.hive.HudiStorageHandler'"
            f" location '{table.path}'",
            f"column {columns.split()[0]} is declared as ",
        )
    with session.table(table.path, columns="s struct<t:bigint>, t bigint") as name:
        described = [tuple(line[:2]) for line in session.rows(f"describe {name}")]
        assert described == [("s", "struct<t:bigint>"), ("t", "bigint")]
