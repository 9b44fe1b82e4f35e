"""Timestamps whose unit the file and the table do not agree on, as Hudi's readers since 1.1 read them."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from pycompiler import IndexCreator
from pycompiler.compile.values.types import TIMESTAMP
from pycompiler.index.file_systems.location import Location
from pycompiler.tools.explain.open_table import open_table

from ..harness.avro_writer import AvroWriter
from ..harness.check import Checker
from ..harness.engines import MODES, in_turn
from ..harness.hudi_writer import COLUMN_STATISTICS
from ..harness.lake import Lake
from ..harness.session import QueryFailed, Session
from ..joins.test_semijoins import SEMIJOIN
from ..merging.cases import commits

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
        none: tuple[str, ...] = ()
        answers = {**dict.fromkeys(CONDITIONS, ids), "t < timestamp '2000-01-01 00:00:00'": none}
        for mode, (condition, keys) in in_turn(MODES.values(), answers.items()):
            with session.settings(mode):
                query = f"select id, cast(t as string) from {name} where {condition} order by id"
                assert session.rows(query) == [(key, DAY) for key in keys], condition


@pytest.mark.default_hudi
def test_mislabelled_milliseconds_are_read_as_the_table_says(session: Session, table: AvroWriter) -> None:
    table.write(fields(MICROS), [row("1")])
    table.write(fields(MILLIS), [row("2")])
    check_milliseconds(session, table, ("1", "2"))


@pytest.mark.default_hudi
@pytest.mark.selected(2)
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
def test_nanoseconds_are_refused_by_name(session: Session, spark: SparkSession, lake: Lake) -> None:
    table = AvroWriter(spark, lake.fresh("units"), "COPY_ON_WRITE")
    table.write(fields(MICROS), [row("1")])
    (file,) = table.path.glob("*.parquet")
    rows = pq.read_table(file)
    position = rows.schema.get_field_index("t")
    finer = rows["t"].cast(pa.int64()).cast(pa.timestamp("ns", "UTC"))
    pq.write_table(rows.set_column(position, "t", finer), file)
    file.with_name(f".{file.name}.crc").unlink(missing_ok=True)
    with session.table(table.path) as name:
        for mode in MODES.values():
            with session.settings(mode):
                with pytest.raises(QueryFailed, match="column t is .* in the file"):
                    session.rows(f"select id from {name} where t > timestamp '2000-01-01 00:00:00'")
                assert session.rows(f"select id from {name} where id = '1'") == [("1",)]


DAYS: Final = (0, 40, 80, 120)
"""Days after `NUMBER` of rows 0 to 3; two rows are in each of two files."""
DAY_MILLIS: Final = 86_400_000
SOURCES: Final[Mapping[str, Mapping[str, str]]] = {
    "no index": {},
    "index": {"hudi.skipping.index": "parquet"},
    "metadata table": {"hudi.skipping.index": "metadata-table"},
}


def text_of(number: int) -> str:
    """How Hive shows a row's timestamp."""
    moment = datetime.fromisoformat(DAY) + timedelta(days=DAYS[number])
    return moment.isoformat(" ", "milliseconds")


def write_pairs(table: AvroWriter, first: dict[str, str], second: dict[str, str]) -> None:
    """Two files of two rows each."""
    rows = [row(str(number), NUMBER + days * DAY_MILLIS) for number, days in enumerate(DAYS)]
    table.write(fields(first), rows[:2])
    table.write(fields(second), rows[2:])


