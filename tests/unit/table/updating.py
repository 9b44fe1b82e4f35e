"""Updating an index of a simulated table, by its timeline or by a listing, and two indexes of one table."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pycompiler.index.collect.table_columns import UNKNOWN_TABLE
from pycompiler.index.errors import IndexDamagedError, OvertakenError
from pycompiler.index.file_systems.interface import INDEX_FOLDER
from pycompiler.index.file_systems.local import LocalStorage
from pycompiler.index.index import StatisticsIndex
from pycompiler.index.manifest import Manifest
from pycompiler.index.options import IndexOptions
from pycompiler.index.publisher import Delta, IndexPublisher
from pycompiler.indexing.cluster import FilesToRead
from pycompiler.indexing.collecting import write_here
from pycompiler.table.errors import UnknownChangesError
from pycompiler.table.update_work import Work, by_listing, by_timeline
from tests.records import records_in_force

from .simulated_table import SimulatedTable


def update(table: SimulatedTable) -> str | None:
    """Brings the index up to date as `IndexCreator` does, without Spark.

    Returns:
        Why the table was listed; None if it was not.
    """
    try:
        carry_out(table, by_timeline(str(table.root)))
        return None
    except (UnknownChangesError, IndexDamagedError, OvertakenError) as error:
        update_by_listing(table, str(error))
        return str(error)


def update_by_listing(table: SimulatedTable, reason: str = "to compare") -> None:
    """Brings the index up to date by listing the table, come what may."""
    carry_out(table, by_listing(str(table.root), table.listing, False, reason))


def carry_out(table: SimulatedTable, work: Work) -> Manifest:
    """Reads what is new and publishes it."""
    storage = LocalStorage(table.root)
    to_read = FilesToRead(str(table.root), UNKNOWN_TABLE, IndexOptions(), work.new)
    written = write_here(to_read, lambda files: None, work.gone)
    live = work.totals(written.rows)
    if work.base is not None and not written.data_files and not work.alters_manifest(live):
        return work.base
    base = None if work.base is None else work.base.generation
    delta = Delta(written.data_files, "t", work.instant, live, work.live_paths, base, timeline=work.timeline)
    return work.publish(IndexPublisher(storage), delta)


@dataclass(frozen=True)
class Snapshot:
    """What an index knows of the files that the table had at the last update."""

    files: dict[str, tuple[int, int]]
    records: frozenset[str]
    manifest: tuple[object, ...]

    @staticmethod
    def of(root: Path) -> Snapshot:
        index = StatisticsIndex.open(root)
        live = index.live_files()
        return Snapshot(
            {path: (file.size, file.rows) for path, file in live.items()},
            frozenset(repr(item) for item in records_in_force(index) if item.path in live),
            (index.manifest.instant, index.manifest.live),
        )


@contextmanager
def another_index(root: Path) -> Iterator[None]:
    """Has another index of the table, which is kept from one call to the next, in the place of its own."""
    own = root / INDEX_FOLDER
    kept, other = (root / ".hoodie" / name for name in (".own_index", ".other_index"))
    own.rename(kept)
    if other.exists():
        other.rename(own)
    try:
        yield
    finally:
        own.rename(other)
        kept.rename(own)
