"""The PATH argument: made absolute, and checked before anything slow starts."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from pycompiler.tools.cli.errors import CommandError


def _absolute(path: str) -> str:
    from pycompiler.index.file_systems.location import absolute

    return absolute(path)


TableArgument: TypeAlias = Annotated[
    str,
    typer.Argument(metavar="PATH", help="Root of the Hudi table.", callback=_absolute),
]


def checked(path: str) -> str:
    """Returns the path if it is a Hudi table. Only local file systems are checked.

    Raises:
        CommandError: There is no Hudi table.
    """
    from pycompiler.index.file_systems.location import Location

    location = Location.parse(path)
    if not location.is_local:
        return path
    local = Path(location.path)
    if not local.exists():
        raise CommandError(f"{path} does not exist; specify the root directory of a Hudi table")
    if not (local / ".hoodie" / "hoodie.properties").is_file():
        raise CommandError(
            f"{path} is not a Hudi table: it has no .hoodie/hoodie.properties; "
            "specify the table's root directory, not a partition"
        )
    return path
