"""The rule of file slices, and what would be wrong instead of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias


@dataclass(frozen=True, slots=True)
class Votes:
    """What is known of a slice.

    Attributes:
        is_whole: Whether each of its rows is a whole record of one of its files.
        base: Whether its base file may have a record that matches; None without a base file.
        logs: The same of each log, the newest first.
        unknown: Which of the logs have no statistics, so that they may.
    """

    is_whole: bool
    base: bool | None
    logs: Sequence[bool]
    unknown: Sequence[bool] = ()


Rule: TypeAlias = Callable[[Votes], bool]
"""Whether a slice is to be read."""


def keeps(votes: Votes) -> bool:
    """Whether a slice is to be read, as docs/inside/formats.md has it."""
    return (bool(votes.logs) and not votes.is_whole) or bool(votes.base) or any(votes.logs)


OF_SEVERAL_RECORDS: Final = "rows made of several records are taken for whole ones"


def _with_logs(wrong: Rule) -> Rule:
    return lambda votes: wrong(votes) if votes.logs and votes.is_whole else keeps(votes)


BROKEN: Final[Mapping[str, Rule]] = {
    "the base file alone decides": _with_logs(
        lambda votes: any(votes.logs) if votes.base is None else votes.base
    ),
    "the logs alone decide": _with_logs(lambda votes: any(votes.logs)),
    "the newest log decides for all": _with_logs(lambda votes: bool(votes.base) or votes.logs[0]),
    "the oldest log decides for all": _with_logs(lambda votes: bool(votes.base) or votes.logs[-1]),
    "one excluded file is enough": _with_logs(lambda votes: votes.base is not False and all(votes.logs)),
    "a log without statistics is excluded": _with_logs(
        lambda votes: (
            bool(votes.base)
            or any(log and not unknown for log, unknown in zip(votes.logs, votes.unknown, strict=True))
        )
    ),
    OF_SEVERAL_RECORDS: lambda votes: bool(votes.base) or any(votes.logs),
}
"""Rules that lose rows."""
