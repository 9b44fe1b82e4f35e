"""`read_incremental` beside the snapshot as of the range's end, over histories of each kind of table."""

import logging
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import combinations, product
from pathlib import Path

import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession

from pycompiler.spark.errors import IncrementalReadError
from pycompiler.spark.incremental.reader import incremental_end, read_incremental
from pycompiler.spark.index_creator import IndexCreator
from pycompiler.table.errors import NotAHudiTableError

from ..hudi_releases import accepted
from .tables import options, timeline_of, times_of

pytestmark = pytest.mark.spark

SCHEMA = (
    "id int, part string, n bigint, s string, x double, dec decimal(10,2), day date, ts timestamp,"
    " st struct<a: int>"
)
COMPACTION = {"hoodie.compact.inline": "true", "hoodie.compact.inline.max.delta.commits": "1"}
CLUSTERING = {"hoodie.clustering.inline": "true", "hoodie.clustering.inline.max.commits": "1"}
KEPT = {"hoodie.clean.automatic": "false", "hoodie.archive.automatic": "false"}
PAYLOAD = {
    "hoodie.datasource.write.payload.class": "org.apache.hudi.common.model.PartialUpdateAvroPayload",
    "hoodie.write.record.merge.mode": "CUSTOM",
}

PARTS = 4
"""Of all ranges, each a case of its own."""
CONDITIONS = (
    "n = 25",
    "n in (3, 35) or s like 's1%'",
    "not (n < 20) and x is not null",
    "st.a between 5 and 12 or id <=> 31",
    "day >= date'2020-01-20' and dec < 15.5",
    "ts < timestamp'2020-01-05 00:00:00'",
    # What Hive means otherwise than Spark, and what no index knows.
    "s > 5 or n = '7' or dec in (1, 2.5)",
    "part = 'p1' and year(day) = 2020",
    "_hoodie_commit_time > '2' and n > 30",
    "false",
)


class Table:
    """A table in which every partition holds ten neighbouring numbers."""

    def __init__(self, spark: SparkSession, path: Path, kind: str, version: int, **more: str) -> None:
        self.spark = spark
        self.path = path
        self.is_merge_on_read = kind == "MERGE_ON_READ"
        given = {
            "hoodie.datasource.write.table.type": kind,
            "hoodie.datasource.write.precombine.field": "n",
            "hoodie.write.table.version": str(version),
            "hoodie.write.auto.upgrade": "false",
            **KEPT,
            **more,
        }
        self._options = accepted(spark, given)

    def write(
        self, numbers: Iterable[int], k: int, operation: str = "upsert", more: Mapping[str, str] | None = None
    ) -> None:
        """Writes rows in a version; what follows from the number says little of the version."""
        frame = self.spark.createDataFrame([(number,) for number in numbers], "id int").selectExpr(
            "id",
            "concat('p', id div 10) as part",
            f"id + {k} * 100000L * (id % 2) as n",
            f"concat('s', id, '-{k}') as s",
            "if(id % 7 = 6, null, id / 4) as x",
            "cast(id as decimal(10,2)) as dec",
            "date_add(date'2020-01-01', id) as day",
            "timestamp'2020-01-01 00:00:00' + make_interval(0, 0, 0, id) as ts",
            "named_struct('a', id) as st",
        )
        settings = options("t", operation, True, **{**self._options, **(more or {})})
        frame.coalesce(1).write.format("hudi").options(**settings).mode("append").save(str(self.path))

    def times(self) -> list[str]:
        return times_of(self.path)

    def truth(self, start: str, end: str | None, *, file_group_reader: bool = True) -> DataFrame:
        """The snapshot as of the end, filtered by commit time, with one of Hudi's two readers."""
        until = end or self.times()[-1]
        commits = [
            entry.instant
            for entry in timeline_of(self.path).commits
            if (start <= entry.completion <= until if entry.completion else start < entry.instant <= until)
        ]
        given = {
            "as.of.instant": until,
            "hoodie.metadata.enable": "false",
            "hoodie.enable.data.skipping": "false",
            "hoodie.file.group.reader.enabled": str(file_group_reader).lower(),
        }
        rows = self.spark.read.format("hudi").options(**given).load(str(self.path))
        return rows.where(rows["_hoodie_commit_time"].isin(*commits))

    def ours(self, start: str, end: str | None = None, where: str | None = None) -> DataFrame:
        return read_incremental(self.spark, self.path, start, end, where)


def counted(rows: DataFrame) -> Counter[str]:
    """Rows in any order."""
    return Counter(map(repr, rows.collect()))


