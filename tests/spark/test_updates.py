"""Updates of real tables by the timeline: they say what a listing says, and cost no more on large tables."""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from pycompiler.index.file_systems.hdfs import Storage as HdfsStorage
from pycompiler.indexing.indexer import IndexUpdate
from pycompiler.spark.index_creator import IndexCreator
from pycompiler.spark.jvm import jvm

from ..hudi_releases import release_of
from ..stores.calls import counted_calls
from ..unit.table.simulated_table import SimulatedTable
from ..unit.table.updating import update as update_simulated
from .handler_listings import INDEX, HandlerListings
from .hudis_view import check_files_by_index, check_index, check_view
from .tables import check_listing_says_the_same, options, sql_table

pytestmark = pytest.mark.spark

VERSIONS = {"version 6": "6", "version 8": "8"}
NEW_FILES = {"hoodie.parquet.small.file.limit": "0"}
CLUSTERING = {"hoodie.clustering.inline": "true", "hoodie.clustering.inline.max.commits": "1"}
ARCHIVING = {
    "hoodie.keep.min.commits": "3",
    "hoodie.keep.max.commits": "4",
    "hoodie.clean.commits.retained": "1",
    "hoodie.metadata.compact.max.delta.commits": "2",
}
EAST = {"hoodie.datasource.write.partitions.to.delete": "part=p1"}
MERGE_ON_READ = {"hoodie.datasource.write.table.type": "MERGE_ON_READ", "hoodie.compact.inline": "false"}
COMPACTION = {"hoodie.compact.inline": "true", "hoodie.compact.inline.max.delta.commits": "1"}
SCHEDULED = {"hoodie.compact.schedule.inline": "true", "hoodie.compact.inline.max.delta.commits": "1"}
LOG_COMPACTION = {"hoodie.log.compaction.inline": "true", "hoodie.log.compaction.blocks.threshold": "1"}


class Table:
    """A table of two partitions that Hudi writes."""

    def __init__(self, spark: SparkSession, path: Path, version: str, **more: str) -> None:
        self._spark = spark
        self.path = path
        self._version = {
            "hoodie.write.table.version": version,
            "hoodie.write.auto.upgrade": "false",
            "hoodie.metadata.enable": str(version == "8").lower(),
            **more,
        }

    def write(self, numbers: Iterable[int], operation: str, more: Mapping[str, str] | None = None) -> None:
        """Writes rows whose partition is their number's last bit."""
        rows = [(number, f"p{number % 2}", number) for number in numbers]
        settings = options("t", operation, True, **{**self._version, **(more or {})})
        frame = self._spark.createDataFrame(rows, "id bigint, part string, n int").repartition(1)
        frame.write.format("hudi").options(**settings).mode("append").save(str(self.path))

    def roll_back(self, instant: str) -> None:
        """Rolls back the last commit, as a person would."""
        with sql_table(self._spark, self.path) as name:
            call = f"call rollback_to_instant(table => '{name}', instant_time => '{instant}')"
            self._spark.sql(call).collect()

    def compact(self) -> None:
        """Carries out the compaction that is scheduled."""
        with sql_table(self._spark, self.path) as name:
            self._spark.sql(f"call run_compaction(op => 'run', table => '{name}')").collect()

    def update(self, what: str) -> IndexUpdate:
        """Brings the index up to date and holds it against one by listing."""
        update = IndexCreator(self._spark).update(str(self.path))
        assert update.files > 0, what
        check_listing_says_the_same(self._spark, self.path)
        return update


@dataclass(frozen=True)
class Kind:
    """A kind of tables, and what is done to one.

    Attributes:
        options: Of Hudi's writer.
        writes: Operations of Hudi's writer with further options.
        steps: How many writes.
        listings: At most so many updates after writes alone list the table.
    """

    options: Mapping[str, str]
    writes: Sequence[tuple[str, Mapping[str, str]]]
    steps: int
    listings: int


