"""What executors report about a job: its progress in files, and files that it could not read."""

import logging
import threading
from collections.abc import Callable
from typing import Final, TypeAlias

from pyspark import AccumulatorParam, SparkContext

from pycompiler.one_line import one_line

Progress: TypeAlias = Callable[[int, int], None]
"""Called with the number of files done and in total, from a thread of its own."""

_INTERVAL_SECONDS: Final = 0.2

_Unread: TypeAlias = dict[str, tuple[int, str]]
"""By reason: the number of files, and one of them."""

_REASONS: Final = 5

_logger: Final = logging.getLogger(__name__)


def no_progress(done: int, total: int) -> None:
    """Ignores progress."""


class ProgressCounter:
    """Counts files on the executors, and reports while the block runs.

    Spark delivers counts when a task ends, so progress advances by tasks.
    """

    def __init__(self, context: SparkContext, total: int, progress: Progress) -> None:
        self._accumulator = context.accumulator(0)
        self._total = total
        self._progress = progress
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._report, name="index-progress", daemon=True)

    def __enter__(self) -> Callable[[int], None]:
        """Starts reporting; returns a function for executors to call."""
        self._thread.start()
        return self._accumulator.add

    def __exit__(self, *error: object) -> None:
        self._stop.set()
        self._thread.join()

    def _report(self) -> None:
        reported = -1
        while True:
            stopped = self._stop.wait(_INTERVAL_SECONDS)
            # A task that runs twice counts twice.
            done = min(self._accumulator.value, self._total)
            if done != reported:
                self._progress(done, self._total)
                reported = done
            if stopped:
                return


class UnreadFiles:
    """Collects why files have no statistics, and logs it once."""

    def __init__(self, context: SparkContext) -> None:
        self._counts = context.accumulator({}, _Merged())

    def add(self, path: str, reason: str) -> None:
        """Adds a file; called on executors and on the driver."""
        self._counts.add({reason: (1, path)})

    def warn(self) -> None:
        """Logs what was collected, if anything, on one line."""
        counts = self._counts.value
        if counts:
            reasons = [
                one_line(f"{reason} ({path}{f' and {number - 1} more' if number > 1 else ''})")
                for reason, (number, path) in sorted(counts.items())
            ]
            more = [f"{len(reasons) - _REASONS} other reasons"] if len(reasons) > _REASONS else []
            _logger.warning(
                "some files have no statistics, so their file slices are never skipped: %s",
                "; ".join([*reasons[:_REASONS], *more]),
            )


class _Merged(AccumulatorParam[_Unread]):
    def zero(self, value: _Unread) -> _Unread:
        return {}

    def addInPlace(self, value1: _Unread, value2: _Unread) -> _Unread:  # noqa: N802 - Spark's name
        for reason, (number, path) in value2.items():
            before, known = value1.get(reason, (0, path))
            value1[reason] = before + number, known
        return value1
