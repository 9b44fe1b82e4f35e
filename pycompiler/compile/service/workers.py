"""The threads that answer requests, separate from the event loop."""

import logging
import queue
import threading
import time
from collections.abc import Callable

log = logging.getLogger(__name__)


class Workers:
    """A fixed number of daemon threads, so that endless work cannot keep the process alive."""

    def __init__(self, count: int) -> None:
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._threads = [
            threading.Thread(target=self._run, name=f"compiler-worker-{number}", daemon=True)
            for number in range(count)
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, job: Callable[[], None]) -> None:
        """Queues a job. The caller limits jobs to one per connection."""
        self._jobs.put(job)

    def stop(self, seconds: float) -> None:
        """Lets queued jobs finish within `seconds`."""
        for _ in self._threads:
            self._jobs.put(None)
        deadline = time.monotonic() + seconds
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            try:
                job()
            except Exception:
                log.exception("a worker's job failed")
