"""Text to sqlglot's nodes, and errors that say where the text is wrong."""

from __future__ import annotations

from typing import NoReturn

import sqlglot
from sqlglot import exp
from sqlglot.errors import ParseError, TokenError

from pycompiler.predicate.errors import SqlPredicateError
from pycompiler.predicate.schema import Schema
from pycompiler.predicate.sql.dialect import PLAIN, Dialect
from pycompiler.predicate.text import shorten


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
        raise SqlPredicateError(f"a quote is not closed, or a character is none of SQL's: {error}") from error
    statements = [statement for statement in parsed if statement is not None]
    if not statements:
        raise SqlPredicateError("the condition is empty")
    if len(statements) != 1 or not isinstance(statements[0], exp.Condition):
        raise SqlPredicateError(f"not one condition: {shorten(text)}")
    return statements[0]


def check_columns(root: exp.Expr, schema: Schema) -> None:
    """Refuses names that are no columns.

    Raises:
        SqlPredicateError: A name is not in the schema.
    """
    if root.find(exp.Query, exp.Lambda) is not None:
        # Names in a subquery or a lambda need not be columns of this table.
        return
    for column in root.find_all(exp.Column):
        if column.parts[0].name.lower() not in schema and dotted(column) not in schema:
            _unknown_column(column, schema)


def dotted(column: exp.Column) -> str:
    """A column's name, with the fields of a struct joined by dots."""
    return ".".join(part.name for part in column.parts).lower()


def _unknown_column(column: exp.Column, schema: Schema) -> NoReturn:
    place = column.parts[0].meta
    names = shorten(", ".join(sorted(schema)))
    first = place["col"] - (place["end"] - place["start"]) if "col" in place else None
    raise SqlPredicateError(f"no column {dotted(column)}; there are: {names}", place.get("line"), first)
