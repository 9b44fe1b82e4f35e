"""The PATH argument: made absolute, and checked before anything slow starts."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from pycompiler.cli.errors import CommandError


def absolute(path: str) -> str:
    """Makes a local path absolute, so that it means the same in every process; returns URIs unchanged.

    Hadoop takes no relative paths, and removes `a/..` without checking whether `a` is a link.
    """
    from pycompiler.index.file_systems.location import Location

    local = Path(path)
    if not Location.parse(path).is_local or path.startswith("file:"):
        return path
    return path if local.is_absolute() and ".." not in local.parts else str(local.resolve())


TableArgument: TypeAlias = Annotated[
    str,
    typer.Argument(metavar="PATH", help="Root of the Hudi table.", callback=absolute),
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
