"""Pending writes that may still add rows; incremental readers must wait for them."""

from typing import Final

from pycompiler.table.errors import TableUnreadableError
from pycompiler.table.timeline import HARMLESS, UNDOING, Entry, Timeline

_REWRITING: Final = frozenset({"compaction", "logcompaction", "clustering"})
"""Actions that add no rows: they rewrite rows of completed commits, which keep their commit time. Each may
stay pending for days."""
_REPLACING: Final = "replacecommit"
_CLUSTER: Final = "CLUSTER"


def oldest_pending_write(timeline: Timeline) -> Entry | None:
    """The earliest requested write that has neither completed nor been rolled back.

    A rollback in progress takes nothing back yet: until it completes, its commit counts as pending. Unknown
    actions may add rows, so they count too.

    Raises:
        TableUnreadableError: A rollback cannot be read.
    """
    completed = {entry.instant for entry in timeline.entries if entry.completed}
    pending = [
        entry
        for entry in timeline.entries
        if not entry.completed
        and entry.instant not in completed
        and entry.action not in HARMLESS | UNDOING | _REWRITING
    ]
    if not pending:
        return None
    rolled_back = _rolled_back(timeline, min(entry.instant for entry in pending))
    # Hudi plans a clustering in its requested file, one per instant.
    clusterings = {entry.instant for entry in pending if _plans_clustering(timeline, entry)}
    waiting = [entry for entry in pending if entry.instant not in rolled_back | clusterings]
    return min(waiting, key=lambda entry: entry.instant, default=None)


def _rolled_back(timeline: Timeline, since: str) -> set[str]:
    """The instants taken back by completed rollbacks and restores that were requested after `since`."""
    instants: set[str] = set()
    for entry in timeline.entries:
        if entry.completed and entry.action in UNDOING and entry.instant > since:
            document = timeline.document(entry)
            instants.update(document.get("commitsRollback") or (), document.get("instantsToRollback") or ())
    return instants


def _plans_clustering(timeline: Timeline, entry: Entry) -> bool:
    """Whether a pending replacement is a clustering; before table version 8, both are the same action.

    An unreadable plan does not count as clustering, so it is waited for: an overwrite does add rows.
    """
    if entry.action != _REPLACING or not entry.name.endswith(".requested"):
        return False
    try:
        return timeline.document(entry).get("operationType") == _CLUSTER
    except TableUnreadableError:
        return False
