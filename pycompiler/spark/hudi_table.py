"""A table as Hudi sees it: its timeline and its file-system view, through Py4J."""

from collections.abc import Iterable
from contextlib import closing
from itertools import chain, starmap
from os import PathLike
from typing import Any, Final

from pyspark.sql import SparkSession

from pycompiler.index.collect.table_columns import TableColumns
from pycompiler.index.file_systems.factory import list_folder
from pycompiler.index.file_systems.location import Location
from pycompiler.index.log_files.names import LogName
from pycompiler.index.manifest import SeenTimeline
from pycompiler.index.records import WriteStatus
from pycompiler.indexing.table import IndexedTable
from pycompiler.spark.file_systems import qualified
from pycompiler.spark.hudi.listing import files_of_slices, paths_and_sizes
from pycompiler.spark.hudi.releases import HudiRelease
from pycompiler.spark.jvm import jvm
from pycompiler.spark.session import require_hudi
from pycompiler.table.changes import seen_timeline
from pycompiler.table.errors import (
    TableUnreadableError,
    UnknownFilesError,
    UnknownVersionError,
    UnsupportedTableError,
)
from pycompiler.table.known_properties import MERGE_PROPERTIES, NEW_ORDERING, OLD_ORDERING, fields_in
from pycompiler.table.listing import TableSnapshot
from pycompiler.table.timeline import Timeline

_SCHEMAS: Final = ".hoodie/.schema"
_HISTORY: Final = ".schemacommit"
_RELOADS: Final = 5


