"""Writes under way that may yet bring rows: whoever reads commit by commit has to wait for them."""

from __future__ import annotations

from typing import Final

from pycompiler.table.errors import TableUnreadableError
from pycompiler.table.timeline import HARMLESS, UNDOING, Entry, Timeline

_REWRITING: Final = frozenset({"compaction", "logcompaction", "clustering"})
"""Actions that bring no rows of their own: they put rows of completed commits into other files, where these
keep their commit time. Each may stay pending for days."""
_REPLACING: Final = "replacecommit"
_CLUSTER: Final = "CLUSTER"


def oldest_pending_write(timeline: Timeline) -> Entry | None:
    """The write requested first of those that have neither completed nor been rolled back.

    A rollback that is under way takes nothing back yet: until it has completed, its commit counts as pending.
    Of an action that this version does not know nothing says that it brings no rows, so it counts too.

    Args:
        timeline: A look at the active timeline.

    Returns:
        None if no write is under way.

    Raises:
        TableUnreadableError: A rollback can't be read.
        OSError: The file system failed.
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
    # Hudi plans a clustering in the requested file, of which there is one for each instant.
    clusterings = {entry.instant for entry in pending if _plans_clustering(timeline, entry)}
    waiting = [entry for entry in pending if entry.instant not in rolled_back | clusterings]
    return min(waiting, key=lambda entry: entry.instant, default=None)


def _rolled_back(timeline: Timeline, since: str) -> set[str]:
    """What completed rollbacks and restores requested after an instant have taken back."""
    instants: set[str] = set()
    for entry in timeline.entries:
        if entry.completed and entry.action in UNDOING and entry.instant > since:
            document = timeline.document(entry)
            instants.update(document.get("commitsRollback") or (), document.get("instantsToRollback") or ())
    return instants


def _plans_clustering(timeline: Timeline, entry: Entry) -> bool:
    """Whether a pending replacement is a clustering; before table version 8 the two have one action.

    Whatever cannot be read is none, so that it is waited for: an overwrite does bring rows.
    """
    if entry.action != _REPLACING or not entry.name.endswith(".requested"):
        return False
    try:
        return timeline.document(entry).get("operationType") == _CLUSTER
    except TableUnreadableError:
        return False
