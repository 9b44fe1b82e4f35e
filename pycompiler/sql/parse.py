"""Text to sqlglot's nodes, and errors that say where the text is wrong."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NoReturn

import sqlglot
from sqlglot import exp
from sqlglot.errors import ParseError, TokenError

from pycompiler.predicate.errors import SqlPredicateError
from pycompiler.predicate.schema import Schema
from pycompiler.predicate.text import shorten
from pycompiler.sql.dialect import PLAIN, Dialect

_PLAIN_NAME: Final = re.compile(r"[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*", re.ASCII)
_MAX_LISTED: Final = 1000


def parse(text: str, dialect: Dialect) -> exp.Expr:
    """Reads one condition.

    Raises:
        SqlPredicateError: The text is not one condition.
    """
    try:
        parsed = sqlglot.parse(text, read=PLAIN[dialect])
    except ParseError as error:
        first = error.errors[0] if error.errors else {}
        token, line, last = first.get("highlight") or "", first.get("line"), first.get("col")
        # sqlglot counts to the last character of a token, people to the first.
        column = last - max(len(token) - 1, 0) if last is not None else None
        raise SqlPredicateError(f"cannot be read at or after {shorten(token)!r}", line, column) from error
    except TokenError as error:
        raise SqlPredicateError(f"a quote is not closed, or a character is not SQL: {error}") from error
    statements = [statement for statement in parsed if statement is not None]
    if not statements:
        raise SqlPredicateError("the condition is empty")
    if len(statements) != 1 or not isinstance(statements[0], exp.Condition):
        raise SqlPredicateError(f"not a single condition: {shorten(text)}")
    return statements[0]


def resolve_columns(root: exp.Expr, schema: Schema) -> None:
    """Takes the table's name or alias off the columns of a condition, in place.

    Raises:
        SqlPredicateError: A name is not in the schema, or columns are qualified by two names.
    """
    if root.find(exp.Query, exp.Lambda) is not None:
        # Names in a subquery or a lambda need not be columns of this table.
        return
    qualifiers: set[str] = set()
    for column in list(root.find_all(exp.Column)):
        names = [part.name.lower() for part in column.parts]
        depth = next((depth for depth in range(len(names)) if _is_column(names[depth:], schema)), None)
        if depth is None:
            _unknown_column(column, schema)
        if depth:
            qualifiers.add(names[depth - 1])
            present = [key for key in ("catalog", "db", "table") if column.args.get(key) is not None]
            for key in present[:depth]:
                column.set(key, None)
    if len(qualifiers) > 1:
        listed = " and ".join(sorted(qualifiers))
        raise SqlPredicateError(f"it has columns of {listed}; only a condition on one table can be explained")


def _is_column(names: Sequence[str], schema: Schema) -> bool:
    """Whether a column has the name, or a field of a struct among them."""
    if ".".join(names) in schema:
        return True
    found = schema.get(names[0])
    return found is not None and (len(names) == 1 or found.name.startswith("struct<"))


def dotted(column: exp.Column) -> str:
    """A column's name, with the fields of a struct joined by dots."""
    return ".".join(part.name for part in column.parts).lower()


def _quoted(name: str) -> str:
    """A name as Hive reads it."""
    return name if _PLAIN_NAME.fullmatch(name) else f"`{name}`"


def _own_first(name: str) -> tuple[bool, str]:
    """The order in which columns are listed: those that Hudi adds come last."""
    return name.startswith("_hoodie_"), name


def _unknown_column(column: exp.Column, schema: Schema) -> NoReturn:
    place = column.parts[0].meta
    names = shorten(", ".join(map(_quoted, sorted(schema, key=_own_first))), _MAX_LISTED)
    first = place["col"] - (place["end"] - place["start"]) if "col" in place else None
    raise SqlPredicateError(f"no column {dotted(column)}; there are: {names}", place.get("line"), first)
