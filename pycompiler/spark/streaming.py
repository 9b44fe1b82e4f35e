"""Structured Streaming: each micro-batch becomes a Hudi commit, and the index follows."""

import logging
from collections.abc import Callable, Mapping
from os import PathLike, fspath
from typing import Final, TypeAlias

from pyspark.sql import DataFrame, SparkSession

from pycompiler.index.options import IndexChoice, IndexOptions
from pycompiler.spark.hudi_table import HudiTable
from pycompiler.spark.jvm import jvm
from pycompiler.spark.writer import update_after_write, write_indexed
from pycompiler.table.catalogue.interface import PartitionCatalogue
from pycompiler.table.errors import NotAHudiTableError

BatchWriter: TypeAlias = Callable[[DataFrame, int], None]
"""The argument of `DataStreamWriter.foreachBatch`."""

_QUERY_ID: Final = "sql.streaming.queryId"
_METADATA_PREFIX: Final = "hoodie.datasource.write.commitmeta.key.prefix"
# With the default prefix, this is the key of Hudi's streaming sink.
_BATCHES: Final = "hudi_streaming_sink_checkpoint"
_logger = logging.getLogger(__name__)


def index_batches(
    path: str | PathLike[str],
    hudi_options: Mapping[str, str],
    index: IndexChoice = None,
    catalogue: PartitionCatalogue | None = None,
) -> BatchWriter:
    """Makes the function for `foreachBatch` that appends each micro-batch to an indexed Hudi table.

        stream.writeStream.foreachBatch(index_batches("/lake/flights", options))
              .option("checkpointLocation", "/lake/checkpoints/flights").start()

    Spark repeats a batch if the stream stopped before the batch was marked as done. So each commit records
    its query and batch, like Hudi's own streaming sink, and a batch that is already committed is not written
    again, whatever the write operation; only its index is updated. The checkpoint identifies the query: with
    a new checkpoint, all batches are new.

    A batch whose commit was archived before the retry is not recognised and is written again, which an upsert
    makes harmless. Failures of the index are handled as by `write_indexed`.

    Args:
        path: Root of the table.
        hudi_options: Options of Hudi's Spark writer, `hoodie.…`.
        index: Which columns to index, and how, see `write_indexed`. A missing column fails the first batch,
            before it is written.
        catalogue: Receives each generation of the index, see `IndexCreator`.

    Raises:
        IndexOptionsError: `index` is invalid.
    """
    table, index_options = fspath(path), IndexOptions.of(index)
    options = dict(hudi_options)
    # Hudi records options with this prefix in the commit.
    key = options.get(_METADATA_PREFIX, "_") + _BATCHES

    def write(batch: DataFrame, number: int) -> None:
        spark = batch.sparkSession
        query = spark.sparkContext.getLocalProperty(_QUERY_ID)
        if query is None:
            raise ValueError(
                "no streaming query is running; pass this function to DataStreamWriter.foreachBatch"
            )
        if _last_batch(spark, table, key, query) >= number:
            _logger.info("batch %d of %s is already in %s", number, query, table)
            update_after_write(spark, table, index_options, catalogue)
        else:
            commit_utils = jvm(spark).org.apache.hudi.common.util.CommitUtils
            entry: str = commit_utils.getCheckpointValueAsString(query, str(number))
            write_indexed(batch, table, options | {key: entry}, index_options, catalogue=catalogue)

    return write


def _last_batch(spark: SparkSession, path: str, key: str, query: str) -> int:
    """The query's last batch in the table, -1 if there is none. Batches are committed in order."""
    try:
        return HudiTable(spark, path).last_batch(key, query)
    except NotAHudiTableError:
        return -1  # The first batch creates the table.
