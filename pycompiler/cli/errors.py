"""How a command fails: one line on stderr that says what to do, and exit code 1."""

from __future__ import annotations

import sys
import traceback
from typing import Any

import typer
from typer.core import TyperGroup


class CommandError(Exception):
    """The command cannot do what it was asked; the message is one line and says what to do instead."""


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
    """One line about the error; one that no command expected is said to be a bug."""
    if isinstance(error, CommandError):
        return " ".join(str(error).split())
    first_line = next(iter(str(error).splitlines()), "")
    return f"unexpected {type(error).__name__}: {first_line} (the traceback: hudi-skip --debug …)"


def _is_typers_own(error: Exception) -> bool:
    return type(error).__module__.startswith(("typer.", "click."))
