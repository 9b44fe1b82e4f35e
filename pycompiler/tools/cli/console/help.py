"""What `--help` shows of options."""

from typing import Any

import typer


def show_flags_without_type(command: Any) -> None:
    """Lets the help of a command, and of all commands of a group, show `--json`, not `--json <bool>`."""
    for parameter in command.get_params(typer.Context(command)):
        if getattr(parameter, "is_flag", False) and parameter.metavar is None:
            parameter.metavar = ""
    for of_group in getattr(command, "commands", {}).values():
        show_flags_without_type(of_group)
