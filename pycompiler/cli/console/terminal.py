"""Progress on the terminal, with other output on stderr printed above it."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

import typer

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, TaskID

_LINE_SECONDS: Final = 3.0

QuietOption: TypeAlias = Annotated[
    bool, typer.Option("--quiet", "-q", help="Print nothing but errors and, with --json, the result.")
]


@contextlib.contextmanager
def progress_shown(quiet: bool) -> Iterator[Progress]:
    """Shows progress on stderr if that is a terminal, and removes it at the end.

    Yields:
        The progress display.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with (
        _console(shown=not quiet) as console,
        # If stderr is not a terminal, the display would leave an empty line.
        Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as shown,
    ):
        yield shown


def reporter(shown: Progress, step: TaskID) -> Callable[[int, int], None]:
    """Makes the function that shows how many files are done; as a line now and then where no bar is."""
    start = last = time.monotonic()

    def report(done: int, total: int) -> None:
        nonlocal last
        shown.update(step, description="reading footers", completed=done, total=total)
        now = time.monotonic()
        if shown.disable and now - last >= _LINE_SECONDS:
            last = now
            print(f"reading footers: {done} of {total} files, {now - start:.0f} s", file=sys.stderr)

    return report


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
def _console(shown: bool) -> Iterator[Console]:
    """A console that also receives what this process and its children write to stderr.

    Otherwise a JVM would write into the progress bar.
    """
    from rich.console import Console

    if not shown or not sys.stderr.isatty():
        yield Console(stderr=True, force_terminal=False)
        return
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
