"""What executors report about a job: its progress in files, and files that it could not read."""

import threading
from collections.abc import Callable
from typing import Final

from pyspark import AccumulatorParam, SparkContext

from pycompiler.indexing.progress import Progress, Unread, UnreadFiles

_INTERVAL_SECONDS: Final = 0.2


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


class UnreadOnExecutors:
    """Collects on the executors why files have no statistics."""

    def __init__(self, context: SparkContext) -> None:
        self._counts = context.accumulator({}, _Merged())

    def add(self, path: str, reason: str) -> None:
        """Adds a file; called on executors."""
        self._counts.add({reason: (1, path)})

    def pass_to(self, unread: UnreadFiles) -> None:
        """Adds what was collected to other such files."""
        for reason, (number, path) in self._counts.value.items():
            unread.add(path, reason, number)


class _Merged(AccumulatorParam[Unread]):
    def zero(self, value: Unread) -> Unread:
        return {}

    def addInPlace(self, value1: Unread, value2: Unread) -> Unread:  # noqa: N802 - Spark's name
        for reason, (number, path) in value2.items():
            before, known = value1.get(reason, (0, path))
            value1[reason] = before + number, known
        return value1
