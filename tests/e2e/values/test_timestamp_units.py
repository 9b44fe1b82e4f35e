"""Timestamps whose unit the file and the table do not agree on, as Hudi's readers since 1.1 read them."""

from typing import Any, Final

import pytest
from pyspark.sql import SparkSession

from pycompiler import IndexCreator

from ..harness.avro_writer import AvroWriter
from ..harness.engines import MODES
from ..harness.lake import Lake
from ..harness.session import Session

MICROS: Final = {"type": "long", "logicalType": "timestamp-micros"}
MILLIS: Final = {"type": "long", "logicalType": "timestamp-millis"}
LOCAL_MICROS: Final = {"type": "long", "logicalType": "local-timestamp-micros"}
LOCAL_MILLIS: Final = {"type": "long", "logicalType": "local-timestamp-millis"}
NUMBER: Final = 1641603723456
"""Milliseconds of 2022-01-08 01:02:03.456."""
DAY: Final = "2022-01-08 01:02:03.456"
EVERY_KIND: Final = {"t": "range,bloom,values"}


def fields(moment: dict[str, str]) -> dict[str, Any]:
    """A timestamp in every place."""
    return {
        "t": moment,
        "s": {"type": "record", "name": "inner", "fields": [{"name": "t", "type": moment}]},
        "a": {"type": "array", "items": moment},
        "m": {"type": "map", "values": moment},
    }


def row(key: str, number: int = NUMBER) -> dict[str, Any]:
    return {"id": key, "t": number, "s": {"t": number}, "a": [number], "m": {"k": number}}


@pytest.fixture(params=["COPY_ON_WRITE", "MERGE_ON_READ"])
def table(request: pytest.FixtureRequest, spark: SparkSession, lake: Lake) -> AvroWriter:
    return AvroWriter(spark, lake.fresh("units"), request.param)


CONDITIONS: Final = (
    "t >= timestamp '2022-01-01 00:00:00'",
    f"t = timestamp '{DAY}'",
    f"t in (timestamp '{DAY}', timestamp '2000-01-01 00:00:00')",
    "s.t >= timestamp '2022-01-01 00:00:00'",
    "t > timestamp '2000-01-01 00:00:00' and s.t < timestamp '2023-01-01 00:00:00'",
)


def build(spark: SparkSession, table: AvroWriter) -> None:
    IndexCreator(spark, EVERY_KIND).build(str(table.path))


def check_milliseconds(session: Session, table: AvroWriter, ids: tuple[str, ...]) -> None:
    """All rows have the number in milliseconds, in every mode of reading."""
    with session.table(table.path) as name:
        for mode in MODES.values():
            with session.settings(mode):
                found = session.rows(
                    f"select id, cast(t as string), cast(s.t as string), cast(a[0] as string),"
                    f" cast(m['k'] as string) from {name} order by id"
                )
                assert found == [(key, DAY, DAY, DAY, DAY) for key in ids]
                for condition in CONDITIONS:
                    query = f"select id, cast(t as string) from {name} where {condition} order by id"
                    assert session.rows(query) == [(key, DAY) for key in ids], condition
                assert session.rows(f"select id from {name} where t < timestamp '2000-01-01 00:00:00'") == []


@pytest.mark.default_hudi
def test_mislabelled_milliseconds_are_read_as_the_table_says(session: Session, table: AvroWriter) -> None:
    table.write(fields(MICROS), [row("1")])
    table.write(fields(MILLIS), [row("2")])
    check_milliseconds(session, table, ("1", "2"))


@pytest.mark.default_hudi
@pytest.mark.parametrize("first", [MICROS, MILLIS], ids=["built before", "built after"])
def test_the_index_skips_by_the_present_unit(
    session: Session, spark: SparkSession, table: AvroWriter, first: dict[str, str]
) -> None:
    table.write(fields(MICROS), [row("1")])
    if first is MICROS:
        build(spark, table)
    table.write(fields(MILLIS), [row("2")])
    if first is MILLIS:
        build(spark, table)
    check_milliseconds(session, table, ("1", "2"))


@pytest.mark.default_hudi
def test_logs_have_the_numbers_of_the_table(session: Session, spark: SparkSession, lake: Lake) -> None:
    table = AvroWriter(spark, lake.fresh("units"), "MERGE_ON_READ")
    table.write(fields(MICROS), [row("1", 5), row("2"), row("3", 5)])
    table.write(fields(MICROS), [row("1")], "upsert")
    table.write(fields(MILLIS), [row("3")], "upsert")
    logs = [file for file in table.path.iterdir() if ".log." in file.name and file.suffix != ".crc"]
    assert len(logs) == 2
    check_milliseconds(session, table, ("1", "2", "3"))
    build(spark, table)
    check_milliseconds(session, table, ("1", "2", "3"))


@pytest.mark.default_hudi
@pytest.mark.parametrize(
    ("moment", "text"),
    [(LOCAL_MILLIS, DAY), (LOCAL_MICROS, "1970-01-20 00:00:03.723456")],
    ids=["millis", "micros"],
)
def test_timestamps_without_a_zone_are_plain_numbers_in_files(
    session: Session, spark: SparkSession, table: AvroWriter, moment: dict[str, str], text: str
) -> None:
    table.write(fields(moment), [row("1")])
    table.write(fields(moment), [row("2")], "upsert")
    for indexed in (False, True):
        if indexed:
            build(spark, table)
        with session.table(table.path) as name:
            for mode in MODES.values():
                with session.settings(mode):
                    query = f"select id, cast(t as string), cast(s.t as string) from {name}"
                    everything = [("1", text, text), ("2", text, text)]
                    assert session.rows(f"{query} order by id") == everything
                    chosen = f"{query} where t = timestamp '{text}' order by id"
                    assert session.rows(chosen) == everything
