"""Parses text into sqlglot's nodes, with errors that point to the place."""

import re
from collections.abc import Sequence
from difflib import get_close_matches
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
    statements = parse_statements(text, dialect)
    if not statements:
        raise SqlPredicateError("the condition is empty")
    if len(statements) != 1 or not isinstance(statements[0], exp.Condition):
        raise SqlPredicateError(f"expected one condition, not: {shorten(text)}")
    return statements[0]


def parse_statements(text: str, dialect: Dialect) -> list[exp.Expr]:
    """Reads conditions or whole statements, separated by semicolons.

    Raises:
        SqlPredicateError: The text is not SQL.
    """
    try:
        parsed = sqlglot.parse(text, read=PLAIN[dialect])
    except ParseError as error:
        first = error.errors[0] if error.errors else {}
        token, line, last = first.get("highlight") or "", first.get("line"), first.get("col")
        # sqlglot reports the position of a token's last character; people expect the first.
        column = last - max(len(token) - 1, 0) if last is not None else None
        raise SqlPredicateError(f"invalid SQL at or after {shorten(token)!r}", line, column) from error
    except TokenError as error:
        raise SqlPredicateError(f"unclosed quote or invalid character: {error}") from error
    return [statement for statement in parsed if statement is not None]


def resolve_columns(root: exp.Expr, schema: Schema) -> None:
    """Removes the table's name or alias from a condition's columns, in place.

    Raises:
        SqlPredicateError: A name is not in the schema, or columns have two different qualifiers.
    """
    if root.find(exp.Query, exp.Lambda) is not None:
        # Names in a subquery or lambda may not be columns of this table.
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
        raise SqlPredicateError(f"expected columns of one table, not of {listed}")


def _is_column(names: Sequence[str], schema: Schema) -> bool:
    """Whether the name is a column's, or a field's of a struct column."""
    if ".".join(names) in schema:
        return True
    found = schema.get(names[0])
    return found is not None and (len(names) == 1 or found.name.startswith("struct<"))


def dotted(column: exp.Column) -> str:
    """A column's name, with struct fields joined by dots."""
    return ".".join(part.name for part in column.parts).lower()


def _quoted(name: str) -> str:
    return name if _PLAIN_NAME.fullmatch(name) else f"`{name}`"


def _own_first(name: str) -> tuple[bool, str]:
    """Sort key that lists Hudi's metadata columns last."""
    return name.startswith("_hoodie_"), name


def _unknown_column(column: exp.Column, schema: Schema) -> NoReturn:
    place = column.parts[0].meta
    name = dotted(column)
    # The name may be qualified with the table's name or alias.
    near = get_close_matches(name, schema) or get_close_matches(column.name.lower(), schema)
    if near:
        hint = f"did you mean {' or '.join(map(_quoted, near))}?"
    else:
        listed = ", ".join(map(_quoted, sorted(schema, key=_own_first)))
        hint = f"the columns are: {shorten(listed, _MAX_LISTED)}"
    first = place["col"] - (place["end"] - place["start"]) if "col" in place else None
    raise SqlPredicateError(f"no column {name}; {hint}", place.get("line"), first)
