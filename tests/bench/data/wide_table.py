"""Paths of the layouts of the RFC's case."""

from dataclasses import dataclass
from pathlib import Path

from pycompiler.index.file_systems.factory import open_storage

from .hudi_table import hfile
from .table import BaseFiles, ColumnKind


@dataclass(frozen=True)
class WideTable:
    """The files and columns of a table, and the folder of its layouts."""

    folder: Path
    files: BaseFiles
    columns: list[ColumnKind]

    @property
    def rows(self) -> Path:
        """Plain Parquet, one row per column and file."""
        return self.folder / "rows.parquet"

    @property
    def path(self) -> Path:
        """A Hudi table with our index and Hudi's metadata table."""
        return self.folder / "trips"

    @property
    def iceberg(self) -> Path:
        """The Iceberg table."""
        return self.folder / "iceberg"

    def bytes_on_disk(self) -> dict[str, int]:
        """The size of each layout."""
        storage = open_storage(self.path)
        return {
            "HFile": hfile(self.path).stat().st_size,
            "Parquet": self.rows.stat().st_size,
            "index": sum(storage.size(name) for name in storage.names()),
        }
