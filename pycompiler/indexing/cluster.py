"""What a cluster may be asked for: work that is too large for one process, and Hudi's own listing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from pycompiler.index.collect.table_columns import TableColumns
from pycompiler.index.manifest import DataFile
from pycompiler.index.options import IndexOptions
from pycompiler.index.records import WriteStatus
from pycompiler.indexing.progress import Progress, UnreadFiles
from pycompiler.table.listing import TableSnapshot

_Part = TypeVar("_Part")
_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class FilesToRead:
    """Files of the table with this root whose records are to be written, and of which columns."""

    root: str
    columns: TableColumns
    options: IndexOptions
    files: Sequence[WriteStatus]

    def parts(self, size: int) -> list[FilesToRead]:
        """The same, of at most so many files each."""
        return [
            replace(self, files=self.files[start : start + size]) for start in range(0, len(self.files), size)
        ]


@dataclass(frozen=True, slots=True)
class Written:
    """Data files that no manifest lists yet: their records, and the files that they are about with rows."""

    data_files: tuple[DataFile, ...] = ()
    records: int = 0
    files: int = 0
    rows: int = 0

    def with_more(self, more: Written) -> Written:
        """Both together."""
        return Written(
            (*self.data_files, *more.data_files),
            self.records + more.records,
            self.files + more.files,
            self.rows + more.rows,
        )


class Cluster(Protocol):
    """Spark, running or to be started."""

    most_seconds: float
    """Work that is expected to take longer in this process is given to the cluster."""

    def snapshot(self, root: str, reason: str) -> TableSnapshot:
        """Lists a table by Hudi's own view, because it cannot be listed here for some reason."""

    def columns(self, root: str, reason: str) -> TableColumns:
        """Looks up a table's columns by Hudi's classes, because they cannot be here for some reason."""

    def write(self, to_read: FilesToRead, progress: Progress, unread: UnreadFiles) -> Written | None:
        """Reads files and writes their records; None if its executors cannot, and this process can."""

    def map(
        self, work: Callable[[_Part], _Result], parts: Sequence[_Part], to_read: FilesToRead
    ) -> Sequence[_Result] | None:
        """Does the work for each part, in order; None if its executors cannot, and this process can.

        `work` is a function of this package, and `to_read` what it reads.
        """
