"""How far Spark's running jobs have come."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from pyspark import SparkContext

_INTERVAL_SECONDS: Final = 0.5


@contextmanager
def spark_progress(context: SparkContext, tell: Callable[[str], None]) -> Iterator[None]:
    """Tells about twice a second, from a thread of its own, how many tasks of the running stages are done."""
    done = threading.Event()

    def watch() -> None:
        tracker = context.statusTracker()
        while not done.wait(_INTERVAL_SECONDS):
            stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
            running = [stage for stage in stages if stage is not None]
            if running:
                finished, total = (
                    sum(stage.numCompletedTasks for stage in running),
                    sum(stage.numTasks for stage in running),
                )
                tell(f"{running[0].name.partition(' at ')[0]}, {finished} of {total} tasks")

    watcher = threading.Thread(target=watch, name="spark-progress", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()
