from typing import Any

import pytest
import typer

from pycompiler.tools.cli.main import app

from ..conftest import Run


def commands(command: Any, *before: str) -> list[str]:
    found = [" ".join(before)]
    for name, each in getattr(command, "commands", {}).items():
        found += commands(each, *before, name)
    return found


COMMANDS = commands(typer.main.get_command(app))


def test_all_commands_are_found() -> None:
    assert {"", "index", "index build", "explain", "hiveserver start", "compiler serve"} <= set(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_shows_flags_without_a_value(run: Run, command: str) -> None:
    done = run(*command.split(), "--help")
    assert done.exit_code == 0, done.stderr
    assert "--help" in done.stdout
    assert "bool" not in done.stdout.lower(), done.stdout
