"""How far a Spark job has come, in files."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final, TypeAlias

from pyspark import SparkContext

Progress: TypeAlias = Callable[[int, int], None]
"""Is called with the number of files done and in total, from a thread of its own."""

_INTERVAL_SECONDS: Final = 0.2


def no_progress(done: int, total: int) -> None:
    """Tells nobody."""


class ProgressCounter:
    """Counts files on the executors and reports while the block runs.

    Spark hands counts over when a task ends, so that the steps are those of tasks.

    Args:
        context: The Spark application.
        total: Files there are.
        progress: Whom to tell.
    """

    def __init__(self, context: SparkContext, total: int, progress: Progress) -> None:
        self._accumulator = context.accumulator(0)
        self._total = total
        self._progress = progress
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._report, name="index-progress", daemon=True)

    def __enter__(self) -> Callable[[int], None]:
        """Starts reporting; the result is for executors to call."""
        self._thread.start()
        return self._accumulator.add

    def __exit__(self, *error: object) -> None:
        """Reports a last time and stops."""
        self._stop.set()
        self._thread.join()

    def _report(self) -> None:
        reported = -1
        while True:
            stopped = self._stop.wait(_INTERVAL_SECONDS)
            # A task that is run twice counts twice.
            done = min(self._accumulator.value, self._total)
            if done != reported:
                self._progress(done, self._total)
                reported = done
            if stopped:
                return
