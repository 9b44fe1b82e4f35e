"""The file of --queries: SQL, or - for standard input."""

import sys
from pathlib import Path

from pycompiler.cli.errors import CommandError


def sql_text(file: Path) -> str:
    """Reads the file.

    Raises:
        CommandError: It is not text.
        OSError: It cannot be read.
    """
    try:
        return sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise CommandError(f"{file} is not UTF-8 text") from error
