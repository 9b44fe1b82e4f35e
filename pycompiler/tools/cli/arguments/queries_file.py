"""A file with SQL, such as that of --queries, or - for standard input."""

import sys
from pathlib import Path

from pycompiler.tools.cli.errors import CommandError


def sql_text(file: Path) -> str:
    """Reads the file.

    Raises:
        CommandError: It cannot be read, or is not text.
    """
    try:
        return sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise CommandError(f"{file} is not UTF-8 text") from error
    except OSError as error:
        raise CommandError(f"cannot read {file}: {error.strerror}") from error
