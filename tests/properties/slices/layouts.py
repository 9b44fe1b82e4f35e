"""Layouts and merge modes of tables."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from pyspark.sql import SparkSession

from tests.hudi_releases import accepted, release_of

_PAYLOADS: Final = "org.apache.hudi.common.model"
_PAYLOAD: Final = "hoodie.datasource.write.payload.class"
_MODE: Final = "hoodie.write.record.merge.mode"
_BLOCKS: Final = "hoodie.logfile.data.block.format"

COMMON: Final[Mapping[str, str]] = {
    "hoodie.table.name": "histories",
    "hoodie.datasource.write.table.type": "MERGE_ON_READ",
    "hoodie.datasource.write.recordkey.field": "id",
    "hoodie.datasource.write.precombine.field": "n",
    "hoodie.datasource.write.partitionpath.field": "part",
    "hoodie.bulkinsert.sort.mode": "NONE",
    "hoodie.compact.inline": "false",
    # Pointless with so few commits, and Hudi checks for work on every commit.
    "hoodie.clean.automatic": "false",
    "hoodie.archive.automatic": "false",
    "hoodie.bloom.index.filter.type": "SIMPLE",
    "hoodie.index.bloom.num_entries": "100",
    "hoodie.metadata.index.column.stats.enable": "false",
    "hoodie.metadata.index.partition.stats.enable": "false",
}
"""Options of all writes."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Properties of a table.

    Attributes:
        name: For messages.
        version: The table version.
        is_whole: Whether each row is one whole record, except after partial updates.
        index: Hudi's index type, which finds the file group of a key.
        has_metadata_table: Whether Hudi maintains its metadata table.
        options: Options of all writes.
        is_on_write: Whether the table is copy-on-write, so without logs.
        has_soft_deletes: Whether a column marks rows as deleted.
        orders_by_text: Whether ordering values are strings.
        takes_partial_updates: Whether single columns may be updated.
    """

    name: str
    version: int
    is_whole: bool
    index: str
    has_metadata_table: bool
    options: Mapping[str, str]
    is_on_write: bool = False
    has_soft_deletes: bool = False
    orders_by_text: bool = False
    takes_partial_updates: bool = False

    @property
    def orders_by_commit_time(self) -> bool:
        """Whether the last commit wins, which requires table version 8."""
        return self.options.get(_MODE) == "COMMIT_TIME_ORDERING"

    @property
    def has_parquet_blocks(self) -> bool:
        """Whether log blocks are Parquet."""
        return self.options[_BLOCKS] == "parquet"

    @property
    def is_misread_by_group_reader(self) -> bool:
        """Whether the file group reader of Hudi 1.0.2 returns updates that lost."""
        return self.orders_by_text and self.has_parquet_blocks


_MERGING: Final[Mapping[str, tuple[Mapping[str, str], Mapping[str, str]]]] = {
    "event time": ({_PAYLOAD: f"{_PAYLOADS}.DefaultHoodieRecordPayload"}, {}),
    "commit time": (
        {_PAYLOAD: f"{_PAYLOADS}.OverwriteWithLatestAvroPayload"},
        {_MODE: "COMMIT_TIME_ORDERING"},
    ),
    "custom": (
        {_PAYLOAD: f"{_PAYLOADS}.PartialUpdateAvroPayload"},
        {_PAYLOAD: f"{_PAYLOADS}.PartialUpdateAvroPayload", _MODE: "CUSTOM"},
    ),
}
"""Layouts by how records with the same key are merged: of table version 6, and of later ones."""

SIMPLE: Final = "simple"
IN_MEMORY: Final = "in memory"
"""An index that sends new rows to logs, which creates slices without a base file. Hudi keeps the keys of all
tables of a JVM in one map, and does not remove keys of files that were rolled back or replaced.
"""

_INDEXES: Final[Mapping[str, Mapping[str, str]]] = {
    SIMPLE: {"hoodie.index.type": "SIMPLE"},
    "bucket": {"hoodie.index.type": "BUCKET", "hoodie.bucket.index.num.buckets": "1"},
    "2 buckets": {"hoodie.index.type": "BUCKET", "hoodie.bucket.index.num.buckets": "2"},
    IN_MEMORY: {"hoodie.index.type": "INMEMORY"},
}


def random_layout(rng: random.Random, spark: SparkSession) -> Layout:
    """Draws a layout that the Hudi of a session can write.

    One table in six merges records into rows; one in eight has a metadata table.
    """
    newest = release_of(spark).newest_version
    version = rng.choice([version for version in (6, 8, 9) if version <= newest])
    merging = rng.choice(("event time", "event time", "event time", "commit time", "commit time", "custom"))
    index = rng.choice((SIMPLE, SIMPLE, "bucket", "2 buckets", IN_MEMORY))
    blocks = rng.choice(("avro", "avro", "parquet"))
    has_metadata_table = rng.random() < 1 / 8
    options = {
        **COMMON,
        **accepted(spark, _MERGING[merging][version >= 8]),
        **_INDEXES[index],
        "hoodie.write.table.version": str(version),
        "hoodie.write.auto.upgrade": "false",
        _BLOCKS: blocks,
        "hoodie.metadata.enable": str(has_metadata_table).lower(),
    }
    name = f"version {version}, {merging}, {index}, {blocks} blocks"
    return Layout(
        name + (", metadata table" if has_metadata_table else ""),
        version,
        merging != "custom",
        index,
        has_metadata_table,
        options,
        takes_partial_updates=version >= 8 and merging != "custom",
    )
