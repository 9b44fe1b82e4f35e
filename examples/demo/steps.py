"""Reports what is running, for how long, and with what result."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.status import Status


class Step:
    """A running step; `result` becomes its closing line."""

    def __init__(self, title: str, status: Status) -> None:
        self.result = ""
        self._title = title
        self._status = status

    def update(self, text: str) -> None:
        """Shows the step's progress, on a terminal."""
        self._status.update(f"{self._title}: {text}")


class Steps:
    """The demo's steps on a console; without a terminal, only their first and last lines."""

    def __init__(self, console: Console, total: int) -> None:
        self._console = console
        self._total = total
        self._number = 0

    @contextmanager
    def step(self, title: str) -> Iterator[Step]:
        """Runs a block as the next step."""
        self._number += 1
        head = f"[{self._number}/{self._total}] {title}"
        began = time.monotonic()
        if not self._console.is_terminal:
            self._console.print(f"{head} …", markup=False, highlight=False)
        with self._console.status(title) as status:
            step = Step(title, status)
            yield step
        seconds = time.monotonic() - began
        self._console.print(f"{head}: {step.result} ({seconds:.1f} s)", markup=False, highlight=False)
