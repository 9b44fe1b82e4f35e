"""Arguments and options that several commands have, and what is read from the files that they name."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, Final, TextIO, TypeAlias, get_type_hints
from zoneinfo import ZoneInfo

import typer

from pycompiler.hive.client.address import KERBEROS_FORMAT
from pycompiler.index.file_systems.location import Location, absolute
from pycompiler.tools.cli.errors import CommandError

_HIVE_FORMAT: Final = "HOST:PORT[/;principal=…]"
_KERBEROS: Final = (
    "With Kerberos, log in with the ticket that kinit got, and add the server's principal as in beeline's "
    f"URL: {KERBEROS_FORMAT}."
)
WHICH_LOG: Final = "the log of HiveServer2 or of a Tez application master"


TableArgument: TypeAlias = Annotated[
    str, typer.Argument(metavar="PATH", help="Root of the Hudi table.", callback=absolute)
]
HiveOption: TypeAlias = Annotated[
    str, typer.Option(metavar=_HIVE_FORMAT, help=f"Address of HiveServer2. {_KERBEROS}")
]
OptionalHiveOption: TypeAlias = Annotated[
    str | None, typer.Option(metavar=_HIVE_FORMAT, help=f"Also check this HiveServer2. {_KERBEROS}")
]
UserOption: TypeAlias = Annotated[
    str | None, typer.Option(help="User of the Hive sessions. Default: the user of this process.")
]
TimeZoneOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="ZONE",
        help="Time zone of the Hive session (hive.local.time.zone), such as America/New_York; it "
        "determines CURRENT_DATE. Default: this machine's.",
    ),
]
HtmlOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Also write a page to look at, which needs no network."),
]
JsonOption: TypeAlias = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
QuietOption: TypeAlias = Annotated[
    bool, typer.Option("--quiet", "-q", help="Print nothing but errors and, with --json, the result.")
]


class SqlDialect(Enum):
    """The SQL dialect of a condition or of statements."""

    HIVE = "hive"
    SPARK = "spark"


def with_options(command: Callable[..., None]) -> Callable[..., None]:
    """Lets a command take dataclasses of options: each of their fields is an option of its own."""
    hints = get_type_hints(command, include_extras=True)
    parameters: list[inspect.Parameter] = []
    groups: dict[str, type] = {}
    for parameter in inspect.signature(command).parameters.values():
        hint = hints[parameter.name]
        if is_dataclass(hint):
            assert isinstance(hint, type)
            groups[parameter.name] = hint
            of_fields = get_type_hints(hint, include_extras=True)
            parameters += (
                inspect.Parameter(
                    field.name,
                    inspect.Parameter.KEYWORD_ONLY,
                    default=field.default,
                    annotation=of_fields[field.name],
                )
                for field in fields(hint)
            )
        else:
            parameters.append(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hint))

    @wraps(command)
    def run(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = group(**{field.name: given.pop(field.name) for field in fields(group)})
        command(**given)

    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {}
    return run


def checked(path: str) -> str:
    """Returns the path if it is a Hudi table. Only local file systems are checked.

    Raises:
        CommandError: There is no Hudi table.
    """
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


def query_time(time_zone: str | None) -> datetime:
    """The present time in a session's time zone, by default this machine's.

    Raises:
        CommandError: There is no such time zone.
    """
    if time_zone is None:
        return datetime.now().astimezone()
    try:
        return datetime.now(ZoneInfo(time_zone))
    except (KeyError, ValueError, OSError) as error:
        raise CommandError(
            f"--time-zone: unknown time zone {time_zone}; use a name such as Europe/Berlin"
        ) from error


def sql_text(file: Path) -> str:
    """Reads a file with SQL, or standard input if it is named `-`.

    Raises:
        CommandError: It cannot be read, or is not text.
    """
    try:
        return sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise CommandError(f"{file} is not UTF-8 text") from error
    except OSError as error:
        raise CommandError(f"cannot read {file}: {error.strerror}") from error


@contextmanager
def open_log(log: str) -> Iterator[TextIO]:
    """Opens a log of the handler, or standard input if it is named `-`.

    Raises:
        CommandError: There is no such file, or it cannot be read.
    """
    if log == "-":
        yield sys.stdin
        return
    try:
        with open(log, encoding="utf-8", errors="replace") as lines:
            yield lines
    except OSError as error:
        raise CommandError(f"cannot read {log}: {error.strerror}; specify {WHICH_LOG}") from error
