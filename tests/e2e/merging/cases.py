"""Merge-on-read tables in every way in which Hudi merges records, with all types."""

import re
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import ClassVar, Final

import pytest
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from pycompiler.spark.jvm import jvm
from tests.hudi_releases import accepted

from ..harness import hudi_writer
from ..harness.hudi_writer import HudiWriter

PAYLOADS: Final = "org.apache.hudi.common.model"

OPTIONS: Final[Mapping[str, str]] = {
    **hudi_writer.OPTIONS,
    "hoodie.datasource.write.table.type": "MERGE_ON_READ",
    "hoodie.compact.inline": "false",
}

VERSION_6: Final = {"hoodie.write.table.version": "6", "hoodie.write.auto.upgrade": "false"}

# Of a row with the number `id` in its version `k`; every seventh row has NULL in all of these.
_VALUES: Final[Mapping[str, str]] = {
    "i": "cast(id * 100 + k as int)",
    "l": "(id * 1000 + k) * 4000000000L",
    "f": "cast(if(id % 5 = 0, 'NaN', id + k / 8) as float)",
    "d": "cast(if(id % 5 = 1, 'NaN', id + k / 3) as double)",
    "b": "(id + k) % 2 = 0",
    "s": "concat('s', id, '-', k, if(id % 4 = 0, 'ü€', ''))",
    "bin": "cast(concat('b', id, k) as binary)",
    "dec": "cast(id + k / 7 as decimal(12, 3))",
    "big": "cast(id as decimal(38, 10)) * 1000000000000 + k",
    "day": "date_add(date'2020-02-29', cast(id * 31 + k as int))",
    "ts": "timestamp_micros(1600000000123456L + id * 86400000000L + k)",
    "st": "named_struct('a', cast(id + k as int), 'b', concat('x', k), 'c', named_struct('e', id, 'g', k))",
    # No NULL within: Hudi's writer makes two-level lists of them at times, which have none.
    "arr": "array(cast(id as int), cast(k as int))",
    "arrst": "array(named_struct('x', cast(id as int), 'y', concat('y', k)))",
    "m": "map('k', cast(k as int), 'none', null)",
}

_COMMIT: Final = re.compile(r"(\d{17})(?:_(\d{17}))?\.(?:commit|deltacommit|replacecommit)")

COLUMNS: Final = ("id", "n", *_VALUES, "grp")


