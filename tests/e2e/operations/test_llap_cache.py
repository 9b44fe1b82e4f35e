"""LLAP's cache of data: an answer is never older than the table, however often its files were read before."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ..harness.check import Checker, assert_same_rows
from ..harness.engines import TEZ
from ..harness.lake import Lake
from ..harness.operated_table import OperatedTable, row
from ..harness.scans import ScanLog
from ..harness.servers import SERVER_SETTINGS, ServedHive, running_server

_CACHE: Final = {
    "hive.llap.io.enabled": "true",
    "hive.llap.io.memory.mode": "cache",
    "hive.llap.io.memory.size": "128Mb",
    "hive.llap.io.allocator.arena.count": "2",
    "hive.llap.io.allocator.alloc.max": "4Mb",
}
_READS: Final = 2
"""By the second one, the first has filled the cache."""


@pytest.fixture(scope="module")
def caching(root: Path, lake: Lake) -> Iterator[Checker]:
    """A session of a server whose LLAP daemon caches what is read."""
    del lake  # only wanted because it prepares Spark
    with (
        running_server(root / "caching", {**SERVER_SETTINGS, **_CACHE}) as server,
        ServedHive(server).connect() as session,
    ):
        yield Checker(session, ScanLog(server.log), None)


def _assert_answers_like_spark(check: Checker, table: OperatedTable, name: str, after: str) -> None:
    live = table.spark.read.format("hudi").load(str(table.path))
    theirs = [tuple(each) for each in live.select("id", "grp", "v", "n").collect()]
    for _ in range(_READS):
        ours = check.run(f"select id, grp, v, n from {name} where n >= 0", TEZ)
        assert_same_rows(ours.rows, theirs, f"after {after}", ours.scans)


@pytest.mark.parametrize("kind", ["COPY_ON_WRITE", "MERGE_ON_READ"])
def test_every_commit_is_seen_though_the_files_before_it_are_cached(
    caching: Checker, table: OperatedTable, kind: str
) -> None:
    options = {"hoodie.datasource.write.table.type": kind, "hoodie.compact.inline": "false"}
    table.write(table.frame(row(n) for n in range(48)).repartitionByRange(4, "id"), "bulk_insert", options)
    with caching.session.table(table.path) as name:
        _assert_answers_like_spark(caching, table, name, "the first commit")
        table.write([row(n) for n in (50, 51)], "insert", options)
        _assert_answers_like_spark(caching, table, name, "an insert")
        table.write([row(3, v="moved", n=5000), row(30, v="moved", n=1)], "upsert", options)
        _assert_answers_like_spark(caching, table, name, "an update")
        table.write([row(7), row(40)], "delete", options)
        _assert_answers_like_spark(caching, table, name, "a delete")
        if kind == "MERGE_ON_READ":
            table.call("run_compaction", op="scheduleAndExecute")
        else:
            table.call("run_clustering", op="scheduleAndExecute")
        _assert_answers_like_spark(caching, table, name, "a compaction or clustering")


def test_no_block_of_a_file_comes_from_the_cache(
    caching: Checker, table: OperatedTable, tmp_path: Path
) -> None:
    """A file is replaced by one that the cache cannot tell from it, which Hudi never does.

    Hive's own table over a copy of the file is the control: it answers from the cache.
    """
    options = {"hoodie.datasource.write.partitionpath.field": ""}
    table.write(table.frame(row(n) for n in range(8)), "bulk_insert", options)
    (file,) = table.path.glob("*.parquet")
    native = tmp_path / "native"
    native.mkdir()
    copy = native / file.name
    _replace_n(file, 1)
    shutil.copy2(file, copy)
    query = "select count(*), sum(n) from {}"
    columns = "id int, grp string, v string, n bigint"
    with caching.session.table(table.path) as name:
        caching.session.rows(
            f"CREATE EXTERNAL TABLE native_cached ({columns}) STORED AS PARQUET LOCATION 'file://{native}'"
        )
        try:
            for _ in range(_READS):
                assert caching.run(query.format("native_cached"), TEZ, scans=0).rows == ((8, 8),)
                assert caching.run(query.format(name), TEZ).rows == ((8, 8),)
            for replaced in (copy, file):
                before = replaced.stat()
                _replace_n(replaced, 2)
                os.utime(replaced, ns=(before.st_atime_ns, before.st_mtime_ns))
                assert replaced.stat().st_size == before.st_size, "the cache must not tell the two apart"
            stale = caching.run(query.format("native_cached"), TEZ, scans=0).rows
            assert stale == ((8, 8),), "control: Hive's own table is answered from the cache"
            assert caching.run(query.format(name), TEZ).rows == ((8, 16),), "the handler reads the file"
        finally:
            caching.session.rows("DROP TABLE native_cached")


def _replace_n(file: Path, value: int) -> None:
    """Replaces a file by one with the same number in every row of `n`."""
    rows = pq.read_table(file)
    position = rows.schema.get_field_index("n")
    same = pa.array([value] * rows.num_rows, rows.schema.field(position).type)
    replaced = rows.set_column(position, rows.schema.field(position), same)
    pq.write_table(replaced, file, compression="NONE")
    (file.parent / f".{file.name}.crc").unlink(missing_ok=True)
