"""The rule for reading file slices, and wrong variants of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias


@dataclass(frozen=True, slots=True)
class Votes:
    """What is known of a slice under a filter.

    Attributes:
        is_whole: Whether each of its rows is a whole record of one of its files.
        base: Whether its base file may contain a matching record; None without a base file.
        logs: The same for each log, newest first.
        unknown: Which logs have no statistics, and so may match.
    """

    is_whole: bool
    base: bool | None
    logs: Sequence[bool]
    unknown: Sequence[bool] = ()


Rule: TypeAlias = Callable[[Votes], bool]
"""Decides whether a slice must be read."""


def keeps(votes: Votes) -> bool:
    """Applies the rule in docs/inside/formats.md."""
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