class Reads:
    """What was read, by the log."""

    def __init__(self, log: pytest.LogCaptureFixture) -> None:
        log.set_level(logging.INFO, logger="pycompiler.spark.incremental")
        self._log = log

    def last(self) -> tuple[int, int, str]:
        """Slices that the last read opened, slices there were, and the reason."""
        found = re.search(r": (\d+) of (\d+) file slices(?:; (.*))?$", self._log.messages[-1])
        assert found, self._log.messages
        return int(found[1]), int(found[2]), found[3] or ""


@pytest.fixture
def reads(caplog: pytest.LogCaptureFixture) -> Reads:
    return Reads(caplog)


@pytest.fixture(
    scope="module",
    params=product(["COPY_ON_WRITE", "MERGE_ON_READ"], [8, 6]),
    ids=lambda of: f"{of[0]}-{of[1]}",
)
def after_all_operations(
    request: pytest.FixtureRequest, spark: SparkSession, tmp_path_factory: pytest.TempPathFactory
) -> Table:
    """A table after each operation, with the index brought up to date here and there."""
    table = Table(spark, tmp_path_factory.mktemp("lived") / "t", *request.param)
    table.write(range(40), 1, "bulk_insert")
    IndexCreator(table.spark).build(table.path)
    table.write([1, 2, 13, 25, 38], 2)
    table.write([2, 14], 3, "delete")
    table.write([20, 21, 45], 4, "insert_overwrite")
    IndexCreator(table.spark).update(table.path)
    table.write([3, 31], 5, more=CLUSTERING)
    table.write([4, 15], 6, more=COMPACTION if table.is_merge_on_read else CLUSTERING)
    table.write([5, 22], 7)
    IndexCreator(table.spark).update(table.path)
    table.write([15, 33], 8)
    return table


@pytest.mark.full
@pytest.mark.parametrize("part", range(PARTS))
def test_every_range_has_the_rows_of_the_snapshot_as_of_its_end(
    after_all_operations: Table, reads: Reads, part: int
) -> None:
    table = after_all_operations
    times = table.times()
    assert len(times) >= 8, times
    ranges = [("0", None), *combinations(("0", *times), 2)][part::PARTS]
    pruned = answers = 0
    for number, (start, end) in enumerate(ranges):
        rows = table.truth(start, end)
        if number % 6 == 0:
            assert counted(table.ours(start, end)) == counted(rows), (start, end)
            either = table.truth(start, end, file_group_reader=False)
            names = [name for name in rows.columns if name != "_hoodie_file_name"]  # They differ there.
            assert counted(either.select(*names)) == counted(rows.select(*names)), (start, end)
        where = CONDITIONS[number % len(CONDITIONS)]
        found = counted(table.ours(start, end, where))
        assert found == counted(rows.where(where)), (start, end, where)
        opened, total, _ = reads.last()
        pruned += opened < total
        answers += bool(found)
    assert pruned > len(ranges) // 3, (pruned, len(ranges))
    assert answers > len(ranges) // 3, (answers, len(ranges))


@pytest.mark.selected(1)
@pytest.mark.parametrize(
    ("kind", "version"), [("COPY_ON_WRITE", 8), ("COPY_ON_WRITE", 6), ("MERGE_ON_READ", 8)]
)
@pytest.mark.since_version_8  # Hudi 0.15 also opens an excluded file.
def test_files_that_the_condition_excludes_are_not_read(
    spark: SparkSession, tmp_path: Path, reads: Reads, kind: str, version: int
) -> None:
    table = Table(spark, tmp_path / "t", kind, version)
    table.write(range(40), 1, "bulk_insert")
    table.write([1, 13, 25], 2)
    IndexCreator(spark).build(table.path)
    where = "st.a between 20 and 28"
    expected = counted(table.truth("0", None).where(where))
    assert len(expected) == 9
    # Nobody can read what is left of the other files.
    for file in [*table.path.glob("p*/*.parquet"), *table.path.glob("p*/.*.log.*")]:
        if file.parent.name != "part=p2" and not file.name.endswith(".crc"):
            file.write_bytes(b"x" * file.stat().st_size)
    rows = table.ours("0", None, where)
    assert counted(rows) == expected
    assert reads.last() == (1, 4, "")
    if version == 8:
        assert {name.split("/")[-2] for name in rows.inputFiles()} == {"part=p2"}
    with pytest.raises(Exception, match="(?i)parquet|corrupt|log|checksum"):
        table.truth("0", None).where(where).collect()
    (first, second) = table.times()
    with pytest.raises(Exception, match="(?i)parquet|corrupt|log|checksum"):
        table.ours(second if version == 8 else first, None).collect()
    assert counted(table.ours(second if version == 8 else first, None, "st.a = 25")) == counted(
        table.ours("0", None, "st.a = 25")
    )


