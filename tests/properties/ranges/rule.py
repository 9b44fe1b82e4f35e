"""The rows that an incremental query returns, and wrong variants of the rule."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from tests.drawing.tables import Row


@dataclass(frozen=True, slots=True)
class Found:
    """A row of a table.

    Attributes:
        commit: Its `_hoodie_commit_time`.
        slice: Partition and file id of its slice.
        values: Its values by column.
    """

    commit: str
    slice: tuple[str, str]
    values: Row

    @property
    def key(self) -> str:
        """Equal for equal rows."""
        return repr((self.commit, self.slice, sorted(self.values.items())))


class States(Protocol):
    """A table, readable as of any of its commits."""

    def as_of(self, commit: str) -> Sequence[Found]:
        """Returns the rows of the snapshot as of a commit."""

    def latest(self) -> Sequence[Found]:
        """Returns the rows of the latest snapshot."""

    def of_files(self, commits: Collection[str]) -> Sequence[Found]:
        """Returns the rows from merging only the files that the given commits wrote."""


Rule = Callable[[States, Collection[str]], Sequence[Found]]
"""Returns the rows of a range, given the request times of its commits."""


def answer(table: States, commits: Collection[str]) -> Sequence[Found]:
    """Applies the rule in docs/guides/query.md."""
    return _written_by(commits, table.as_of(max(commits))) if commits else []


def _of_the_range_alone(table: States, commits: Collection[str]) -> Sequence[Found]:
    return _written_by(commits, table.of_files(commits))


def _not_filtered(table: States, commits: Collection[str]) -> Sequence[Found]:
    rows = table.as_of(max(commits))
    touched = {row.slice for row in _written_by(commits, rows)}
    return [row for row in rows if row.slice in touched]


def _of_the_latest_state(table: States, commits: Collection[str]) -> Sequence[Found]:
    return _written_by(commits, table.latest())


def _between(table: States, commits: Collection[str]) -> Sequence[Found]:
    rows = table.as_of(max(commits))
    return [row for row in rows if min(commits) <= row.commit <= max(commits)]


def _written_by(commits: Collection[str], rows: Sequence[Found]) -> Sequence[Found]:
    return [row for row in rows if row.commit in commits]


OF_THE_RANGE_ALONE: Final = "only the files of the range are merged"

BROKEN: Final[Mapping[str, Rule]] = {
    OF_THE_RANGE_ALONE: _of_the_range_alone,
    "rows of other commits are left in": _not_filtered,
    "the latest state is filtered": _of_the_latest_state,
    "all commits between the first and the last count": _between,
}
"""Rules that return other rows, for ranges with at least one commit."""
