"""Updates of real tables by the timeline: they say what a listing says, and cost no more on large tables."""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from pycompiler.index.file_systems.hdfs import Storage as HdfsStorage
from pycompiler.spark.index_creator import IndexCreator, IndexUpdate
from pycompiler.spark.jvm import jvm

from ..stores.calls import counted_calls
from ..unit.table.simulated_table import SimulatedTable
from ..unit.table.updating import update as update_simulated
from .handler_listings import INDEX, HandlerListings
from .tables import check_listing_says_the_same, options

pytestmark = pytest.mark.spark

VERSIONS = {"version 6": "6", "version 8": "8"}
STEPS = 12
NEW_FILES = {"hoodie.parquet.small.file.limit": "0"}
CLUSTERING = {"hoodie.clustering.inline": "true", "hoodie.clustering.inline.max.commits": "1"}
ARCHIVING = {
    "hoodie.keep.min.commits": "3",
    "hoodie.keep.max.commits": "4",
    "hoodie.clean.commits.retained": "1",
    "hoodie.metadata.compact.max.delta.commits": "2",
}
EAST = {"hoodie.datasource.write.partitions.to.delete": "part=p1"}


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
        self._spark.sql(f"create table updated using hudi location '{self.path}'")
        try:
            self._spark.sql(
                f"call rollback_to_instant(table => 'updated', instant_time => '{instant}')"
            ).collect()
        finally:
            self._spark.sql("drop table updated")

    def compact(self) -> None:
        """Carries out the compaction that is scheduled."""
        self._spark.sql(f"create table compacted using hudi location '{self.path}'")
        try:
            self._spark.sql("call run_compaction(op => 'run', table => 'compacted')").collect()
        finally:
            self._spark.sql("drop table compacted")

    def update(self, what: str) -> IndexUpdate:
        """Brings the index up to date and holds it against one by listing."""
        update = IndexCreator(self._spark).update(str(self.path))
        assert update.files > 0, what
        check_listing_says_the_same(self._spark, self.path)
        return update


Writes = Sequence[tuple[str, Mapping[str, str]]]
"""Operations of Hudi's writer with further options."""

WRITES: Writes = (
    ("upsert", {}),
    ("insert", NEW_FILES),
    ("insert", CLUSTERING),
    ("delete", {}),
    ("bulk_insert", {}),
    ("insert_overwrite", {}),
    ("delete_partition", EAST),
    ("upsert", ARCHIVING),
)


def random_write(table: Table, choose: random.Random, writes: Writes) -> str:
    """One write of some keys, with whatever Hudi does along with it."""
    first = choose.randrange(40)
    keys = range(first, first + choose.randint(1, 12))
    operation, more = choose.choice(writes)
    table.write([1] if operation == "delete_partition" else keys, operation, more)
    return f"{operation}{' with ' + min(more) if more else ''}"


@pytest.mark.selected(2)
@pytest.mark.parametrize("version", VERSIONS.values(), ids=VERSIONS.keys())
def test_after_any_operations_the_timeline_says_what_a_listing_says(
    spark: SparkSession, tmp_path: Path, listings: HandlerListings, version: str
) -> None:
    choose = random.Random(int(version))
    table = Table(spark, tmp_path / "t", version)
    table.write(range(40), "bulk_insert")
    assert table.update("the first").listed_because == "the table has no index yet"
    assert listings.compared(table.path) == INDEX
    history, listed, by_handler = [], [], []
    for _ in range(STEPS):
        history.append(random_write(table, choose, WRITES))
        by_handler.append(listings.compared(table.path))
        if choose.random() < 0.7:
            listed.append(table.update(", ".join(history)).listed_because)
            assert listings.compared(table.path) == INDEX, history
    assert by_handler.count(INDEX) > STEPS / 2, f"an index that lags behind: {by_handler} of {history}"
    assert listed.count(None) >= len(listed) - 1, f"a listing after writes alone: {listed} of {history}"


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


@pytest.fixture
def file_system_calls(
    spark: SparkSession,
) -> Callable[[Callable[[], object]], dict[str, int]]:
    """Counts what some work asks of HDFS: by Hadoop's own counters in the JVM, and what Python asks for."""

    def count(work: Callable[[], object]) -> dict[str, int]:
        before = _hadoop_counters(spark)
        with counted_calls(HdfsStorage) as counts:
            work()
        asked = Counter(_hadoop_counters(spark))
        asked.subtract(before)
        return {name: number for name, number in [*counts.items(), *asked.items()] if number}

    return count


def _hadoop_counters(spark: SparkSession) -> dict[str, int]:
    statistics = jvm(spark).org.apache.hadoop.fs.GlobalStorageStatistics.INSTANCE.get("DFSOpsCountStatistics")
    found = {}
    if statistics is not None:
        counters = statistics.getLongStatistics()
        while counters.hasNext():
            counter = counters.next()
            found[counter.getName()] = counter.getValue()
    return found


@pytest.mark.selected(1)
@pytest.mark.parametrize("rewrites", [False, True], ids=["new files", "rewritten files"])
def test_what_an_update_asks_of_the_file_system_does_not_depend_on_the_tables_size(
    spark: SparkSession,
    hdfs: str,
    tmp_path: Path,
    file_system_calls: Callable[[Callable[[], object]], dict[str, int]],
    rewrites: bool,
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
            updates: list[IndexUpdate] = []

            def update(uri: str = uri, updates: list[IndexUpdate] = updates) -> None:
                updates.append(IndexCreator(spark).update(uri))

            calls.append(file_system_calls(update))
            (done,) = updates
            assert (done.listed_because, done.files_added, done.files) == (
                None,
                3,
                files if rewrites else files + 3,
            )
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
