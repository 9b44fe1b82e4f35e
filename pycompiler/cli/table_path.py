"""The PATH argument: made absolute, and checked before anything slow is started."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from pycompiler.cli.errors import CommandError


def absolute(path: str) -> str:
    """Returns a local path as one that means the same in every process; URIs are returned as they are.

    Hadoop takes no relative path, and leaves `a/..` out without looking whether `a` is a link.
    """
    from pycompiler.index.storage.location import Location

    local = Path(path)
    if not Location.parse(path).is_local or path.startswith("file:"):
        return path
    return path if local.is_absolute() and ".." not in local.parts else str(local.resolve())


TableArgument: TypeAlias = Annotated[
    str,
    typer.Argument(metavar="PATH", help="Root of the Hudi table.", show_default=False, callback=absolute),
]


def checked(path: str) -> str:
    """Returns the path as it is if a Hudi table is there. Only local file systems are looked at.

    Raises:
        CommandError: There is no Hudi table.
    """
    from pycompiler.index.storage.location import Location

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
