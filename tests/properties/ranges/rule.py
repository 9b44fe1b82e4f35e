"""What an incremental query returns, and what would be wrong instead of it."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final, Protocol, TypeVar


class RowOfCommit(Protocol):
    """A row, with what the rule looks at."""

    @property
    def commit(self) -> str:
        """Requested time of the commit that has written it."""

    @property
    def slice(self) -> tuple[str, str]:
        """The file slice that it is read from."""


R = TypeVar("R", bound=RowOfCommit)
R_co = TypeVar("R_co", bound=RowOfCommit, covariant=True)


class States(Protocol[R_co]):
    """A table, as of any of its commits."""

    def as_of(self, commit: str) -> Sequence[R_co]:
        """The rows of the snapshot as of a commit."""

    def latest(self) -> Sequence[R_co]:
        """The rows of the latest snapshot."""

    def of_files(self, commits: Collection[str]) -> Sequence[R_co]:
        """The rows that come of merging the files that some commits have written, and no others."""


Rule = Callable[[States[R], Collection[str]], Sequence[R]]
"""The rows of a range, which is given by the requested times of its commits."""


def answer(table: States[R], commits: Collection[str]) -> Sequence[R]:
    """The rows of a range of commits, as docs/guides/query.md has it."""
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
"""Rules that give other rows; of ranges with at least one commit."""
