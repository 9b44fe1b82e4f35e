"""The work of an index update, determined from later commits or by listing the whole table."""

import logging
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from pycompiler.index.errors import IndexDamagedError, IndexMissingError, IndexVersionError
from pycompiler.index.file_systems.location import Location
from pycompiler.index.index import StatisticsIndex
from pycompiler.index.manifest import LiveTotals, Manifest, SeenTimeline
from pycompiler.index.publisher import Delta, IndexPublisher
from pycompiler.index.records import IndexedFile, WriteStatus
from pycompiler.table.changes import changes_of, commits_since, seen_timeline
from pycompiler.table.errors import TableUnreadableError, UnknownChangesError
from pycompiler.table.latest import completions
from pycompiler.table.listing import TableSnapshot
from pycompiler.table.timeline import Timeline

Publication = Callable[[IndexPublisher, Delta], Manifest]
_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Work:
    """What an update must do, and what the index will contain then.

    Attributes:
        base: Manifest that it starts from; None if there is no usable one.
        new: Files to read.
        gone: Files that are live in the index but have left the table.
        kept: Totals of the live files that need no reading.
        instant: Last completed instant of the table.
        timeline: The instants after which these are the live files; None if unknown.
        live_paths: Paths of all live files; None if the table was not listed.
        publish: How to publish what is read.
        has_commits: Whether there are, or may be, commits that the index has not seen.
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
        """Number of live files."""
        return self.kept.files + len(self.new)

    def totals(self, rows: int) -> LiveTotals:
        """Totals of the table, given the rows of the new files."""
        size = sum(file.size for file in self.new)
        return LiveTotals(self.files, self.kept.rows + rows, self.kept.bytes + size)

    def alters_manifest(self, live: LiveTotals) -> bool:
        """Whether the new manifest would differ from the one in force, apart from its data files."""
        return self.base is None or self.has_commits or self.base.live != live


def by_timeline(table_root: str) -> Work:
    """Determines the work from the commits that an index has not seen; the cost does not grow with the table.

    (Except for replaced file groups: their files are looked up among the entries of all files.)

    Raises:
        UnknownChangesError: The timeline does not show what has changed, or the index what it has seen.
        IndexDamagedError: What was read of the index is damaged; without new commits, all of it is checked.
        IndexVersionError: This version does not read the index's format.
    """
    try:
        index = StatisticsIndex.open(table_root)
    except IndexMissingError as error:
        raise UnknownChangesError("the table has no index yet") from error
    manifest = index.manifest
    if manifest.timeline is None:
        raise UnknownChangesError("the index does not record which commits it covers")
    try:
        timeline = Timeline.of(Location.parse(table_root))
        commits = [timeline.commit(entry) for entry in commits_since(timeline, manifest.timeline)]
    except TableUnreadableError as error:
        raise UnknownChangesError(str(error)) from error
    # Damage would persist, and a reader that finds it ignores the index. With commits to read there is no
    # time to check everything.
    if commits:
        index.check_presence()
    else:
        index.check()
    changes = changes_of(
        commits,
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
        publish=IndexPublisher.advance,
        has_commits=bool(commits),
        listed_because=None,
    )


def by_listing(table_root: str, list_table: Callable[[], TableSnapshot], rebuild: bool, reason: str) -> Work:
    """Determines the work by comparing an index with a listing of the whole table.

    Raises:
        IndexVersionError: This version does not read the index's format, and `rebuild` is False.
    """
    # Read the index before listing the table: a file in the index but not in the listing is then gone, not
    # new.
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


@dataclass(frozen=True, slots=True)
class _Base:
    """The index that an update by listing starts from."""

    manifest: Manifest | None
    known: Collection[IndexedFile] = ()
    publish: Publication = IndexPublisher.add
    replaces: bool = False


def _base(table_root: str, rebuild: bool) -> _Base:
    try:
        index = StatisticsIndex.open(table_root)
    except IndexMissingError:
        return _Base(None)
    except IndexDamagedError as error:
        _logger.warning("rebuilding the statistics index of %s: %s", table_root, error)
        return _Base(None, publish=IndexPublisher.start_over)
    except IndexVersionError:
        if not rebuild:
            raise
        return _Base(None, publish=IndexPublisher.start_over)
    names = frozenset(data_file.name for data_file in index.manifest.data_files)
    if not rebuild:
        try:
            index.check()  # Damage would otherwise persist.
            return _Base(index.manifest, index.live_files().values())
        except IndexDamagedError as error:
            _logger.warning("rebuilding the statistics index of %s: %s", table_root, error)
    if not names:
        return _Base(index.manifest)  # Nothing to replace, and nothing to republish.
    return _Base(index.manifest, (), lambda publisher, delta: publisher.replace(delta, names), True)


def _totals(files: Iterable[IndexedFile]) -> LiveTotals:
    counted = list(files)
    return LiveTotals(len(counted), sum(file.rows for file in counted), sum(file.size for file in counted))