KINDS = {
    "copy on write": Kind(
        {},
        (
            ("upsert", {}),
            ("insert", NEW_FILES),
            ("insert", CLUSTERING),
            ("delete", {}),
            ("bulk_insert", {}),
            ("insert_overwrite", {}),
            ("delete_partition", EAST),
            ("upsert", ARCHIVING),
        ),
        steps=12,
        listings=1,
    ),
    "merge on read": Kind(
        MERGE_ON_READ,
        (
            ("upsert", {}),
            ("upsert", {}),
            ("upsert", COMPACTION),
            ("upsert", SCHEDULED),
            ("upsert", LOG_COMPACTION),
            ("insert", NEW_FILES),
            ("insert", CLUSTERING),
            ("delete", {}),
            ("insert_overwrite", {}),
            ("delete_partition", EAST),
            ("upsert", ARCHIVING),
        ),
        steps=8,
        listings=2,
    ),
}


@pytest.mark.selected(2)
@pytest.mark.since_hudi_1  # 0.15 requires an ordering field.
@pytest.mark.parametrize("version", VERSIONS.values(), ids=VERSIONS.keys())
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS.keys())
def test_after_any_operations_timeline_listing_and_hudis_view_say_the_same(
    spark: SparkSession, tmp_path: Path, listings: HandlerListings, kind: Kind, version: str
) -> None:
    choose = random.Random(int(version))
    table = Table(spark, tmp_path / "t", version, **kind.options)
    table.write(range(40), "bulk_insert")
    assert table.update("the first").listed_because == "the table has no index yet"
    assert listings.compared(table.path) == INDEX
    writes = kind.writes
    if version == "6" and kind.options == MERGE_ON_READ and release_of(spark).newest_version >= 9:
        # Hudi 1.1.1 fails: its handles find no schema to write with (HoodieWriteHandle.getWriteSchema).
        writes = [(operation, more) for operation, more in writes if operation != "delete"]
    history, listed, by_handler, by_index = [], [], [], []
    for _ in range(kind.steps):
        first = choose.randrange(40)
        keys = range(first, first + choose.randint(1, 12))
        operation, more = choose.choice(writes)
        table.write([1] if operation == "delete_partition" else keys, operation, more)
        history.append(f"{operation}{' with ' + min(more) if more else ''}")
        check_view(spark, table.path, history)
        if kind.options != MERGE_ON_READ:
            by_index.append(check_files_by_index(spark, table.path, history).complete)
        by_handler.append(listings.compared(table.path))
        if choose.random() < 0.7:
            listed.append(table.update(", ".join(history)).listed_because)
            assert listings.compared(table.path) == INDEX, history
    assert by_handler.count(INDEX) > kind.steps / 2, f"an index that lags behind: {by_handler} of {history}"
    assert by_index.count(True) >= len(by_index) / 2, f"files by index and timeline: {by_index} of {history}"
    assert listed.count(None) >= len(listed) - kind.listings, (
        f"a listing after writes alone: {listed} of {history}"
    )
    check_index(spark, table.path, history)


@pytest.mark.since_version_8  # Hudi 0.15 requires an ordering field.
def test_what_was_taken_back_is_listed_and_then_the_timeline_serves_again(
    spark: SparkSession, tmp_path: Path, listings: HandlerListings
) -> None:
    table = Table(spark, tmp_path / "t", "8")
    table.write(range(10), "bulk_insert")
    table.update("the first")
    table.write(range(3), "upsert")
    update = table.update("rewritten")
    assert (update.listed_because, update.files_added, update.files_gone) == (None, 2, 2)
    table.roll_back(update.instant)
    assert "undid commits" in listings.compared(table.path)
    undone = table.update("rolled back")
    assert "undid commits" in (undone.listed_because or ""), "the files of before are read once more"
    assert (undone.files_added, undone.files_gone) == (2, 2)
    table.write(range(20, 24), "insert", NEW_FILES)
    assert table.update("more").listed_because is None
    assert not table.update("nothing new").published


