"""How a command fails: one line on stderr that says what to do, and exit code 1."""

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer
from typer.core import TyperGroup

from pycompiler.errors import HudiSkipError
from pycompiler.index.errors import IndexDamagedError
from pycompiler.tools.cli.console.help import show_flags_without_type
from pycompiler.tools.cli.console.output import print_error


class CommandError(HudiSkipError):
    """The command failed; the message is one line and says what to do."""


@contextmanager
def remedy_for_damage(path: str) -> Iterator[None]:
    """Names the remedy where the index of the table at `path` turns out to be damaged.

    Raises:
        CommandError: The index is damaged.
    """
    try:
        yield
    except IndexDamagedError as error:
        raise CommandError(
            f"the index is damaged, and queries read all files: {error}; run: hudi-skip index build {path}"
        ) from error


class ReportingGroup(TyperGroup):
    """Reports exceptions as one line on stderr and exit code 1; --debug adds the traceback."""

    def make_context(self, *arguments: Any, **settings: Any) -> Any:
        """Starts to read the command line. By now all options are there, also those of typer's own."""
        show_flags_without_type(self)
        return super().make_context(*arguments, **settings)

    def invoke(self, ctx: Any) -> Any:
        """Runs the command. Exit, usage errors and Ctrl-C pass through to typer."""
        try:
            return super().invoke(ctx)
        except Exception as error:
            if type(error).__module__.startswith(("typer.", "click.")):
                raise
            if ctx.params.get("debug"):
                traceback.print_exc()
            print_error(describe(error))
            raise typer.Exit(1) from error


def describe(error: Exception) -> str:
    """The message of an error, marked as unexpected unless a command expects it."""
    if isinstance(error, HudiSkipError):
        return str(error)
    if isinstance(error, OSError):
        paths = [str(path) for path in (error.filename, error.filename2) if path]
        return f"{' -> '.join(paths)}: {error.strerror}" if paths and error.strerror else str(error)
    first_line = next(iter(str(error).splitlines()), "")
    return f"unexpected {type(error).__name__}: {first_line} (run hudi-skip --debug … for the traceback)"
