"""HiveQL that tables, columns and texts are put into."""

import re
from collections.abc import Mapping

from pycompiler.adopt.errors import AdoptError

HANDLER = "io.hudiskip.hive.HudiStorageHandler"
_PART = re.compile(r"\w+", re.ASCII)


def checked_name(name: str) -> str:
    """Returns `database.table` in lower case, as the metastore stores it.

    Raises:
        AdoptError: The name has another form.
    """
    database, dot, table = name.partition(".")
    if not dot or not _PART.fullmatch(database) or not _PART.fullmatch(table):
        raise AdoptError(f"{name} is not a table name; use the format database.table")
    return name.lower()


def quoted(table: str) -> str:
    """A checked `database.table` for a statement."""
    return ".".join(map(identifier, table.split(".")))


def identifier(name: str) -> str:
    """A name in backticks."""
    return "`" + name.replace("`", "``") + "`"


def text(value: str) -> str:
    """A string literal. A semicolon is escaped, because beeline would end the statement there."""
    escaped = value.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
    return f"'{escaped.replace(';', chr(92) + 'u003B')}'"


def properties(values: Mapping[str, str]) -> str:
    """The list after TBLPROPERTIES."""
    return ", ".join(f"{text(name)}={text(value)}" for name, value in sorted(values.items()))