def test_why_files_are_not_skipped_is_in_the_log(spark: SparkSession, tmp_path: Path, reads: Reads) -> None:
    table = Table(spark, tmp_path / "t", "MERGE_ON_READ", 8, **PAYLOAD)
    table.write(range(30), 1, "bulk_insert")
    table.write([1], 2)
    where = "st.a = 25"
    expected = counted(table.truth("0", None).where(where))
    assert counted(table.ours("0", None, where)) == expected
    opened, total, reason = reads.last()
    assert (opened, total) == (3, 3)
    assert "no statistics index at" in reason
    IndexCreator(spark).build(table.path)
    assert counted(table.ours("0", None, where)) == expected
    opened, total, reason = reads.last()
    assert (opened, total) == (2, 3), "a row of the slice with logs may be made of several records"
    assert reason.startswith("all slices with logs are read, because of hoodie.")
    assert counted(table.ours("0", None, "id in (select 25)")) == expected
    assert reads.last() == (3, 3, "the condition uses more than the table's columns")


def test_a_range_that_is_none_is_refused(spark: SparkSession, tmp_path: Path) -> None:
    table = Table(spark, tmp_path / "t", "COPY_ON_WRITE", 8)
    table.write(range(3), 1)
    for start, end, message in (
        ("yesterday", None, "the start 'yesterday' is not a Hudi instant"),
        ("", None, "or 0 for the beginning"),
        ("0", "2026-01-01", "the end '2026-01-01' is not a Hudi instant"),
        ("20260102000000000", "20260101000000000", "before it starts"),
    ):
        with pytest.raises(IncrementalReadError, match=re.escape(message)):
            table.ours(start, end)
    assert table.ours("20990101000000000").count() == 0, "nothing has come since"
    with pytest.raises(AnalysisException, match="nonesuch"):
        table.ours("0", None, "nonesuch = 1")
    with pytest.raises(NotAHudiTableError):
        read_incremental(spark, tmp_path, "0")


@pytest.mark.full
@pytest.mark.parametrize("version", [8, 6])
def test_a_range_with_archived_commits_is_refused(spark: SparkSession, tmp_path: Path, version: int) -> None:
    few = {
        "hoodie.clean.automatic": "true",
        "hoodie.archive.automatic": "true",
        "hoodie.keep.min.commits": "2",
        "hoodie.keep.max.commits": "3",
        "hoodie.clean.commits.retained": "1",
    }
    table = Table(spark, tmp_path / "t", "COPY_ON_WRITE", version)
    table.write(range(3), 0)
    first = table.times()[0]
    for number in range(1, 6):
        table.write([number], number, more=few)
    left = table.times()
    assert first not in left, "it should be archived"
    for start in ("0", first if version == 8 else str(int(first) - 1)):
        with pytest.raises(IncrementalReadError, match=f"archived.* start at {left[0]} or later"):
            table.ours(start)
    last = left[-1] if version == 8 else left[-2]
    assert counted(table.ours(last)) == counted(table.truth(last, None))


@pytest.mark.full
def test_a_range_of_which_files_were_cleaned_is_refused(spark: SparkSession, tmp_path: Path) -> None:
    table = Table(spark, tmp_path / "t", "COPY_ON_WRITE", 8)
    for number in range(4):
        table.write(range(3), number)
    times = table.times()
    written = sorted(table.path.glob("p*/*.parquet"), key=lambda file: file.name[-25:])
    written[1].unlink()
    with pytest.raises(IncrementalReadError, match=f"{written[1].name}.* has been cleaned: end the range"):
        table.ours(times[0], times[1])
    # What a later commit of the range has taken the place of is not read.
    assert table.ours(times[0], times[2]).count() == 3


def test_an_end_before_a_write_under_way_is_refused_and_without_an_end_the_range_stops_there(
    spark: SparkSession, tmp_path: Path
) -> None:
    for version in (8, 6):
        table = Table(spark, tmp_path / f"t{version}", "MERGE_ON_READ", version)
        for number in range(4):
            table.write([number, number + 10], number)
        times = table.times()
        late = timeline_of(table.path).commits[-2]
        (file,) = table.path.glob(f".hoodie/**/{late.name}")
        held_back = file.rename(tmp_path / late.name)
        assert incremental_end(spark, table.path) == times[1]
        assert incremental_end(spark, table.path, times[1]) == times[1]
        rows = table.ours("0").select("id").collect()
        assert {row.id for row in rows} == {0, 10, 1, 11}, "what completed before it was requested"
        for start, end in (("0", times[-1]), (times[-1], None)):
            with pytest.raises(IncrementalReadError, match=f"{late.instant}, a write to"):
                table.ours(start, end)
        held_back.rename(file)
        start = str(int(times[1]) + 1) if version == 8 else times[1]
        assert {row.id for row in table.ours(start).select("id").collect()} == {2, 12, 3, 13}
