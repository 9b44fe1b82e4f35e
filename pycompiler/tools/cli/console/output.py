"""Results on stdout, everything else on stderr."""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from pycompiler.tools.cli.console.colours import coloured

if TYPE_CHECKING:
    from typing_extensions import Buffer

HtmlOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Also write a page to look at, which needs no network."),
]
JsonOption: TypeAlias = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


def print_json(result: Mapping[str, Any]) -> None:
    """Prints a result as one JSON document."""
    print(json.dumps(result, indent=2, ensure_ascii=False))


def print_fields(fields: Mapping[str, object]) -> None:
    """Prints a result as aligned lines."""
    width = max(map(len, fields))
    print_lines(f"{name:<{width}}  {value}" for name, value in fields.items())


def print_lines(lines: Iterable[str]) -> None:
    """Prints a result as lines."""
    for line in lines:
        print(coloured(line, sys.stdout))


def print_error(message: str) -> None:
    """Prints what went wrong to stderr, on one line."""
    print(coloured(f"error: {message}", sys.stderr), file=sys.stderr)


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
