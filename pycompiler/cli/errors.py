"""How a command fails: one line on stderr that says what to do, and exit code 1."""

from __future__ import annotations

import contextlib
import sys
import traceback
from collections.abc import Iterator
from typing import Any

import typer
from typer.core import TyperGroup


class CommandError(Exception):
    """The command cannot do what it was asked; the message is one line and says what to do instead."""


@contextlib.contextmanager
def expecting(*errors: type[Exception]) -> Iterator[None]:
    """Turns errors whose message is meant for the user into a `CommandError`."""
    try:
        yield
    except errors as error:
        raise CommandError(str(error)) from error


class ReportingGroup(TyperGroup):
    """Turns exceptions into one line on stderr and exit code 1; the traceback needs --debug."""

    def invoke(self, ctx: Any) -> Any:
        """Runs the command. Exit, usage errors and Ctrl-C pass through to typer."""
        try:
            return super().invoke(ctx)
        except Exception as error:
            if _is_typers_own(error):
                raise
            if ctx.params.get("debug"):
                traceback.print_exc()
            print(f"error: {describe(error)}", file=sys.stderr)
            raise typer.Exit(1) from error


def describe(error: Exception) -> str:
    """Says what went wrong; of an error that no command expects also that it is unexpected."""
    if isinstance(error, CommandError):
        return str(error)
    first_line = next(iter(str(error).splitlines()), "")
    return f"unexpected {type(error).__name__}: {first_line} (for the traceback: hudi-skip --debug …)"


def _is_typers_own(error: Exception) -> bool:
    return type(error).__module__.startswith(("typer.", "click."))
