"""Progress on the terminal, with other output on stderr printed above it."""

from __future__ import annotations

import contextlib
import math
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias, cast

import typer

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, TaskID

_LINE_SECONDS: Final = 3.0

QuietOption: TypeAlias = Annotated[
    bool, typer.Option("--quiet", "-q", help="Print nothing but errors and, with --json, the result.")
]


class Lines:
    """Progress where no terminal is, without the time that a bar's library takes to load."""

    def __init__(self, seconds: float = _LINE_SECONDS) -> None:
        self._seconds = seconds
        self._start = self._last = time.monotonic()

    def add_task(self, description: str, *, total: float | None = None) -> TaskID:
        """Begins a step, which is not shown before its files are counted."""
        return cast("TaskID", 0)

    def update(
        self, _step: TaskID, *, description: str = "", completed: int = 0, total: int | None = None
    ) -> None:
        """Prints a line now and then: a log with a line for each file would be unreadable."""
        now = time.monotonic()
        if total is not None and now - self._last >= self._seconds:
            self._last = now
            spent = now - self._start
            print(f"{description}: {completed} of {total} files, {spent:.0f} s", file=sys.stderr)


@contextlib.contextmanager
def progress_shown(quiet: bool) -> Iterator[Progress | Lines]:
    """Shows progress on stderr: if that is a terminal, as a bar that is removed at the end.

    Yields:
        The progress display.
    """
    if quiet or not sys.stderr.isatty():
        yield Lines(math.inf if quiet else _LINE_SECONDS)
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with _console() as console, Progress(*columns, console=console, transient=True) as shown:
        yield shown


def reporter(shown: Progress | Lines, step: TaskID) -> Callable[[int, int], None]:
    """Makes the function that shows how many files are done."""
    return lambda done, total: shown.update(step, description="reading footers", completed=done, total=total)


@contextlib.contextmanager
def status_shown(text: str, *, quiet: bool = False) -> Iterator[Callable[[str], None]]:
    """Shows on stderr, if that is a terminal, what the block is doing.

    Yields:
        A function that changes the text.
    """
    if quiet or not sys.stderr.isatty():
        yield lambda text: None
        return
    from rich.console import Console

    with Console(stderr=True).status(text) as shown:
        yield shown.update


@contextlib.contextmanager
def _console() -> Iterator[Console]:
    """The terminal's console, which also receives what this process and its children write to stderr.

    Otherwise a JVM would write into the progress bar.
    """
    from rich.console import Console

    sys.stderr.flush()
    reading, writing = os.pipe()
    terminal = os.dup(2)
    with open(terminal, "w", encoding="utf-8", errors="replace") as file, open(reading, "rb") as lines:
        console = Console(file=file)
        end = os.urandom(16).hex().encode() + b"\n"

        def pass_on() -> None:
            for line in iter(lines.readline, b""):
                text = line.removesuffix(end)
                if text:
                    shown_text = text.decode("utf-8", "replace").rstrip("\r\n")
                    console.print(shown_text, markup=False, highlight=False, soft_wrap=True)
                if line.endswith(end):
                    # Not at the end of the file, because a JVM keeps it open until this process ends.
                    return

        passing = threading.Thread(target=pass_on, name="stderr-lines", daemon=True)
        os.dup2(writing, 2)
        passing.start()
        try:
            yield console
        finally:
            sys.stderr.flush()
            os.dup2(terminal, 2)
            os.write(writing, end)
            os.close(writing)
            passing.join()
