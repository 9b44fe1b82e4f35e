"""Merged and incremental reads of base files whose types are not those that Hudi's readers expect."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from pyspark.sql import functions as F

from ..harness.engines import MODES
from ..harness.session import Session
from .cases import COPY_ON_WRITE, UNPARTITIONED, NewTable, Writer, commits
from .consume import incremental

TIMESTAMPS = "hoodie.parquet.outputtimestamptype"
Rows = list[tuple[Any, ...]]
BASE = "timestamp_micros(1600000000123000L + id * 1000)"
"""What milliseconds can hold."""


def written(table: Writer, stored: str, physical: str) -> None:
    """Base files that have timestamps in a form."""
    rows = table.rows(range(40), 1, n=BASE).withColumn("ts", F.expr(BASE)).select(*COLUMNS)
    table.write(rows, "bulk_insert", {TIMESTAMPS: stored})
    for file in table.path.rglob("*.parquet"):
        if ".hoodie" not in file.parts:
            schema = pq.ParquetFile(file).schema
            column = schema.column(schema.names.index("ts"))
            assert physical in f"{column.physical_type} {column.logical_type}", f"{file} has {column}"


COLUMNS = ("id", "n", "i", "s", "m", "ts", "grp")


def asked(path: Path, number: int) -> dict[str, str]:
    """The settings that read one commit."""
    known = ["0", *(requested for requested, _ in commits(path))]
    return incremental(path.name, start_timestamp=known[number], end_timestamp=known[number + 1])


def in_every_mode(session: Session, query: str, settings: Mapping[str, str]) -> Iterator[Rows]:
    """What a query answers in each mode of reading."""
    for mode in MODES.values():
        with session.settings({**settings, **mode}):
            yield session.rows(query)


@pytest.mark.default_hudi
@pytest.mark.selected(1)
@pytest.mark.parametrize("kind", ["copy_on_write", "merge_on_read"])
@pytest.mark.parametrize(("stored", "physical"), [("INT96", "INT96"), ("TIMESTAMP_MILLIS", "milliseconds")])
def test_what_a_commit_of_base_files_wrote_is_read_as_in_the_snapshot(
    session: Session, new_table: NewTable, kind: str, stored: str, physical: str
) -> None:
    table = new_table({**UNPARTITIONED, **(COPY_ON_WRITE if kind == "copy_on_write" else {})})
    written(table, stored, physical)
    with session.table(table.path) as name:
        query = f"select id, n, ts, m from {name} order by id"
        snapshot = session.rows(query)
        assert len(snapshot) == 40
        for rows in in_every_mode(session, query, asked(table.path, 0)):
            assert rows == snapshot


@pytest.mark.default_hudi
@pytest.mark.since_version_8
def test_milliseconds_are_merged_with_microseconds(session: Session, new_table: NewTable) -> None:
    table = new_table(UNPARTITIONED)
    written(table, "TIMESTAMP_MILLIS", "milliseconds")
    # By a microsecond later and earlier than what the base file has.
    for number, delta in ((3, 1), (4, -1)):
        n = f"timestamp_micros(1600000000123000L + id * 1000 + {delta})"
        table.write(table.rows([number], 9, n=n).select(*COLUMNS))
    # One column; the others come from the base file.
    table.sql(
        f"merge into {{table}} t using (select 5 as id, {BASE.replace('id', '6')} as n, 'in part' as v) s"
        " on t.id = s.id when matched then update set t.s = s.v, t.n = s.n"
    )
    with session.table(table.path) as name:
        query = f"select id, s, cast(ts as string) from {name} where id between 3 and 5 order by id"
        for rows in in_every_mode(session, query, {}):
            assert rows == [
                (3, "s3-9", "2020-09-16 12:26:40.123465"),
                (4, "s4-1ü€", "2020-09-13 12:26:40.127"),
                (5, "in part", "2020-09-13 12:26:40.128"),
            ]


@pytest.mark.full
@pytest.mark.since_version_8  # Logs of older versions have whole rows.
def test_entries_of_maps_come_in_the_order_of_the_file(session: Session, new_table: NewTable) -> None:
    table = new_table(UNPARTITIONED)
    keys = [f"k{number * 7 % 11}" for number in range(11)]
    entries = ", ".join(f"'{key}', {number}" for number, key in enumerate(keys))
    rows = table.rows(range(40), 1).withColumn("m", F.expr(f"map({entries})")).select(*COLUMNS)
    table.write(rows, "bulk_insert")
    text = "{" + ",".join(f'"{key}":{number}' for number, key in enumerate(keys)) + "}"
    with session.table(table.path) as name:
        query = f"select id, m from {name} where id < 3 order by id"
        expected = [(number, text) for number in range(3)]
        assert session.rows(query) == expected
        for found in in_every_mode(session, query, asked(table.path, 0)):
            assert found == expected, "incremental"
        table.write(rows.where("id = 7"), "upsert")
        for found in in_every_mode(session, query, {}):
            assert found == expected, "merged"
        table.sql(
            "merge into {table} t using (select 1 as id, 2 as n, 'in part' as v) s"
            " on t.id = s.id when matched then update set t.s = s.v, t.n = s.n"
        )
        for found in in_every_mode(session, query, {}):
            assert found == expected, "partly updated"
