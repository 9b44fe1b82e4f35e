"""A log of the handler: a file, or - for standard input."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from pycompiler.tools.cli.errors import CommandError

_WHICH = "the log of HiveServer2 or of a Tez application master"


@contextmanager
def open_log(log: str) -> Iterator[TextIO]:
    """Opens the log.

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
        raise CommandError(f"cannot read {log}: {error.strerror}; specify {_WHICH}") from error


def no_scans(log: str, chosen: str) -> CommandError:
    """What to do about a log in which no scan is found.

    Args:
        log: The log.
        chosen: Which scans were looked for, as options; empty for all.
    """
    where = "standard input" if log == "-" else log
    if chosen:
        return CommandError(
            f"no scans in {where} with {chosen}; to see the latest of all, leave the option out"
        )
    return CommandError(
        f"no scans in {where}; specify {_WHICH} that has queried a handler table, with level INFO for "
        "io.hudiskip.scan"
    )
