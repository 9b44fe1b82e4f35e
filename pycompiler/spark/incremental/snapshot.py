"""Hudi's snapshot as of an instant in Spark, of some file groups alone.

Hudi has no option for that. But its relation takes the listing of a partition from a cache of its own, which
whoever has the relation can fill before anything is planned: with the files of the groups that are wanted,
and with none in other partitions. If Spark lets go of the cache, Hudi lists everything, and more is read than
was wanted: so the rows have to be told by their commit times in any case.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any, Final

from pyspark.sql import DataFrame, SparkSession

from pycompiler.index.records import FileGroup
from pycompiler.spark.causes import cause_of
from pycompiler.spark.errors import IncrementalReadError
from pycompiler.spark.jvm import JavaError, jvm
from pycompiler.spark.timeline import HudiTable

_PLAIN: Final = re.compile(r"[\w\-]+", re.ASCII)
_MOST_IN_PATTERN: Final = 10_000
"""Hadoop takes seconds for a pattern of more."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A table's state as of an instant.

    Attributes:
        spark: The session.
        table: The table.
        instant: The instant.
    """

    spark: SparkSession
    table: HudiTable
    instant: str

    def require_readable(self) -> None:
        """Makes sure that nothing was cleaned or archived that the state consists of.

        Raises:
            IncrementalReadError: Something was.
        """
        packages = jvm(self.spark).org.apache.hudi.common
        try:
            packages.table.timeline.TimelineUtils.validateTimestampAsOf(self.table.reloaded(), self.instant)
        except JavaError as error:
            raise IncrementalReadError(
                f"the state of {self.table.root} as of {self.instant} cannot be read ({cause_of(error)}): end"
                " the range later"
            ) from error

    def rows(self, groups: Collection[FileGroup], *, file_group_reader: bool = True) -> DataFrame:
        """The rows of some file groups.

        Args:
            groups: The groups. If Spark keeps no listings, those of others are among the rows.
            file_group_reader: Whether Hudi reads with its file group reader, else with its older one.
        """
        frame = (
            self.spark.read.format("hudi")
            .options(
                **{
                    "hoodie.datasource.query.type": "snapshot",
                    "hoodie.datasource.merge.type": "payload_combine",
                    "hoodie.file.group.reader.enabled": str(file_group_reader).lower(),
                    "as.of.instant": self.instant,
                    # It leaves files out that have matching rows.
                    "hoodie.enable.data.skipping": "false",
                    # Else everything is listed before there is a cache to be filled.
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
    """A glob pattern of the names of the files of some groups, `<file id>_…` and `.<file id>_….log.…`.

    All files match it if the groups are too many, or have ids that a pattern cannot have in it.
    """
    if len(ids) > _MOST_IN_PATTERN or not all(map(_PLAIN.fullmatch, ids)):
        return "*"
    # Sorted, so that the expression that Hadoop makes of it branches like a tree.
    return f"{{,.}}{{{','.join(sorted(ids))}}}_*"


def _cache_of(frame: DataFrame) -> Any:
    """The listings that Hudi's relation goes by."""
    relation = frame._jdf.queryExecution().analyzed().collectLeaves().head().relation()
    is_of_spark = relation.getClass().getSimpleName() == "HadoopFsRelation"
    index = relation.location() if is_of_spark else relation.fileIndex()
    return index.fileStatusCache()