@pytest.mark.default_hudi
@pytest.mark.selected(3)
@pytest.mark.parametrize("kind", ["COPY_ON_WRITE", "MERGE_ON_READ"])
@pytest.mark.parametrize("source", SOURCES)
def test_ranges_joins_and_first_rows_have_the_unit_of_the_table(
    check: Checker, spark: SparkSession, lake: Lake, kind: str, source: str
) -> None:
    table = AvroWriter(spark, lake.fresh("units"), kind, COLUMN_STATISTICS)
    write_pairs(table, MICROS, MILLIS)
    assert (table.path / ".hoodie" / "metadata" / "column_stats").is_dir(), "control: Hudi has statistics"
    if source == "index":
        build(spark, table)
    first, second = (commit for commit, _ in commits(table.path))
    with check.session.table(table.path) as name, check.session.settings(SOURCES[source]):
        shown = f"select id, cast(t as string) from {name}"
        _check_ranges(check, shown, {first: (0, 1), second: (2, 3)})
        as_of = check.run(
            f"{shown} for system_version as of {first} where t > timestamp '2022-01-01 00:00:00'"
        )
        assert sorted(as_of.rows) == [(str(number), text_of(number)) for number in (0, 1)]
        for settings in (*MODES.values(), {"hudi.skipping.topk": "on"}, {"hudi.skipping.counts": "on"}):
            for direction, number in (("desc", 3), ("asc", 0)):
                found = check.run(f"{shown} order by t {direction} limit 1", settings)
                assert found.rows == ((str(number), text_of(number)),), f"{direction}, {settings}"
            (ends,) = check.run(
                f"select cast(min(t) as string), cast(max(t) as string) from {name}", settings
            ).rows
            assert ends == (text_of(0), text_of(3))
            since = f"select count(*) from {name} where t >= timestamp '{text_of(1)}'"
            assert check.run(since, settings).rows == ((3,),), str(settings)
        join = f"select a.id from {name} a join {name} b on a.t = b.t where b.id in ('0', '3')"
        for settings in ({}, SEMIJOIN):
            assert sorted(check.run(join, settings).rows) == [("0",), ("3",)]


def _check_ranges(check: Checker, shown: str, rows: Mapping[str, tuple[int, int]]) -> None:
    """The rows of each commit, with a condition and without."""
    of_range = "hoodie.units.consume"
    for commit, numbers in rows.items():
        settings = {
            f"{of_range}.mode": "INCREMENTAL",
            f"{of_range}.start.timestamp": str(int(commit) - 1),
            f"{of_range}.end.timestamp": commit,
        }
        expected = [(str(number), text_of(number)) for number in numbers]
        for where in ("", "where t > timestamp '2022-01-01 00:00:00'"):
            assert sorted(check.run(f"{shown} {where}", settings).rows) == expected, where


@pytest.mark.default_hudi
@pytest.mark.selected(2)
@pytest.mark.parametrize("labelled", [MICROS, MILLIS], ids=["mislabelled", "labelled"])
def test_files_of_milliseconds_are_skipped(
    check: Checker, spark: SparkSession, table: AvroWriter, labelled: dict[str, str]
) -> None:
    write_pairs(table, labelled, MILLIS)
    build(spark, table)
    with check.session.table(table.path) as name:
        for column in ("t", "s.t"):
            for operator, number in ((">=", 3), ("<=", 0), ("=", 1)):
                condition = f"{column} {operator} timestamp '{text_of(number)}'"
                found = check.run(f"select id from {name} where {condition}").kept(1)
                assert found.rows == ((str(number),),), condition
        shown = f"select id from {name} order by t desc limit 1"
        found = check.run(shown, {"hudi.skipping.topk": "on"}).kept(1)
        assert found.rows == (("3",),)


@pytest.mark.default_hudi
@pytest.mark.selected(3)
@pytest.mark.parametrize(
    ("moment", "text"),
    [(LOCAL_MILLIS, DAY), (LOCAL_MICROS, "1970-01-20 00:00:03.723456")],
    ids=["millis", "micros"],
)
@pytest.mark.parametrize("server", ["check", "far_check"], ids=["UTC", "another zone"])
def test_timestamps_without_a_zone_are_plain_numbers_in_files(
    request: pytest.FixtureRequest,
    spark: SparkSession,
    table: AvroWriter,
    moment: dict[str, str],
    text: str,
    server: str,
) -> None:
    session = request.getfixturevalue(server).session
    table.write(fields(moment), [row("1")])
    table.write(fields(moment), [row("2")], "upsert")
    with open_table(Location.parse(str(table.path))) as opened:
        known = opened.schema or {}
        assert (known["t"], known["s.t"]) == (TIMESTAMP, TIMESTAMP), "explain knows the types of the table"
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
