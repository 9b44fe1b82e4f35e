"""HiveQL that tables, columns and texts are put into."""

from collections.abc import Mapping
from typing import Final

HANDLER: Final = "io.hudiskip.hive.HudiStorageHandler"
"""What follows STORED BY."""


def quoted(table: str) -> str:
    """A `database.table` without backticks or further dots, for a statement."""
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
