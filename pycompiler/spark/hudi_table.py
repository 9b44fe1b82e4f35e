"""A table as Hudi sees it: its timeline and its file-system view, through Py4J."""

import json
import re
from collections.abc import Iterable
from contextlib import closing
from itertools import chain, starmap
from os import PathLike
from typing import Any, Final

from pyspark.errors import IllegalArgumentException
from pyspark.sql import SparkSession

from pycompiler.index.collect.partition_values import PartitionColumns
from pycompiler.index.collect.table_columns import TableColumns
from pycompiler.index.file_systems.errors import UnsupportedStorageError
from pycompiler.index.file_systems.factory import list_names
from pycompiler.index.file_systems.location import Location
from pycompiler.index.log_files.columns import columns_of, names_of
from pycompiler.index.log_files.names import LogName
from pycompiler.index.manifest import SeenTimeline
from pycompiler.index.records import WriteStatus
from pycompiler.indexing.table import IndexedTable, require_indexable
from pycompiler.spark.file_systems import qualified
from pycompiler.spark.hudi.listing import files_of_slices, paths_and_sizes
from pycompiler.spark.hudi.releases import HudiRelease
from pycompiler.spark.jvm import JavaError, jvm
from pycompiler.spark.session import require_hudi
from pycompiler.table.changes import seen_timeline
from pycompiler.table.errors import (
    NotAHudiTableError,
    TableUnreadableError,
    UnknownVersionError,
    UnsupportedTableError,
)
from pycompiler.table.known_properties import (
    MERGE_PROPERTIES,
    NEW_ORDERING,
    OLD_ORDERING,
    VERSION,
    fields_in,
    objection_to_version,
)
from pycompiler.table.listing import TableSnapshot
from pycompiler.table.properties import HUDI_COLUMNS
from pycompiler.table.timeline import Timeline

