"""Data sets that the demo makes tables of."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


class DemoDataError(Exception):
    """The data set is not installed. The message says what to do."""


@dataclass(frozen=True, slots=True)
class SourceTable:
    """A table of the data set as one Parquet file for Spark to read."""

    name: str
    file: Path
    rows: int