class Writer(HudiWriter):
    """Writes versions of rows into one table."""

    defaults: ClassVar[Mapping[str, str]] = OPTIONS

    def rows(self, ids: Iterable[int], k: int, n: str = "k", where: str = "true") -> DataFrame:
        """Rows in a version.

        Args:
            ids: Their keys.
            k: The version.
            n: Expression of the ordering value.
            where: Which of the rows.
        """
        frame = self.spark.createDataFrame([(number,) for number in ids], "id int").selectExpr(
            "id", f"{k} as k"
        )
        values = [f"if(id % 7 = 6, null, {text}) as {name}" for name, text in _VALUES.items()]
        return (
            # The partition column comes last: bulk_insert mixes up columns if it is to drop another.
            frame.selectExpr("id", f"{n} as n", *values, "if(id < 20, 'east', 'west') as grp")
            .where(where)
            .coalesce(1)
        )

    def write_options(self, operation: str, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        """Options of Hudi's writer for an operation."""
        return accepted(self.spark, super().write_options(operation, extra))

    def base(self) -> None:
        """Base files of 40 rows in two partitions."""
        self.write(self.rows(range(40), 1), "bulk_insert")

    def on_timeline(self, pattern: str) -> list[str]:
        """Names of the timeline's files that match a pattern, sorted."""
        return sorted(
            file.name for file in (self.path / ".hoodie").rglob(pattern) if "metadata" not in file.parts
        )


NewTable = Callable[[Mapping[str, str]], Writer]
"""Makes a table that is not yet there, with these options of Hudi's writer."""

History = Callable[[Writer], None]
Cases = Mapping[str, tuple[History, Mapping[str, str]]]
"""What is written into tables, and options of Hudi's writer, by what is special about them."""


def updates_and_deletes(table: Writer) -> None:
    """Updates, inserts and deletes in logs; obsolete ones among them."""
    table.base()
    table.write(table.rows([1, 2, 3, 6, 30, 41], 5))
    table.write(table.rows([2, 4], 0))  # older than what is there
    table.write(table.rows([3, 31], 7), "delete")
    table.write(table.rows([5], 0), "delete")
    table.write(table.rows([6, 13], 8))


def several_logs(table: Writer) -> None:
    """One row over and over, and deletes of what a log has."""
    table.base()
    for k in range(2, 7):
        table.write(table.rows([1, 20 + k], k))
    table.write(table.rows([1, 22, 23], 3), "delete")
    table.write(table.rows([1], 9))


def longer_than_batches(table: Writer) -> None:
    """Runs of updates and of new rows that are longer than two of Hive's batches."""
    table.write(table.rows(range(5_000), 1), "bulk_insert")
    table.write(table.rows([*range(1_000, 3_500), *range(4_000, 4_500, 3), *range(5_000, 7_600)], 2))
    table.write(table.rows([*range(3_600, 3_700), 7_599], 3), "delete")


def logs_alone(table: Writer) -> None:
    """File groups that have no base file."""
    # Hudi knows the keys of all tables of the JVM in one map.
    jvm(table.spark).org.apache.hudi.index.inmemory.HoodieInMemoryHashIndex.clear()
    table.write(table.rows(range(0, 40, 3), 1))
    table.write(table.rows(range(0, 40, 4), 2))
    table.write(table.rows([12], 3), "delete")
    partitions = [folder for folder in table.path.iterdir() if folder.name != ".hoodie"]
    assert not [file for folder in partitions for file in folder.glob("*.parquet")], "there are base files"


def compacted(table: Writer) -> None:
    """A compaction that ran, one that is planned, and logs after it."""
    table.base()
    table.write(table.rows([1, 2, 30], 2))
    table.call("run_compaction", op="run")
    assert table.on_timeline("*.commit"), "a compaction completes as a commit"
    table.write(table.rows([2, 3], 3))
    table.call("run_compaction", op="schedule")
    assert table.on_timeline("*.compaction.requested"), "one is planned"
    table.write(table.rows([3, 4, 31], 4))
    table.write(table.rows([5], 5), "delete")


def rolled_back(table: Writer) -> None:
    """A commit that is taken back, and one after it."""
    table.base()
    table.write(table.rows([1, 30], 2))
    table.write(table.rows([1, 2], 3))
    table.call("rollback_to_instant", instant_time=last_commit(table))
    table.write(table.rows([3], 4))


def restored(table: Writer) -> None:
    """A savepoint, commits after it that are taken back with it, and one after that."""
    table.base()
    table.write(table.rows([1, 30], 2))
    saved = last_commit(table)
    table.call("create_savepoint", commit_time=saved)
    table.write(table.rows([1, 2], 3))
    table.write(table.rows([3, 41], 4))
    table.call("rollback_to_savepoint", instant_time=saved)
    assert table.on_timeline("*.restore"), "it was restored"
    table.write(table.rows([2, 5], 5))


def _at_once(table: Writer, slow: Iterable[int], quick: Iterable[int]) -> None:
    """Two writers at once; the one that begins first, with the lower ordering values, ends last."""
    slowly = "java_method('java.lang.Thread', 'sleep', 5000L) is null"
    begun = len(table.on_timeline("*.requested"))
    with ThreadPoolExecutor(max_workers=1) as other:
        first = other.submit(table.write, table.rows(slow, 2, where=slowly))
        while len(table.on_timeline("*.requested")) == begun and not first.done():
            time.sleep(0.05)
        table.write(table.rows(quick, 3))
        first.result()
    completed = [completion for _, completion in commits(table.path)]
    assert completed != sorted(completed), "the one requested first completes last"


def out_of_order(table: Writer) -> None:
    """Two writers at once of different file groups; the one that begins first ends last."""
    table.base()
    _at_once(table, [1], [30])
    table.write(table.rows([2, 31], 4))


def not_blocking(table: Writer) -> None:
    """Two writers at once of the same file groups, where both succeed."""
    table.base()
    _at_once(table, [1, 2, 5, 30], [1, 3, 30])
    table.write(table.rows([2, 31], 4))


def compacted_logs(table: Writer) -> None:
    """Logs that are compacted into one, and logs after it."""
    table.base()
    for k in range(2, 6):
        table.write(table.rows([1, k, 30], k), extra=LOG_COMPACTION if k == 5 else {})
    assert table.on_timeline("*.logcompaction.*"), "logs were compacted"
    table.write(table.rows([1, 31], 6))
    table.write(table.rows([2], 7), "delete")


def through_versions(table: Writer) -> None:
    """Upgrades and downgrades of the table, with logs before and after each."""
    table.base()
    table.write(table.rows([1, 30], 2))
    for k, version in enumerate(table.versions_to_go_through(), 3):
        given = table.go_to_version(version)
        table.write(table.rows([2, 30 + k], k), extra=given)
        table.write(table.rows([1], 1), extra=given)  # older than what is there
        table.write(table.rows([3 + k], k), "delete", given)


def with_hudis_index(table: Writer, statement: str, partition: str) -> None:
    """An index of Hudi's on a column, and updates after it was created."""

    def write(ids: Iterable[int], k: int, operation: str = "upsert") -> None:
        # Hudi 1.0.2 cannot create a secondary index beside nested columns.
        table.write(table.rows(ids, k).select("id", "n", "i", "s", "day", "grp"), operation)

    write(range(40), 1, "bulk_insert")
    lock = "hoodie.write.lock.provider"
    table.spark.conf.set(lock, TWO_WRITERS[lock])  # Hudi 1.2 creates no index without.
    table.sql(statement)
    table.spark.conf.unset(lock)
    write([1, 30], 2)
    write([2, 31, 41], 3)
    write([5], 4, "delete")
    partitions = {folder.name for folder in (table.path / ".hoodie" / "metadata").iterdir()}
    assert {partition, "partition_stats"} <= partitions, f"the metadata table has {partitions}"


def with_unavailable_values(table: Writer) -> None:
    """Records of Debezium, in which a value may be missing that the database did not send."""

    def write(ids: Iterable[int], k: int, missing: bool = False, operation: str = "upsert") -> None:
        columns = {
            "s": "'__debezium_unavailable_value'" if missing else "s",
            "_event_lsn": "cast(n as bigint)",
            "_change_operation_type": "'u'",
        }
        rows = table.rows(ids, k)
        for name, text in columns.items():
            rows = rows.withColumn(name, F.expr(text))
        table.write(rows.select(*COLUMNS[:-1], "_event_lsn", "_change_operation_type", "grp"), operation)

    write(range(40), 1, operation="bulk_insert")
    write([1, 2, 30], 2, missing=True)
    write([2, 31], 3)
    write([2, 3, 31], 4, missing=True)
    write([30, 3], 0)  # older than what is there


def clustered(table: Writer) -> None:
    """Clustering of slices with logs, and logs after it."""
    table.base()
    table.write(table.rows([1, 2, 30], 2))
    table.call("run_clustering", op="scheduleAndExecute")
    table.write(table.rows([2, 31], 3))


def overwritten(table: Writer) -> None:
    """A partition overwritten, and one deleted."""
    table.base()
    table.write(table.rows([1, 30], 2))
    table.write(table.rows([3, 4], 3), "insert_overwrite")
    table.write(table.rows([4, 33], 4))


def soft_deleted(table: Writer) -> None:
    """Rows that say of themselves that they are deleted."""
    flag = "_hoodie_is_deleted"
    for ids, k, deleted in (((range(40)), 1, "false"), ([1, 2, 30], 2, "false"), ([2, 3], 3, "true")):
        rows = table.rows(ids, k).selectExpr("*", f"{deleted} as {flag}")
        table.write(rows, "bulk_insert" if k == 1 else "upsert")


def merged_in_part(table: Writer) -> None:
    """Logs with some of the columns, as MERGE INTO writes them."""
    table.base()
    assert table.spark.conf.get("hoodie.spark.sql.merge.into.partial.updates", "true") == "true"
    for k, column, value in ((2, "s", "'two'"), (3, "i", "333"), (4, "s", "'four'")):
        table.sql(
            f"merge into {{table}} t using (select {k} as id, {k} as n, {value} as v union all"
            f" select 5 as id, {k} as n, {value} as v) s on t.id = s.id"
            f" when matched then update set t.{column} = s.v, t.n = s.n"
        )
    assert list(table.path.glob(".*.log.*")), "some columns of a row are in a log"


def evolved(table: Writer) -> None:
    """A column that is added and one that is widened between base file and logs."""
    table.base()
    table.write(table.rows([1, 30], 2))
    rows = table.rows([2, 31], 3).selectExpr("*", "nullif('new', '') as added", "cast(i as bigint) as wide")
    table.write(rows.drop("i").withColumnRenamed("wide", "i").select(*COLUMNS, "added"))


def ordered_by(expression: str) -> History:
    """Updates and deletes, with ordering values of a type; obsolete ones after newer ones."""

    def history(table: Writer) -> None:
        def rows(ids: Iterable[int], k: int) -> DataFrame:
            return table.rows(ids, k, expression)

        table.write(rows(range(40), 3), "bulk_insert")
        table.write(rows([1, 2, 3, 30], 5))
        table.write(rows([1, 4], 2), "delete")  # obsolete: of a row of a log, of a row of the base file
        table.write(rows([2, 5], 7), "delete")
        table.write(rows([3, 6], 1))  # obsolete

    return history


ORDERINGS: Final[Mapping[str, str]] = {
    "int": "cast(k as int)",
    "bigint": "cast(k as bigint)",
    "double": "cast(k as double)",
    "string": "concat('k', k)",
    "date": "date_add(date'2020-01-01', k)",
    "timestamp": "timestamp_micros(1600000000000000L + k)",
    "decimal": "cast(k as decimal(10, 2))",
}

PARQUET_LOGS: Final = {"hoodie.logfile.data.block.format": "parquet"}
COMMIT_TIME: Final = {"hoodie.write.record.merge.mode": "COMMIT_TIME_ORDERING"}


def payload(name: str) -> dict[str, str]:
    """The options of a payload class of Hudi."""
    return {
        "hoodie.datasource.write.payload.class": f"{PAYLOADS}.{name}",
        "hoodie.write.record.merge.mode": "CUSTOM",
    }


UNAVAILABLE: Final = {
    **payload("debezium.PostgresDebeziumAvroPayload"),
    "hoodie.datasource.write.precombine.field": "_event_lsn",
}
TWO_WRITERS: Final = {
    "hoodie.write.concurrency.mode": "optimistic_concurrency_control",
    "hoodie.write.lock.provider": "org.apache.hudi.client.transaction.lock.InProcessLockProvider",
    "hoodie.clean.failed.writes.policy": "LAZY",
}
COPY_ON_WRITE: Final = {"hoodie.datasource.write.table.type": "COPY_ON_WRITE"}
CHANGES: Final = {"hoodie.table.cdc.enabled": "true"}
UNPARTITIONED: Final = {"hoodie.datasource.write.partitionpath.field": ""}
BUCKETS: Final = {"hoodie.index.type": "BUCKET", "hoodie.bucket.index.num.buckets": "2"}

# With it new rows go to logs.
IN_MEMORY: Final = {"hoodie.index.type": "INMEMORY"}

ONE_SLICE: Final = {**UNPARTITIONED, "hoodie.index.type": "BUCKET", "hoodie.bucket.index.num.buckets": "1"}

METADATA_TABLE: Final = {"hoodie.metadata.enable": "true"}
NON_BLOCKING: Final = {
    **BUCKETS,
    **TWO_WRITERS,
    "hoodie.write.concurrency.mode": "NON_BLOCKING_CONCURRENCY_CONTROL",
    "hoodie.table.type": "MERGE_ON_READ",
}
LOG_COMPACTION: Final = {
    "hoodie.log.compaction.inline": "true",
    "hoodie.log.compaction.blocks.threshold": "2",
}
HUDIS_INDEXES: Final = {
    "secondary_index_of_s": "create index of_s on {table} (s)",
    "expr_index_of_day": "create index of_day on {table} using column_stats(day) options(expr='year')",
}
WITH_INDEXES: Final = {
    **hudi_writer.COLUMN_STATISTICS,
    # Without its timeline server Hudi 1.2 does not find the base files of logs.
    "hoodie.embed.timeline.server": "true",
    "hoodie.metadata.record.index.enable": "true",
    "hoodie.metadata.index.partition.stats.enable": "true",
}
WITHOUT_KEYS: Final = {"hoodie.populate.meta.fields": "false"}
KEY_OF_TWO_FIELDS: Final = {
    "hoodie.datasource.write.recordkey.field": "id,grp",
    "hoodie.datasource.write.keygenerator.class": "org.apache.hudi.keygen.ComplexKeyGenerator",
}

CASES: Final[Cases] = {
    "event_time": (updates_and_deletes, METADATA_TABLE),
    "commit_time": (updates_and_deletes, COMMIT_TIME),
    "parquet_logs": (updates_and_deletes, PARQUET_LOGS),
    "several_logs": (several_logs, {}),
    "longer_than_batches": (longer_than_batches, ONE_SLICE),
    "logs_alone": (logs_alone, IN_MEMORY),
    "buckets": (several_logs, BUCKETS),
    "compacted_6": (compacted, VERSION_6),
    "soft_deleted": (soft_deleted, {}),
    "changes": (updates_and_deletes, CHANGES),
    "changes_on_write": (updates_and_deletes, {**CHANGES, **COPY_ON_WRITE}),
    "merged_in_part": (merged_in_part, UNPARTITIONED),
    "compacted_logs": (compacted_logs, {}),
    "not_blocking": (not_blocking, NON_BLOCKING),
    "through_versions": (through_versions, {}),
    "evolved": (evolved, {}),
    "partial_payload": (updates_and_deletes, payload("PartialUpdateAvroPayload")),
    "defaults": (updates_and_deletes, payload("OverwriteNonDefaultsWithLatestAvroPayload")),
    "unavailable": (with_unavailable_values, UNAVAILABLE),
    **{f"ordered_by_{name}": (ordered_by(text), {}) for name, text in ORDERINGS.items()},
}

_MARKS: Final[Mapping[str, pytest.MarkDecorator | tuple[pytest.MarkDecorator, ...]]] = {
    # Hudi 0.15 merges the logs of a slice in another way.
    "defaults": pytest.mark.since_hudi_1,
    # Of a table of version 8, Spark with Hudi 1.2.0 returns Debezium's placeholders, with 1.0.2 the values.
    "unavailable": (pytest.mark.since_hudi_1, pytest.mark.fails_in_older_versions),
    # Hudi does not write these in older versions, and its procedure for rollbacks fails.
    **dict.fromkeys(
        ("merged_in_part", "not_blocking", "out_of_order", "out_of_order_on_write", "rolled_back"),
        pytest.mark.since_version_8,
    ),
}


def marked(names: Iterable[str]) -> list[object]:
    """Names of cases as parameters of tests, with the marks of what can write them."""
    return [pytest.param(name, marks=_MARKS.get(name, ())) for name in names]


UNKEYED: Final[Cases] = {
    "event_time": (updates_and_deletes, {}),
    "commit_time": (several_logs, {**COMMIT_TIME, **PARQUET_LOGS}),
    "key_of_two_fields": (updates_and_deletes, KEY_OF_TWO_FIELDS),
    "unpartitioned_6": (updates_and_deletes, {**UNPARTITIONED, **VERSION_6}),
    # Not logs alone: Hudi's writer drops deletes of records without keys there.
    "buckets": (several_logs, BUCKETS),
    "compacted": (compacted, {}),
    "soft_deleted": (soft_deleted, {}),
    "partial_payload": (updates_and_deletes, payload("PartialUpdateAvroPayload")),
}
"""Tables to be written without keys in a column, too."""


def last_commit(table: Writer) -> str:
    """Requested time of the last completed commit."""
    return commits(table.path)[-1][0]


def commits(path: Path) -> list[tuple[str, str]]:
    """Requested time and time of completion of the completed commits; the latter is empty in version 6."""
    files = [*(path / ".hoodie").glob("*commit"), *(path / ".hoodie" / "timeline").glob("*commit")]
    found = (_COMMIT.fullmatch(file.name) for file in files)
    return sorted({(match[1], match[2] or "") for match in found if match})
