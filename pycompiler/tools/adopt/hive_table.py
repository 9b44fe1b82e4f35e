"""A table as the metastore describes it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pycompiler.hive.client.session import HiveSession
from pycompiler.hive.client.statements import HANDLER
from pycompiler.tools.adopt.errors import AdoptError

NATIVE: Final = "hudi_skip.native_table"
"""Property of a handler table that `adopt` made: the native table with the same data."""

_PART: Final = re.compile(r"\w+", re.ASCII)
_READ_OPTIMIZED: Final = "hoodie.query.as.ro.table"
_SERDE: Final = "io.hudiskip.hive.HudiSerDe"
_PACKAGES: Final = ("org.apache.hudi.hadoop.", "com.uber.hoodie.hadoop.")
_BASE_FILES: Final = ("HoodieParquetInputFormat", "HoodieInputFormat")
_MERGED: Final = ("HoodieParquetRealtimeInputFormat", "HoodieRealtimeInputFormat")

_NOT_TAKEN_OVER: Final = (
    # What Hive keeps about a table itself.
    *("EXTERNAL", "TRANSLATED_TO_EXTERNAL", "bucketing_version", "transient_lastDdlTime"),
    *("last_modified_by", "last_modified_time", "COLUMN_STATS_ACCURATE"),
    *("numFiles", "numFilesErasureCoded", "numPartitions", "numRows", "rawDataSize", "totalSize"),
    *("external.table.purge", "discover.partitions", "storage_handler"),
    # How far hive-sync has come with the native table.
    *("last_commit_time_sync", "last_commit_completion_time_sync"),
)


def checked_name(name: str) -> str:
    """Returns `database.table` in lower case, as the metastore stores it.

    Raises:
        AdoptError: The name has another form.
    """
    database, dot, table = name.partition(".")
    if not dot or not _PART.fullmatch(database) or not _PART.fullmatch(table):
        raise AdoptError(f"{name} is not a table name; use the format database.table")
    return name.lower()


@dataclass(frozen=True, slots=True)
class Column:
    """A column; `kind` is its type as Hive prints it."""

    name: str
    kind: str
    comment: str


@dataclass(frozen=True, slots=True)
class HiveTable:
    """A table in the metastore.

    Attributes:
        name: `database.table`.
        columns: All columns in the order of `SELECT *`, partition columns last.
        partition_columns: Names of the columns that the metastore keeps partitions by.
        location: URI of the table's directory.
        table_type: `EXTERNAL_TABLE`, `MANAGED_TABLE`, `VIRTUAL_VIEW` or another.
        input_format: Class name; empty if there is none.
        serde: Class name; empty if there is none.
        serde_properties: As after `WITH SERDEPROPERTIES`.
        properties: As after `TBLPROPERTIES`.
    """

    name: str
    columns: tuple[Column, ...]
    partition_columns: tuple[str, ...]
    location: str
    table_type: str
    input_format: str
    serde: str
    serde_properties: Mapping[str, str]
    properties: Mapping[str, str]

    @staticmethod
    def read(session: HiveSession, name: str) -> HiveTable:
        """Asks HiveServer2 for a table.

        Raises:
            HiveError: There is none, or HiveServer2 does not tell.
        """
        table = session.described(name)
        storage = table["sd"]
        serde = storage["serdeInfo"]
        keys = _columns(table.get("partitionKeys") or ())
        # Not those of the whole document, which has partition columns twice in some releases.
        columns = _columns(storage["cols"])
        return HiveTable(
            name,
            (*columns, *keys),
            tuple(key.name for key in keys),
            storage.get("location") or "",
            table["tableType"],
            storage.get("inputFormat") or "",
            serde.get("serializationLib") or "",
            serde.get("parameters") or {},
            table["parameters"],
        )

    @property
    def is_handler_table(self) -> bool:
        """Whether it was created with our handler."""
        return self.properties.get("storage_handler") == HANDLER and self.serde == _SERDE

    @property
    def deletes_data(self) -> bool:
        """Whether DROP TABLE deletes the data, which is Hudi's."""
        purges = self.properties.get("external.table.purge", "").lower() == "true"
        return self.table_type != "EXTERNAL_TABLE" or purges

    @property
    def reads_base_files_only(self) -> bool:
        """Whether it ignores logs, as tables named `…_ro` do.

        Hive-sync says so in a property. For older tables without it the input format decides; on
        copy-on-write tables both mean the same.
        """
        if self.input_format.rpartition(".")[2] in _MERGED:
            return False
        said = self.serde_properties.get(_READ_OPTIMIZED) or self.properties.get(_READ_OPTIMIZED)
        return said is None or said.lower() == "true"

    @property
    def native(self) -> str | None:
        """The native table with the same data, if `adopt` made this one."""
        return self.properties.get(NATIVE)

    @property
    def is_native_hudi(self) -> bool:
        """Whether `require_native_hudi` accepts it."""
        try:
            self.require_native_hudi()
        except AdoptError:
            return False
        return True

    def own_properties(self) -> dict[str, str]:
        """Properties to take over: neither Hive's, hive-sync's and Spark's own, nor the comment."""
        return {
            name: value
            for name, value in self.properties.items()
            if name not in (*_NOT_TAKEN_OVER, _READ_OPTIMIZED, "comment")
            and not name.startswith("spark.sql.")
        }

    def properties_to_read_alike(self) -> dict[str, str]:
        """Properties with which a handler table reads the same state."""
        return {_READ_OPTIMIZED: "true"} if self.reads_base_files_only else {}

    def require_native_hudi(self) -> None:
        """Verifies that the table is native and reads a Hudi table.

        Raises:
            AdoptError: It is something else.
        """
        if self.is_handler_table:
            raise AdoptError(f"{self.name} is a table of the handler already")
        if self.table_type in ("VIRTUAL_VIEW", "MATERIALIZED_VIEW"):
            raise AdoptError(f"{self.name} is a view; adopt the tables that it reads")
        if self.properties.get("storage_handler") == HANDLER:
            raise AdoptError(
                f"{self.name} is a native table with the property storage_handler, which no query can read;"
                f" first run: ALTER TABLE {self.name} UNSET TBLPROPERTIES ('storage_handler')"
            )
        package, _, simple = self.input_format.rpartition(".")
        if not f"{package}.".startswith(_PACKAGES) or simple not in (*_BASE_FILES, *_MERGED):
            raise AdoptError(
                f"{self.name} does not read a Hudi table with Parquet base files: its input format is"
                f" {self.input_format or 'none'}"
            )


def _columns(columns: Iterable[Mapping[str, Any]]) -> tuple[Column, ...]:
    return tuple(Column(each["name"], each["type"], each.get("comment") or "") for each in columns)
