"""The tables of end-to-end tests, for drawing conditions over them."""

import datetime as dt
from decimal import Decimal
from typing import Any, Final

from pycompiler.compile.predicate.model import Column
from pycompiler.compile.values.types import HiveType
from tests.drawing.tables import Table, Value

from ..tables import Row, TableData

_EPOCH: Final = dt.datetime(1970, 1, 1, tzinfo=dt.timezone.utc)


def drawing_table(data: TableData, schema: str | None = None) -> Table:
    """Returns a table, with the columns and types of another schema if one is given."""
    declared = (text.split(" ", 1) for text in (schema or data.schema).split(", "))
    columns = [Column(name, HiveType.parse(text)) for name, text in declared]
    return Table(
        tuple(columns),
        tuple(
            tuple({column.name: _stored(row, column.name) for column in columns} for row in file)
            for file in data.files
        ),
    )


def _stored(row: Row, path: str) -> Value:
    found: Any = row
    for name in path.split("."):
        found = None if found is None else found[name]
    match found:
        case dt.datetime():
            at = found if found.tzinfo else found.replace(tzinfo=dt.timezone.utc)
            return (at - _EPOCH) // dt.timedelta(microseconds=1)
        case dt.date():
            return found.toordinal() - _EPOCH.toordinal()
        case bool() | int() | float() | Decimal() | str() | None:
            return found
    raise AssertionError(f"no value of a table: {found!r}")
