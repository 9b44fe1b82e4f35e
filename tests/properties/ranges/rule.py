"""The rows that an incremental query returns, and wrong variants of the rule."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final, Protocol, TypeVar


class RowOfCommit(Protocol):
    """The properties of a row that the rule uses."""

    @property
    def commit(self) -> str:
        """Request time of the commit that wrote the row."""

    @property
    def slice(self) -> tuple[str, str]:
        """The file slice that contains the row."""


R = TypeVar("R", bound=RowOfCommit)
R_co = TypeVar("R_co", bound=RowOfCommit, covariant=True)


class States(Protocol[R_co]):
    """A table, readable as of any of its commits."""

    def as_of(self, commit: str) -> Sequence[R_co]:
        """Returns the rows of the snapshot as of a commit."""

    def latest(self) -> Sequence[R_co]:
        """Returns the rows of the latest snapshot."""

    def of_files(self, commits: Collection[str]) -> Sequence[R_co]:
        """Returns the rows from merging only the files that the given commits wrote."""


Rule = Callable[[States[R], Collection[str]], Sequence[R]]
"""Returns the rows of a range, given the request times of its commits."""


def answer(table: States[R], commits: Collection[str]) -> Sequence[R]:
    """Applies the rule in docs/guides/query.md."""
    return _written_by(commits, table.as_of(max(commits))) if commits else []


def _of_the_range_alone(table: States[R], commits: Collection[str]) -> Sequence[R]:
    return _written_by(commits, table.of_files(commits))


def _not_filtered(table: States[R], commits: Collection[str]) -> Sequence[R]:
    rows = table.as_of(max(commits))
    touched = {row.slice for row in _written_by(commits, rows)}
    return [row for row in rows if row.slice in touched]


def _of_the_latest_state(table: States[R], commits: Collection[str]) -> Sequence[R]:
    return _written_by(commits, table.latest())


def _between(table: States[R], commits: Collection[str]) -> Sequence[R]:
    rows = table.as_of(max(commits))
    return [row for row in rows if min(commits) <= row.commit <= max(commits)]


def _written_by(commits: Collection[str], rows: Sequence[R]) -> Sequence[R]:
    return [row for row in rows if row.commit in commits]


OF_THE_RANGE_ALONE: Final = "only the files of the range are merged"

BROKEN: Final[Mapping[str, Rule]] = {  # type: ignore[type-arg]  # of any kind of row
    OF_THE_RANGE_ALONE: _of_the_range_alone,
    "rows of other commits are left in": _not_filtered,
    "the latest state is filtered": _of_the_latest_state,
    "all commits between the first and the last count": _between,
}
"""Rules that return other rows, for ranges with at least one commit."""
