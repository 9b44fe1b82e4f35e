"""Reads Hudi's snapshot as of an instant in Spark, restricted to some file groups.

Hudi has no option for this. But its relation takes partition listings from its own cache, which can be filled
before anything is planned: with the files of the wanted groups, and with none in other partitions. If Spark
evicts the cache, Hudi lists everything and reads more than was wanted, so rows must be filtered by commit
time in any case.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any, Final

from pyspark.sql import DataFrame, SparkSession

from pycompiler.index.records import FileGroup
from pycompiler.spark.causes import cause_of
from pycompiler.spark.errors import IncrementalReadError
from pycompiler.spark.hudi_table import HudiTable
from pycompiler.spark.jvm import JavaError, jvm

_PLAIN: Final = re.compile(r"[\w\-]+", re.ASCII)
_MOST_IN_PATTERN: Final = 10_000
"""Hadoop takes seconds for longer patterns."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A table's state as of an instant."""

    spark: SparkSession
    table: HudiTable
    instant: str

    def require_readable(self) -> None:
        """Verifies that no part of the state was cleaned or archived."""
        packages = jvm(self.spark).org.apache.hudi.common
        try:
            packages.table.timeline.TimelineUtils.validateTimestampAsOf(self.table.reloaded(), self.instant)
        except JavaError as error:
            raise IncrementalReadError(
                f"the state of {self.table.root} as of {self.instant} cannot be read ({cause_of(error)}): end"
                " the range later"
            ) from error

    def rows(self, groups: Collection[FileGroup], *, file_group_reader: bool = True) -> DataFrame:
        """The rows of some file groups, by Hudi's file group reader or its older one.

        If Spark caches no listings, rows of other groups are included.
        """
        frame = (
            self.spark.read.format("hudi")
            .options(
                **{
                    "hoodie.datasource.query.type": "snapshot",
                    "hoodie.datasource.merge.type": "payload_combine",
                    "hoodie.file.group.reader.enabled": str(file_group_reader).lower(),
                    "as.of.instant": self.instant,
                    # It would skip files with matching rows.
                    "hoodie.enable.data.skipping": "false",
                    # Otherwise everything is listed before the cache can be filled.
                    "hoodie.datasource.read.file.index.listing.mode": "lazy",
                }
            )
            .load(self.table.root)
        )
        self._fill(_cache_of(frame), groups)
        return frame

    def _fill(self, cache: Any, groups: Iterable[FileGroup]) -> None:
        ids: defaultdict[str, list[str]] = defaultdict(list)
        for partition, file_id in groups:
            ids[partition].append(file_id)
        packages = jvm(self.spark)
        storage_path = packages.org.apache.hudi.storage.StoragePath
        hadoop = packages.org.apache.hadoop.fs
        root = hadoop.Path(self.table.root)
        file_system = root.getFileSystem(self.spark._jsc.hadoopConfiguration())
        gateway: Any = self.spark.sparkContext._gateway
        nothing = gateway.new_array(hadoop.FileStatus, 0)
        for partition in {*self.table.partitions(), *ids}:
            found = nothing
            if partition in ids:
                folder = hadoop.Path(root, partition) if partition else root
                found = file_system.listStatus(folder, hadoop.GlobFilter(_pattern(ids[partition])))
            cache.putLeafFiles(hadoop.Path(storage_path(partition).toUri()), found)


def _pattern(ids: Collection[str]) -> str:
    """A glob pattern for the file names of some groups, `<file id>_…` and `.<file id>_….log.…`.

    It matches all files if there are too many groups, or ids that a pattern cannot contain.
    """
    if len(ids) > _MOST_IN_PATTERN or not all(map(_PLAIN.fullmatch, ids)):
        return "*"
    # Sorted, so that Hadoop's regular expression branches like a tree.
    return f"{{,.}}{{{','.join(sorted(ids))}}}_*"


def _cache_of(frame: DataFrame) -> Any:
    """The listings that Hudi's relation uses."""
    relation = frame._jdf.queryExecution().analyzed().collectLeaves().head().relation()
    is_of_spark = relation.getClass().getSimpleName() == "HadoopFsRelation"
    index = relation.location() if is_of_spark else relation.fileIndex()
    return index.fileStatusCache()
