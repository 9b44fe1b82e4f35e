"""A stream of files into a Hudi table and its index, through `foreachBatch`."""

import shutil
from pathlib import Path

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from pycompiler.index.index import StatisticsIndex
from pycompiler.index.options import IndexOptionsError
from pycompiler.indexing.verification import verify
from pycompiler.spark.errors import IndexUpdateWarning
from pycompiler.spark.streaming import BatchWriter, index_batches

from .tables import SCHEMA, check_index, frame, options

pytestmark = pytest.mark.spark

COLUMNS = ["id", "part", "s", "day", "st.x"]


class Stream:
    """A directory of Parquet files that is streamed into a table."""

    def __init__(self, spark: SparkSession, root: Path) -> None:
        self.table = root / "table"
        self._spark = spark
        self._source = root / "source"
        self._source.mkdir()
        self._checkpoint = root / "checkpoint"

    def arrives(self, numbers: range) -> None:
        """Puts rows into the source, which Spark reads as a batch of their own."""
        frame(self._spark, numbers).coalesce(1).write.mode("append").parquet(str(self._source))

    def run(self, write: BatchWriter) -> None:
        """Runs the stream until nothing new is there."""
        source = self._spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", 1)
        query = (
            source.parquet(str(self._source))
            .writeStream.foreachBatch(write)
            .option("checkpointLocation", str(self._checkpoint))
            .trigger(availableNow=True)
            .start()
        )
        assert query.awaitTermination(180), "the stream did not end"

    def insert(self, *batches: range) -> None:
        """Lets batches arrive and runs the stream; a batch that is written twice would be there twice."""
        for numbers in batches:
            self.arrives(numbers)
        self.run(index_batches(str(self.table), options("t", "bulk_insert", True)))

    def forget_the_last_batch(self) -> None:
        """Leaves the checkpoint as it is when the stream was killed between a batch's commit and its mark."""
        marks = sorted((self._checkpoint / "commits").glob("[0-9]*"), key=lambda mark: int(mark.name))
        marks[-1].unlink()
        (marks[-1].parent / f".{marks[-1].name}.crc").unlink()

    def forget_everything(self) -> None:
        shutil.rmtree(self._checkpoint)

    def ids(self) -> list[int]:
        """The keys in the table, sorted."""
        return sorted(
            row[0] for row in self._spark.read.format("hudi").load(str(self.table)).select("id").collect()
        )


@pytest.fixture
def stream(spark: SparkSession, tmp_path: Path) -> Stream:
    return Stream(spark, tmp_path)


def test_each_batch_is_a_commit_and_the_index_has_its_files(spark: SparkSession, stream: Stream) -> None:
    stream.insert(range(20), range(20, 40))
    stream.insert(range(40, 50))
    assert stream.ids() == list(range(50))
    check_index(spark, stream.table, COLUMNS)
    assert StatisticsIndex.open(stream.table).manifest.generation == 3, "one for each batch"
    assert verify(str(stream.table)).sound


@pytest.mark.full
def test_a_batch_that_was_committed_is_not_written_again(spark: SparkSession, stream: Stream) -> None:
    stream.insert(range(20))
    stream.insert(range(20, 40))
    stream.forget_the_last_batch()
    stream.insert()
    assert stream.ids() == list(range(40)), "the second batch is there once"
    stream.insert(range(40, 50))
    assert stream.ids() == list(range(50)), "what comes after it is written"


@pytest.mark.full
def test_a_retry_heals_the_index_that_the_first_try_did_not_reach(
    spark: SparkSession, stream: Stream
) -> None:
    stream.insert(range(20))
    shutil.rmtree(stream.table / ".hoodie" / ".skipping_index")
    stream.forget_the_last_batch()
    stream.insert()
    check_index(spark, stream.table, COLUMNS)


@pytest.mark.full
def test_with_a_new_checkpoint_all_batches_are_new(stream: Stream) -> None:
    stream.insert(range(20))
    stream.forget_everything()
    stream.insert()
    assert stream.ids() == sorted([*range(20), *range(20)]), "it is another stream: Spark's own rule"


@pytest.mark.full
def test_another_prefix_of_commit_metadata_keeps_batches_apart(stream: Stream) -> None:
    settings = options("t", "bulk_insert", True, **{"hoodie.datasource.write.commitmeta.key.prefix": "ours."})
    stream.arrives(range(20))
    stream.run(index_batches(str(stream.table), settings))
    stream.forget_the_last_batch()
    stream.run(index_batches(str(stream.table), settings))
    assert stream.ids() == list(range(20))


def test_a_broken_index_stops_no_stream(stream: Stream) -> None:
    stream.insert(range(20))
    index = stream.table / ".hoodie" / ".skipping_index"
    shutil.rmtree(index)
    index.touch()  # a file where the directory should be: neither read nor published
    with pytest.warns(IndexUpdateWarning, match="hudi-skip index update"):
        stream.insert(range(20, 40))
    assert stream.ids() == list(range(40))
    assert index.is_file(), "the index was not what the test is about"


def test_outside_a_stream_it_says_what_it_is_for(spark: SparkSession, stream: Stream) -> None:
    with pytest.raises(ValueError, match="foreachBatch"):
        index_batches(stream.table, options("t", "bulk_insert", True))(frame(spark, range(3)), 0)


@pytest.mark.full
def test_batches_of_a_merge_on_read_table_are_indexed_with_their_log_files(
    spark: SparkSession, stream: Stream
) -> None:
    merge_on_read = {"hoodie.datasource.write.table.type": "MERGE_ON_READ"}
    write = index_batches(str(stream.table), options("t", "upsert", True, **merge_on_read))
    for numbers in (range(20), range(10)):
        stream.arrives(numbers)
        stream.run(write)
    index = StatisticsIndex.open(stream.table)
    logs = {path for path, file in index.live_files().items() if file.is_log}
    assert len(logs) == 3, "one for each partition"
    assert logs <= index.statistics(["id"])["id"].keys()
    assert stream.ids() == list(range(20))


def test_a_batch_that_cannot_be_written_fails_the_stream(stream: Stream) -> None:
    stream.arrives(range(5))
    with pytest.raises(PySparkException):
        stream.run(
            index_batches(
                str(stream.table),
                {"hoodie.table.name": "t", "hoodie.datasource.write.recordkey.field": "none"},
            )
        )
    assert not (stream.table / ".hoodie" / ".skipping_index").exists()


@pytest.mark.full
def test_a_column_that_is_not_there_fails_the_stream_before_the_batch_is_written(stream: Stream) -> None:
    stream.arrives(range(5))
    with pytest.raises(PySparkException, match="has no column nosuch to index"):
        stream.run(index_batches(stream.table, options("t", "bulk_insert", True), {"nosuch": "bloom"}))
    assert not stream.table.exists()


def test_kinds_that_are_not_understood_are_refused_before_the_stream_starts(stream: Stream) -> None:
    with pytest.raises(IndexOptionsError, match="unknown kind of index record: 'blom'"):
        index_batches(stream.table, {}, {"id": "blom"})
