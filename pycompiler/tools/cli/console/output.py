"""Results on stdout, everything else on stderr."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from json import dumps
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from typing_extensions import Buffer

SECONDS: Final = 3.0
"""Between two lines of progress."""


def show(result: Mapping[str, Any], lines: Iterable[str], *, json: bool = False, quiet: bool = False) -> None:
    """Prints a result: as one JSON document, or as lines for people if these are not to be left out."""
    if json:
        print(dumps(result, indent=2, ensure_ascii=False))
    elif not quiet:
        for line in lines:
            print(line)


def aligned(fields: Mapping[str, object]) -> Iterator[str]:
    """Lines of names and values."""
    width = max(map(len, fields))
    return (f"{name:<{width}}  {value}" for name, value in fields.items())


def print_error(message: str) -> None:
    """Prints what went wrong to stderr, on one line."""
    print(f"error: {message}", file=sys.stderr)


def progress_lines(*, quiet: bool = False) -> Callable[[str], None]:
    """Makes a function that is told what is being done, and prints that to stderr now and then.

    A line for each file would be unreadable.
    """
    start = last = time.monotonic()

    def tell(step: str) -> None:
        nonlocal last
        now = time.monotonic()
        if not quiet and now - last >= SECONDS:
            last = now
            print(f"{step}, {now - start:.0f} s", file=sys.stderr)

    return tell


def outlive_readers() -> None:
    """Lets this process finish, with its own exit code, after a reader of its output such as `head` has gone.

    Only output is treated like this: a connection that breaks is an error. Death by SIGPIPE would stop a
    command between two of its effects.
    """
    sys.stdout, sys.stderr = map(_outliving, (sys.stdout, sys.stderr))


def _outliving(stream: Any) -> Any:
    if not isinstance(stream, io.TextIOWrapper):
        return stream  # Closed by the caller, or replaced by a program that runs this one.
    stream.flush()
    return io.TextIOWrapper(
        io.BufferedWriter(_Outliving(stream.fileno(), "w", closefd=False)),
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )


class _Outliving(io.FileIO):
    """A stream that discards output from when its reader has gone."""

    def write(self, data: Buffer, /) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self.fileno())
            os.close(nowhere)
            return memoryview(data).nbytes


@contextlib.contextmanager
def stdout_for_results() -> Iterator[None]:
    """Keeps child processes, such as Spark's JVM, from writing to stdout.

    Their output goes to stderr. Some libraries print to stdout: JOL, which Hudi uses to measure objects,
    prints a hint about Java agents on every run.
    """
    sys.stdout.flush()
    saved = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        yield
    finally:
        sys.stdout.flush()
        os.dup2(saved, 1)
        os.close(saved)
        os.close(nowhere)
