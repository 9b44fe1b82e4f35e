"""Progress of Spark's running jobs."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from pyspark import SparkContext

from pycompiler.demo.common.steps import Step

_INTERVAL_SECONDS: Final = 0.5


@contextmanager
def spark_progress(context: SparkContext, step: Step, name: str) -> Iterator[None]:
    """Shows twice a second, from its own thread, how many tasks of the running stages are done."""
    done = threading.Event()

    def watch() -> None:
        tracker = context.statusTracker()
        while not done.wait(_INTERVAL_SECONDS):
            stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
            running = [stage for stage in stages if stage is not None]
            if running:
                finished = sum(stage.numCompletedTasks for stage in running)
                total = sum(stage.numTasks for stage in running)
                job = running[0].name.partition(" at ")[0]
                step.update(f"{name}: {job}, {finished} of {total} tasks")

    watcher = threading.Thread(target=watch, name="spark-progress", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()
