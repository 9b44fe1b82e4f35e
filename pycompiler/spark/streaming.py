"""Structured Streaming: each micro-batch becomes a Hudi commit, and the index follows."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from os import PathLike, fspath
from typing import Final, TypeAlias

from pyspark.sql import DataFrame, SparkSession

from pycompiler.index.options import IndexChoice, IndexOptions
from pycompiler.spark.errors import NotAHudiTableError
from pycompiler.spark.index_creator import PartitionPublisher
from pycompiler.spark.jvm import jvm
from pycompiler.spark.timeline import HudiTable
from pycompiler.spark.writer import update_after_write, write_indexed

BatchWriter: TypeAlias = Callable[[DataFrame, int], None]
"""What `DataStreamWriter.foreachBatch` takes."""

_QUERY_ID: Final = "sql.streaming.queryId"
_METADATA_PREFIX: Final = "hoodie.datasource.write.commitmeta.key.prefix"
# With the default prefix this is the key of Hudi's streaming sink.
_BATCHES: Final = "hudi_streaming_sink_checkpoint"
_logger = logging.getLogger(__name__)


def index_batches(
    path: str | PathLike[str],
    hudi_options: Mapping[str, str],
    index: IndexChoice = None,
    catalogue: PartitionPublisher | None = None,
) -> BatchWriter:
    """Makes the function for `foreachBatch` that appends each micro-batch to a Hudi table with its index.

        stream.writeStream.foreachBatch(index_batches("/lake/flights", options))
              .option("checkpointLocation", "/lake/checkpoints/flights").start()

    Spark hands a batch over again when the stream stopped before the batch was marked as done. Each commit
    therefore names its query and batch, in the way of Hudi's own streaming sink, and a batch that a commit
    holds already is not written again, whatever the write operation; only its index is brought up to date.
    The query is known by its checkpoint: with a new checkpoint, all batches are new.

    A batch whose commit was archived before the retry is not recognised: then it is written again, which an
    upsert makes harmless. What `write_indexed` says about failures of the index holds here.

    Args:
        path: Root of the table.
        hudi_options: Options of Hudi's Spark writer, `hoodie.…`.
        index: Which columns to index, and how, see `write_indexed`. A column that is not there fails the
            first batch, before it is written.
        catalogue: Told of each generation of the index, see `IndexCreator`.

    Raises:
        IndexOptionsError: `index` is not understood.
    """
    table, index_options = fspath(path), IndexOptions.of(index)
    options = dict(hudi_options)
    # Hudi takes options that begin with the prefix into the commit.
    key = options.get(_METADATA_PREFIX, "_") + _BATCHES

    def write(batch: DataFrame, number: int) -> None:
        spark = batch.sparkSession
        query = spark.sparkContext.getLocalProperty(_QUERY_ID)
        if query is None:
            raise ValueError("no streaming query runs: this function is for DataStreamWriter.foreachBatch")
        if _last_batch(spark, table, key, query) >= number:
            _logger.info("batch %d of %s is in %s already", number, query, table)
            update_after_write(spark, table, index_options, catalogue)
        else:
            commit_utils = jvm(spark).org.apache.hudi.common.util.CommitUtils
            entry: str = commit_utils.getCheckpointValueAsString(query, str(number))
            write_indexed(batch, table, options | {key: entry}, index_options, catalogue=catalogue)

    return write


def _last_batch(spark: SparkSession, path: str, key: str, query: str) -> int:
    """The last batch of the query that is in the table, -1 if none is. Batches are committed in order."""
    try:
        last = HudiTable(spark, path).last_batch(key, query)
    except NotAHudiTableError:
        return -1  # The first batch makes the table.
    return -1 if last is None else last
