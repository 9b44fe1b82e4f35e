"""A table whose index is built: its root, its columns, and what their statistics depend on."""

import json
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final

from pycompiler.index.collect.partition_values import IN_FILES, PartitionColumns
from pycompiler.index.collect.table_columns import TableColumns
from pycompiler.index.file_systems.location import Location
from pycompiler.indexing.cluster import Cluster
from pycompiler.table.errors import UnknownFilesError, UnsupportedTableError
from pycompiler.table.listing import TableSnapshot, list_table
from pycompiler.table.properties import HUDI_COLUMNS, TableProperties
from pycompiler.table.timeline import Timeline

_DROPS_PARTITION_COLUMNS: Final = "hoodie.datasource.write.drop.partition.columns"
_BASE_FORMATS: Final = ("hoodie.table.base.file.format", "hoodie.table.ro.file.format")
"""The present name and the old one."""
_SEVERAL_FORMATS: Final = "hoodie.table.multiple.base.file.formats.enable"
_OPERATION: Final = "_hoodie_operation"


class IndexedTable:
    """A table whose index is built.

    Attributes:
        root: Root of the table: a plain path if local, else a URI that is not percent-encoded.

    Raises:
        NotAHudiTableError: There is no Hudi table.
        UnknownVersionError: The table version is not supported.
        UnsupportedTableError: The table is bootstrapped, or has base files that are not Parquet.
    """

    def __init__(self, path: str) -> None:
        self.location: Final = Location.parse(path)
        self.root: Final = str(self.location)
        self.properties: Final = TableProperties.read(self.location)
        require_indexable(path, self.properties.all)

    @property
    def path_columns(self) -> PartitionColumns:
        """Partition columns whose values are only in the files' paths, if these hold them as written.

        In other tables, which the handler rejects, the index does not cover such columns.
        """
        if not self._is_true(_DROPS_PARTITION_COLUMNS):
            return IN_FILES
        return PartitionColumns.written_by(self.properties.partition_fields, self.properties.all)

    @cached_property
    def columns_of_files(self) -> TableColumns:
        """What the collection of statistics needs to know about the table's columns."""
        return TableColumns(self.path_columns, self._schema())

    def _schema(self) -> str | None:
        """The Avro schema, as JSON, with Hudi's columns; None if the table has no commit."""
        timeline = Timeline(self.location, self.properties)
        schema = timeline.schema() or self._get("hoodie.table.create.schema")
        if schema:
            return self._whole(json.loads(schema))
        if timeline.commits:
            raise UnknownFilesError("no commit has the table's schema")
        return None

    def _whole(self, record: dict[str, Any]) -> str:
        """Adds the columns that Hudi adds."""
        hudis = list(HUDI_COLUMNS) if self.properties.has_hudi_columns else []
        if hudis and self._is_true("hoodie.allow.operation.metadata.field"):
            hudis.append(_OPERATION)
        known = {field["name"] for field in record["fields"]}
        dropped = self.properties.partition_fields
        if not self._is_true(_DROPS_PARTITION_COLUMNS) or known & {*dropped}:
            dropped = ()
        own = [field for field in record["fields"] if field["name"] not in hudis]
        fields = [*map(_text, hudis), *own, *map(_text, dropped)]
        return json.dumps({**record, "fields": fields})

    def _get(self, name: str) -> str:
        return self.properties.all.get(name, "").strip()

    def _is_true(self, name: str) -> bool:
        return self._get(name).lower() == "true"


def require_indexable(path: str, properties: Mapping[str, str]) -> None:
    """Verifies that all rows of a table are in Parquet base files and logs."""
    if properties.get("hoodie.bootstrap.base.path"):
        raise UnsupportedTableError(
            f"{path} is a bootstrapped table, which is not supported, because its base files hold no data"
            " columns; rewrite the table with Spark"
        )
    base_format = next(filter(None, map(properties.get, _BASE_FORMATS)), "PARQUET")
    if base_format.upper() != "PARQUET" or properties.get(_SEVERAL_FORMATS, "").lower() == "true":
        raise UnsupportedTableError(
            f"only tables with Parquet base files are supported, and {path} has or allows others"
            f" ({base_format}); write it with Parquet base files"
        )


def _text(name: str) -> dict[str, Any]:
    return {"name": name, "type": ["null", "string"], "default": None}


def listed(path: str, cluster: Cluster | None) -> TableSnapshot:
    """Lists the latest files of a table: by itself, or if that leaves something open, by Hudi's view.

    Raises the errors of `IndexedTable`, and:

    Raises:
        UnknownFilesError: Its files do not show which of them are current, and there is no Spark.
    """
    table = IndexedTable(path)
    try:
        return list_table(table.location)
    except UnknownFilesError as error:
        if cluster is None:
            raise
        return cluster.snapshot(table.root, f"only Hudi can list {table.root}: {error}")


def columns_of_files(table: IndexedTable, cluster: Cluster | None) -> TableColumns:
    """The columns of a table: as it says itself, or if it does not, as Hudi's classes find them.

    Raises:
        UnknownFilesError: The table does not say, and there is no Spark.
    """
    try:
        return table.columns_of_files
    except UnknownFilesError as error:
        if cluster is None:
            raise
        return cluster.columns(table.root, f"Hudi is asked for the columns of {table.root}: {error}")