_MERGE_ON_READ: Final = "MERGE_ON_READ"
_PROPERTIES: Final = ".hoodie/hoodie.properties"
_SCHEMAS: Final = ".hoodie/.schema"
_HISTORY: Final = ".schemacommit"
_RELOADS: Final = 5
_FILE_SYSTEM: Final = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]*:(//[^/]*)?(?=/)")


class HudiTable:
    """A Hudi table.

    Args:
        spark: A session with Hudi.
        path: Root of the table, in any form that Hadoop accepts.

    Attributes:
        name: Name of the table.
        root: Root of the table: a plain path if local, else a URI that is not percent-encoded.

    Raises:
        NotAHudiTableError: There is no Hudi table.
        SparkUnavailableError: The session lacks Hudi or the table's file system.
        UnknownVersionError: The table version is not supported.
        UnsupportedTableError: The table is bootstrapped, or has base files that are not Parquet.
    """

    def __init__(self, spark: SparkSession, path: str | PathLike[str]) -> None:
        require_hudi(spark)
        self._spark = spark
        self._jvm = jvm(spark)
        self._hudi: Any = self._jvm.org.apache.hudi
        self._release = HudiRelease.of(self._hudi)
        base_path = qualified(spark, path)
        hadoop = spark._jsc.hadoopConfiguration()
        storage = self._hudi.hadoop.fs.HadoopFSUtils.getStorageConf(hadoop)
        try:
            builder = self._hudi.common.table.HoodieTableMetaClient.builder()
            self._client = builder.setConf(storage).setBasePath(base_path).build()
        except JavaError as error:
            if "TableNotFoundException" in error.java_exception.getClass().getName():
                raise NotAHudiTableError(f"{path} is not the root of a Hudi table") from error
            raise
        except IllegalArgumentException:
            # Hudi 0.15 cannot open tables of later versions.
            self._refuse_version(str(path), self._stored_version(base_path))
            raise
        self._config = self._client.getTableConfig()
        self._is_merge_on_read = bool(self._client.getTableType().toString() == _MERGE_ON_READ)
        self.name: Final[str] = self._config.getTableName()
        # The executors' configuration may lack the file system.
        is_local = base_path.startswith("file:")
        self.root: Final = _without_file_system(base_path) if is_local else base_path
        # Releases of Hudi differ in the methods for single properties.
        self._properties: Final[dict[str, str]] = dict(self._config.getProps())
        self._refuse_version(str(path), self._properties.get(VERSION, ""))
        require_indexable(str(path), self._properties)

    def require_readable_by_session(self) -> None:
        """Verifies that the session's Hudi knows by which properties records are merged, if they are.

        Raises:
            UnsupportedTableError: It is too old, and would let other records win.
        """
        if not self._is_merge_on_read or self._release.knows_ordering_fields:
            return
        for name, value in self._properties.items():
            is_new = name.startswith(MERGE_PROPERTIES) or (
                name == NEW_ORDERING and not self._properties.get(OLD_ORDERING)
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
        return fields_in(self._properties.get(OLD_ORDERING) or self._properties.get(NEW_ORDERING) or "")

    @property
    def has_commit_times(self) -> bool:
        """Whether rows have Hudi's metadata columns, which tables may omit."""
        return bool(self._config.populateMetaFields())

    @property
    def path_columns(self) -> PartitionColumns:
        """Partition columns whose values are only in the files' paths."""
        return IndexedTable(self.root).path_columns

    @property
    def columns_of_files(self) -> TableColumns:
        """What the collection of statistics needs to know about the table's columns."""
        return TableColumns(self.path_columns, self._schema())

    @property
    def columns_in_millis(self) -> frozenset[str]:
        """Columns with a timestamp in milliseconds, whose files Hudi's releases read differently."""
        units = self.columns_of_files.units
        return frozenset(name.partition(".")[0] for name, unit in units.items() if unit == "ms")

    @property
    def finds_columns_by_id(self) -> bool:
        """Whether Spark may find columns in old files by id, not by name (`hoodie.schema.on.read.enable`)."""
        return any(name.endswith(_HISTORY) for name in list_names(Location.parse(self.root).child(_SCHEMAS)))

    def _schema(self) -> str | None:
        """The Avro schema, as JSON, with Hudi's columns; None if no commit has one."""
        try:
            return self._release.avro_schema(self._hudi.common.table.TableSchemaResolver(self._client))
        except JavaError:
            # Old streamers have left commits whose schema is "null", on which Hudi fails.
            last = Timeline.of(Location.parse(self.root)).schema()
            if not last:
                raise
            return _with_hudi_columns(last) if self.has_commit_times else last

    def columns(self) -> frozenset[str]:
        """Names of the columns and, dotted, of struct fields; empty if the table has no schema yet.

        Includes partition columns that are not in the files.
        """
        schema = self._schema()
        if schema is None:
            return frozenset()
        return frozenset([*names_of(columns_of(schema)), *self.path_columns.names])

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
            if self._is_merge_on_read:
                # This may include partly written logs of a delta commit in progress.
                files = files_of_slices(self._jvm, view, partitions)
            else:
                files = (view.getLatestBaseFiles().collect(self._jvm.java.util.stream.Collectors.toList()),)
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
            What it has read; None during a rollback or restore, or if the timeline kept changing.
        """
        location = Location.parse(self.root)
        for _ in range(_RELOADS):
            before = _names_and_states(location)
            self._client.reloadActiveTimeline()
            after = _names_and_states(location)
            if before is not None and after is not None and before.entries == after.entries:
                return seen_timeline(after)
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
        path, root = _without_file_system(listed), _without_file_system(self.root)
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

    def _refuse_version(self, path: str, version: str) -> None:
        if objection := objection_to_version(version) or self._release.objection_to(version):
            raise UnknownVersionError(f"{path} {objection}")

    def _stored_version(self, root: str) -> str:
        """The table version, read without Hudi."""
        file = self._jvm.org.apache.hadoop.fs.Path(root, _PROPERTIES)
        properties = self._jvm.java.util.Properties()
        with closing(file.getFileSystem(self._spark._jsc.hadoopConfiguration()).open(file)) as stream:
            properties.load(stream)
        return properties.getProperty(VERSION) or ""


def _with_hudi_columns(schema: str) -> str:
    record = json.loads(schema)
    own = [{"name": name, "type": ["null", "string"], "default": None} for name in HUDI_COLUMNS]
    return json.dumps({**record, "fields": [*own, *record["fields"]]})


def _names_and_states(table: Location) -> Timeline | None:
    try:
        return Timeline.of(table)
    except (TableUnreadableError, UnsupportedStorageError):
        return None


def _without_file_system(path: str) -> str:
    """The path part of `/a/b`, `file:/a/b`, `file:///a/b` or `hdfs://host/a/b`."""
    return _FILE_SYSTEM.sub("", path)