@pytest.mark.full
@pytest.mark.since_hudi_1  # 0.15 requires an ordering field.
def test_a_compaction_takes_the_log_files_before_it_and_leaves_those_since(
    spark: SparkSession, tmp_path: Path
) -> None:
    table = Table(spark, tmp_path / "t", "8", **MERGE_ON_READ)
    table.write(range(0, 10, 2), "bulk_insert")
    table.write([2], "upsert")
    table.write([4], "upsert", SCHEDULED)
    update = table.update("scheduled")
    assert update.files == 3, "a base file and two log files"
    table.write([6], "upsert")
    update = table.update("beside it")
    assert (update.listed_because, update.files_added, update.files_gone) == (None, 1, 0)
    table.compact()
    update = table.update("compacted")
    assert (update.listed_because, update.files_added, update.files_gone, update.files) == (None, 1, 3, 2)
    table.write([8], "upsert", LOG_COMPACTION)
    update = table.update("log compaction")
    assert update.listed_because is None and update.files_gone == 0


def update_on_hdfs(spark: SparkSession, uri: str) -> tuple[IndexUpdate, dict[str, int]]:
    """Updates an index, and counts the calls of HDFS: those of Hadoop in the JVM, and Python's."""
    before = _hadoop_counters(spark)
    with counted_calls(HdfsStorage) as counts:
        update = IndexCreator(spark).update(uri)
    asked = Counter(_hadoop_counters(spark))
    asked.subtract(before)
    return update, {name: number for name, number in [*counts.items(), *asked.items()] if number}


def _hadoop_counters(spark: SparkSession) -> dict[str, int]:
    statistics = jvm(spark).org.apache.hadoop.fs.GlobalStorageStatistics.INSTANCE.get("DFSOpsCountStatistics")
    found = {}
    if statistics is not None:
        counters = statistics.getLongStatistics()
        while counters.hasNext():
            counter = counters.next()
            found[counter.getName()] = counter.getValue()
    return found


@pytest.mark.full
@pytest.mark.since_hudi_1  # The simulated table has version 8.
@pytest.mark.parametrize("rewrites", [False, True], ids=["new files", "rewritten files"])
def test_what_an_update_asks_of_the_file_system_does_not_depend_on_the_tables_size(
    spark: SparkSession, hdfs: str, tmp_path: Path, rewrites: bool
) -> None:
    calls = []
    for files in (4, 40):
        with _on_hdfs(spark, hdfs, tmp_path / f"{files}") as (table, upload, uri):
            table.commit(new=files)
            update_simulated(table)
            upload()
            groups = sorted(table.live())[:3]
            table.commit(groups, 0) if rewrites else table.commit((), 3)
            upload()
            done, asked = update_on_hdfs(spark, uri)
            calls.append(asked)
            assert (done.listed_because, done.files_added) == (None, 3)
            assert done.files == (files if rewrites else files + 3)
    assert calls[0] == calls[1]
    assert sum(calls[0].values()) > 10, f"something was counted: {calls[0]}"


@contextmanager
def _on_hdfs(
    spark: SparkSession, hdfs: str, path: Path
) -> Iterator[tuple[SimulatedTable, Callable[[], None], str]]:
    """A simulated table and its copy on HDFS, which each call replaces."""
    uri = f"{hdfs}/updates/{path.parent.name}/{path.name}"
    hadoop = jvm(spark).org.apache.hadoop.fs
    target = hadoop.Path(uri)
    file_system = target.getFileSystem(spark._jsc.hadoopConfiguration())

    def upload() -> None:
        file_system.delete(target, True)
        file_system.mkdirs(target.getParent())
        file_system.copyFromLocalFile(hadoop.Path(str(path)), target)

    yield SimulatedTable(path, 8), upload, uri
    file_system.delete(target, True)