class HudiTable:
    """An `IndexedTable`, by a path in any form that Hadoop accepts.

    Raises the errors of `IndexedTable`, and:

    Raises:
        SparkUnavailableError: The session lacks Hudi or the table's file system.
    """

    def __init__(self, spark: SparkSession, path: str | PathLike[str]) -> None:
        require_hudi(spark)
        self._spark = spark
        self._jvm = jvm(spark)
        self._hudi: Any = self._jvm.org.apache.hudi
        self._release = HudiRelease.of(self._hudi)
        base_path = qualified(spark, path)
        self._table = IndexedTable(str(Location.parse(base_path)))
        self.root: Final = self._table.root
        self.properties: Final = self._table.properties
        # Hudi 0.15 cannot open tables of later versions.
        if objection := self._release.objection_to(self.properties.version):
            raise UnknownVersionError(f"{path} {objection}")
        storage = self._hudi.hadoop.fs.HadoopFSUtils.getStorageConf(spark._jsc.hadoopConfiguration())
        builder = self._hudi.common.table.HoodieTableMetaClient.builder()
        self._client = builder.setConf(storage).setBasePath(base_path).build()
        self._config = self._client.getTableConfig()

    def require_readable_by_session(self) -> None:
        """Verifies that the session's Hudi knows by which properties records are merged, if they are."""
        if self.properties.is_copy_on_write or self._release.knows_ordering_fields:
            return
        given = self.properties.all
        for name, value in given.items():
            is_new = name.startswith(MERGE_PROPERTIES) or (
                name == NEW_ORDERING and not given.get(OLD_ORDERING)
            )
            is_several = name in (OLD_ORDERING, NEW_ORDERING) and "," in value
            if value and (is_new or is_several):
                raise UnsupportedTableError(
                    f"{self.root} has the property {name}={value}, which the Hudi of this Spark session"
                    " does not know: start the session with the bundle of Hudi 1.1 or later"
                )

    @property
    def ordering_fields(self) -> tuple[str, ...]:
        """The fields whose greater values win between two records; the first that differs decides."""
        given = self.properties.all
        return fields_in(given.get(OLD_ORDERING) or given.get(NEW_ORDERING) or "")

    @property
    def columns_of_files(self) -> TableColumns:
        """What the collection of statistics needs to know about the table's columns."""
        try:
            return self._table.columns_of_files
        except UnknownFilesError:
            return TableColumns(self._table.path_columns, self.schema())

    @property
    def columns_in_millis(self) -> frozenset[str]:
        """Columns with a timestamp in milliseconds, whose files Hudi's releases read differently."""
        units = self.columns_of_files.units
        return frozenset(name.partition(".")[0] for name, unit in units.items() if unit == "ms")

    @property
    def finds_columns_by_id(self) -> bool:
        """Whether Spark may find columns in old files by id, not by name (`hoodie.schema.on.read.enable`)."""
        return any(
            name.endswith(_HISTORY) for name in list_folder(self._table.location.child(_SCHEMAS)).names
        )

    def schema(self) -> str | None:
        """The Avro schema as Hudi finds it, as JSON, with Hudi's columns; None if there is none."""
        return self._release.avro_schema(self._hudi.common.table.TableSchemaResolver(self._client))

    def snapshot(self) -> TableSnapshot:
        """Lists the latest files of all partitions, through the metadata table if there is one."""
        # The view uses the client's current timeline, whatever is committed meanwhile.
        seen = self._reload()
        instant = self._last_instant()
        with closing(self._view()) as view:
            # Hudi 0.15 cannot load all partitions without naming them.
            partitions = self.partitions()
            view.loadPartitions(partitions)
            files: tuple[Any, ...]
            if self.properties.is_copy_on_write:
                files = (view.getLatestBaseFiles().collect(self._jvm.java.util.stream.Collectors.toList()),)
            else:
                # This may include partly written logs of a delta commit in progress.
                files = files_of_slices(self._jvm, view, partitions)
            return TableSnapshot(instant, self._statuses(files), seen)

    def files_as_of(self, instant: str, partitions: Iterable[str]) -> tuple[WriteStatus, ...]:
        """The files of some partitions' file slices as of an instant.

        May include logs that were written to the slices since.
        """
        self._client.reloadActiveTimeline()
        with closing(self._view()) as view:
            return self._statuses(files_of_slices(self._jvm, view, partitions, instant))

    def partitions(self) -> list[str]:
        """The paths of all partitions, relative to the table; its root if it has no partition columns."""
        if not self._config.isTablePartitioned():
            return [""]  # Hudi finds no partition there if the partition file was lost.
        context, metadata = self._listing()
        return self._release.partition_paths(self._hudi, context, self._client, metadata)

    def reloaded(self) -> Any:
        """Hudi's meta client, with the current timeline."""
        self._client.reloadActiveTimeline()
        return self._client

    def last_batch(self, key: str, query: str) -> int:
        """The last micro-batch of a streaming query in a commit of the active timeline; -1 if there is none.

        The key is that of the batches in commit metadata, whose format is that of Hudi's streaming sink.
        """
        timeline = self.reloaded().getCommitsTimeline()
        batch = self._hudi.common.util.CommitUtils.getValidCheckpointForCurrentWriter(timeline, key, query)
        return int(batch.get()) if batch.isPresent() else -1

    def _reload(self) -> SeenTimeline | None:
        """Makes Hudi reread the timeline.

        Returns:
            What it has read; None during a rollback or restore, or if the timeline kept changing or cannot be
            read.
        """
        for _ in range(_RELOADS):
            before = self._timeline()
            self._client.reloadActiveTimeline()
            after = self._timeline()
            if before is not None and after is not None and before.entries == after.entries:
                return seen_timeline(after)
        return None

    def _timeline(self) -> Timeline | None:
        """The timeline as it stands; None if it cannot be read."""
        try:
            return Timeline(self._table.location, self.properties)
        except TableUnreadableError:
            return None

    def _last_instant(self) -> str:
        last = self._client.getActiveTimeline().getCommitsTimeline().filterCompletedInstants().lastInstant()
        return self.request_time(last.get()) if last.isPresent() else ""

    def request_time(self, instant: Any) -> str:
        """The time that identifies an instant of Hudi's timeline."""
        return self._release.request_time(instant)

    def _listing(self) -> tuple[Any, Any]:
        """What Hudi lists with: an engine, and the metadata table if there is one."""
        context = self._hudi.client.common.HoodieSparkEngineContext(self._spark._jsc)
        use_metadata = self._config.isMetadataTableAvailable()
        builder = self._hudi.common.config.HoodieMetadataConfig.newBuilder()
        return context, builder.enable(use_metadata).build()

    def _view(self) -> Any:
        context, metadata = self._listing()
        manager = self._hudi.common.table.view.FileSystemViewManager
        # Without scheduled compactions, log files written since would be missed.
        timeline = self._client.getActiveTimeline().filterCompletedAndCompactionInstants()
        return manager.createInMemoryFileSystemViewWithTimeline(context, self._client, metadata, timeline)

    def _statuses(self, files: Iterable[Any]) -> tuple[WriteStatus, ...]:
        listed = chain.from_iterable(paths_and_sizes(self._jvm, some) for some in files)
        return tuple(status for status in starmap(self._status, listed) if status is not None)

    def _status(self, listed: str, size: int) -> WriteStatus | None:
        """The status of a file; None if no query reads its rows."""
        # Paths come with or without scheme, depending on Hudi's source of the listing.
        path, root = Location.parse(listed).path, self._table.location.path
        if not path.startswith(f"{root}/"):
            raise UnsupportedTableError(f"the file {path} is not under its table's root {root}")
        relative = path[len(root) + 1 :]
        partition, _, file_name = relative.rpartition("/")
        if file_name.startswith("."):
            log = LogName.parse(file_name)
            if log is None or log.holds_changes or not size:
                return None
            return WriteStatus(partition, log.file_id, f"{self.root}/{relative}", size, log.instant)
        # Hudi names base files <file id>_<write token>_<instant>.parquet.
        file_id, _, rest = file_name.partition("_")
        commit_time = rest.rpartition("_")[2].partition(".")[0]
        return WriteStatus(partition, file_id, f"{self.root}/{relative}", size, commit_time)
