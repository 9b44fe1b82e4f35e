"""Parses text into sqlglot's nodes, with errors that point to the place."""

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Final, NoReturn

import sqlglot
from sqlglot import exp
from sqlglot.errors import ParseError, TokenError

from pycompiler.compile.predicate.errors import SqlPredicateError
from pycompiler.compile.predicate.schema import Schema
from pycompiler.compile.predicate.text import shorten
from pycompiler.compile.sql.dialect import PLAIN, Dialect
from pycompiler.compile.sql.fields import missing_field

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
        SqlPredicateError: A name is not in the schema, a struct lacks a field, or columns have two different
            qualifiers.
    """
    if root.find(exp.Query, exp.Lambda) is not None:
        # Names in a subquery or lambda may not be columns of this table.
        return
    qualifiers: set[str] = set()
    for column in list(root.find_all(exp.Column)):
        parts = _parts(column)
        names = [part.name.lower() for part in parts]
        depth = next((depth for depth in range(len(names)) if _is_column(names[depth:], schema)), None)
        if depth is None:
            _unknown_column(column, schema)
        if missing := missing_field(names[depth:], schema):
            _unknown_field(parts[depth : depth + missing[0] + 1], missing[1])
        if depth:
            qualifiers.add(names[depth - 1])
            present = [key for key in ("catalog", "db", "table") if column.args.get(key) is not None]
            for key in present[:depth]:
                column.set(key, None)
    if len(qualifiers) > 1:
        listed = " and ".join(sorted(qualifiers))
        raise SqlPredicateError(f"expected columns of one table, not of {listed}")


def _parts(column: exp.Column) -> list[exp.Expr]:
    """The parts of a column's name; sqlglot puts a fifth and further ones around the column."""
    parts: list[exp.Expr] = list(column.parts)
    inner: exp.Expr = column
    outer = column.parent
    while isinstance(outer, exp.Dot) and outer.this is inner:
        parts.append(outer.expression)
        inner, outer = outer, outer.parent
    return parts


def _is_column(names: Sequence[str], schema: Schema) -> bool:
    """Whether the name is a column's, or begins with that of a struct column."""
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
    name = dotted(column)
    # The name may be qualified with the table's name or alias.
    near = get_close_matches(name, schema) or get_close_matches(column.name.lower(), schema)
    listed = f"the columns are: {_listed(sorted(schema, key=_own_first))}"
    _refuse(column.parts[0], f"no column {name}", near, listed)


def _unknown_field(parts: Sequence[exp.Expr], fields: Sequence[str]) -> NoReturn:
    """Refuses the last of some parts, which is none of the fields of the struct that the others name."""
    *struct, field = (part.name.lower() for part in parts)
    owner = ".".join(struct)
    near = [f"{owner}.{name}" for name in get_close_matches(field, fields)]
    listed = f"its fields are: {_listed(fields)}" if fields else "it is no struct"
    _refuse(parts[-1], f"{owner} has no field {field}", near, listed)


def _listed(names: Iterable[str]) -> str:
    return shorten(", ".join(map(_quoted, names)), _MAX_LISTED)


def _refuse(at: exp.Expr, problem: str, near: Sequence[str], listed: str) -> NoReturn:
    """Refuses a name, suggesting those that are near it or, if none is, listing all."""
    place = at.meta
    hint = f"did you mean {' or '.join(map(_quoted, near))}?" if near else listed
    first = place["col"] - (place["end"] - place["start"]) if "col" in place else None
    raise SqlPredicateError(f"{problem}; {hint}", place.get("line"), first)
