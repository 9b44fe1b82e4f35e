"""Counts the files of an update, and collects those that could not be read."""

import logging
import time
from collections.abc import Callable
from typing import Final, TypeAlias

from pycompiler.one_line import one_line

Progress: TypeAlias = Callable[[int, int], None]
"""Called with the number of files done and in total, possibly from a thread of its own."""

_INTERVAL_SECONDS: Final = 0.2

Unread: TypeAlias = dict[str, tuple[int, str]]
"""By reason: the number of files, and one of them."""

_REASONS: Final = 5

_logger: Final = logging.getLogger(__name__)


def no_progress(done: int, total: int) -> None:
    """Ignores progress."""


class FileCounter:
    """Counts files that this process has read, and reports several times a second."""

    def __init__(self, total: int, progress: Progress) -> None:
        self._total = total
        self._progress = progress
        self._done = 0
        self._reported = time.monotonic()

    def add(self, number: int) -> None:
        """Counts files."""
        self._done += number
        now = time.monotonic()
        if self._done == self._total or now - self._reported > _INTERVAL_SECONDS:
            self._progress(self._done, self._total)
            self._reported = now


class UnreadFiles:
    """Collects why files have no statistics, and logs it once."""

    def __init__(self) -> None:
        self._counts: Unread = {}

    def add(self, path: str, reason: str, number: int = 1) -> None:
        """Adds a file, and how many more there are like it."""
        before, known = self._counts.get(reason, (0, path))
        self._counts[reason] = before + number, known

    def warn(self) -> None:
        """Logs what was collected, if anything, on one line."""
        if self._counts:
            reasons = [
                one_line(f"{reason} ({path}{f' and {number - 1} more' if number > 1 else ''})")
                for reason, (number, path) in sorted(self._counts.items())
            ]
            more = [f"{len(reasons) - _REASONS} other reasons"] if len(reasons) > _REASONS else []
            _logger.warning(
                "some files have no statistics, so their file slices are never skipped: %s",
                "; ".join([*reasons[:_REASONS], *more]),
            )
