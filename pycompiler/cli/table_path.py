"""The PATH argument, checked before anything slow is started."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from pycompiler.cli.errors import CommandError

TableArgument: TypeAlias = Annotated[
    str, typer.Argument(metavar="PATH", help="Root of the Hudi table.", show_default=False)
]


def checked(path: str) -> str:
    """Gives the path as it is if a Hudi table is there. Only local file systems are looked at.

    Raises:
        CommandError: There is no Hudi table.
    """
    from pycompiler.index.location import Location

    location = Location.parse(path)
    if not location.is_local:
        return path
    local = Path(location.path)
    if not local.exists():
        raise CommandError(f"{path} does not exist; give the root directory of a Hudi table")
    if not (local / ".hoodie" / "hoodie.properties").is_file():
        raise CommandError(
            f"{path} is not a Hudi table: it has no .hoodie/hoodie.properties; "
            "give the table's root, not a partition"
        )
    return path
