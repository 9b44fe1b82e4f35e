"""What an update of an index has to do: found from the commits since, or by listing the whole table."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from pycompiler.index.errors import IndexDamagedError, IndexMissingError, IndexVersionError
from pycompiler.index.index import StatisticsIndex
from pycompiler.index.manifest import LiveTotals, Manifest, SeenTimeline
from pycompiler.index.publisher import Delta, IndexPublisher
from pycompiler.index.records import IndexedFile, WriteStatus
from pycompiler.index.storage.location import Location
from pycompiler.table.changes import changes_of, commits_since, completions, read_commits, seen_timeline
from pycompiler.table.errors import TableUnreadableError, UnknownChangesError
from pycompiler.table.timeline import Timeline

Publication = Callable[[IndexPublisher, Delta], Manifest]
_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Work:
    """What an update has to do, and what the index is to say then.

    Attributes:
        base: Manifest that it starts from; None if there is none that can be used.
        new: Files to read.
        gone: Files that the index has as the table's and that have left it.
        kept: Totals of the table's files that need no reading.
        instant: Last completed instant of the table.
        timeline: After which instants the table's files are these; None if that is not known.
        live_paths: Paths of all of the table's files; None if they were not listed.
        publish: How what is read goes into force.
        has_commits: Whether there are commits that the index has not seen, or it can't be said.
        listed_because: Why the whole table was listed; None if it was not.
    """

    base: Manifest | None
    new: Sequence[WriteStatus]
    gone: Sequence[IndexedFile]
    kept: LiveTotals
    instant: str
    timeline: SeenTimeline | None
    live_paths: frozenset[str] | None
    publish: Publication
    has_commits: bool
    listed_because: str | None

    @property
    def files(self) -> int:
        """How many files the table has."""
        return self.kept.files + len(self.new)

    def totals(self, rows: int) -> LiveTotals:
        """Totals of the table, given the rows of the new files."""
        size = sum(file.size for file in self.new)
        return LiveTotals(self.files, self.kept.rows + rows, self.kept.bytes + size)

    def is_news(self, live: LiveTotals) -> bool:
        """Whether the manifest in force would not say the same, apart from its data files."""
        return self.base is None or self.has_commits or self.base.live != live


class Listing(Protocol):
    """The files that a snapshot of a table is read from, see `TableSnapshot`."""

    @property
    def instant(self) -> str:
        """Last completed instant."""

    @property
    def files(self) -> tuple[WriteStatus, ...]:
        """The files."""

    @property
    def seen(self) -> SeenTimeline | None:
        """After which instants these are the files."""


def by_timeline(table_root: str) -> Work:
    """Finds out from the commits that an index has not seen; no cost grows with the table.

    (But for the files that commits have replaced: their entries are looked for among those of all files.)

    Raises:
        UnknownChangesError: The timeline does not say what has changed, or the index not what it has seen.
        IndexDamagedError: What was read of the index is damaged: if there is no new commit, all of it is.
        IndexVersionError: It is of another format.
        OSError: The file system failed.
    """
    try:
        index = StatisticsIndex.open(table_root)
    except IndexMissingError as error:
        raise UnknownChangesError("the table has no index yet") from error
    manifest = index.manifest
    if manifest.timeline is None:
        raise UnknownChangesError("the index does not say which commits it has seen")
    try:
        timeline = Timeline.of(Location.parse(table_root))
    except TableUnreadableError as error:
        raise UnknownChangesError(str(error)) from error
    entries = commits_since(timeline, manifest.timeline)
    # What is damaged would stay so, and a reader that meets it uses no index at all. With commits to read
    # there is no time to look at all of it.
    if entries:
        index.check_presence()
    else:
        index.check()
    changes = changes_of(
        read_commits(timeline, entries),
        index.live_files,
        completions(timeline, manifest.timeline) if timeline.is_merge_on_read else None,
    )
    live, gone = manifest.live, _totals([*changes.gone, *changes.grown])
    return Work(
        base=manifest,
        new=[file.status(table_root) for file in changes.new],
        gone=changes.gone,
        kept=LiveTotals(live.files - gone.files, live.rows - gone.rows, live.bytes - gone.bytes),
        instant=timeline.last_instant,
        timeline=seen_timeline(timeline),
        live_paths=None,
        publish=lambda publisher, delta: publisher.advance(delta),
        has_commits=bool(entries),
        listed_because=None,
    )


def by_listing(table_root: str, list_table: Callable[[], Listing], rebuild: bool, reason: str) -> Work:
    """Finds out by comparing an index with a listing of the whole table.

    Args:
        table_root: Root of the table.
        list_table: Makes the listing.
        rebuild: Whether what the index has does not count.
        reason: Why the table is listed.

    Raises:
        IndexVersionError: It is of another format, and not to be built anew.
        OSError: The file system failed.
    """
    # The index before the listing: what it knows and the listing does not is gone, not new.
    base = _base(table_root, rebuild)
    listing = list_table()
    listed = {file.relative_path: file for file in listing.files}
    known = {file.path: file for file in base.known}
    new = [file for path, file in listed.items() if path not in known or known[path].size != file.size]
    manifest = base.manifest
    kept = _totals(known[path] for path in listed.keys() - {file.relative_path for file in new})
    seen = None if manifest is None else (manifest.instant, manifest.timeline)
    return Work(
        base=manifest,
        new=new,
        gone=[file for path, file in known.items() if path not in listed],
        kept=kept,
        instant=listing.instant,
        timeline=listing.seen,
        live_paths=frozenset(listed),
        publish=base.publish,
        has_commits=base.replaces or seen != (listing.instant, listing.seen),
        listed_because=reason,
    )


def _add(publisher: IndexPublisher, delta: Delta) -> Manifest:
    return publisher.add(delta)


def _start_over(publisher: IndexPublisher, delta: Delta) -> Manifest:
    return publisher.start_over(delta)


@dataclass(frozen=True, slots=True)
class _Base:
    """The index that an update by listing starts from.

    Attributes:
        manifest: Its manifest; None if there is none that can be used.
        known: Files that need no reading.
        publish: How what is read goes into force.
        replaces: Whether it takes the place of what is in force.
    """

    manifest: Manifest | None
    known: Collection[IndexedFile] = ()
    publish: Publication = _add
    replaces: bool = False


def _base(table_root: str, rebuild: bool) -> _Base:
    try:
        index = StatisticsIndex.open(table_root)
    except IndexMissingError:
        return _Base(None)
    except IndexDamagedError as error:
        _logger.warning("the statistics index of %s is built anew: %s", table_root, error)
        return _Base(None, publish=_start_over)
    except IndexVersionError:
        if not rebuild:
            raise
        return _Base(None, publish=_start_over)
    names = frozenset(data_file.name for data_file in index.manifest.data_files)
    if not rebuild:
        try:
            index.check()  # What is damaged would stay so.
            return _Base(index.manifest, index.live_files().values())
        except IndexDamagedError as error:
            _logger.warning("the statistics index of %s is built anew: %s", table_root, error)
    if not names:
        return _Base(index.manifest)  # Nothing to be replaced, and not to be published again as it is.
    return _Base(index.manifest, (), lambda publisher, delta: publisher.replace(delta, names), True)


def _totals(files: Iterable[IndexedFile]) -> LiveTotals:
    counted = list(files)
    return LiveTotals(len(counted), sum(file.rows for file in counted), sum(file.size for file in counted))
