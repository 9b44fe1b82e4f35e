"""Paths of the layouts of the RFC's case."""

from dataclasses import dataclass
from pathlib import Path

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
