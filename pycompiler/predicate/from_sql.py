"""A condition that a person typed, as it would stand after WHERE, to the predicate tree.

The only place where text is parsed, and the only one that knows sqlglot. Only the classes of nodes that are
named here are understood; all others are `Opaque`.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Final, NoReturn

import sqlglot
from sqlglot import exp
from sqlglot.errors import ParseError, TokenError

from pycompiler.predicate import build
from pycompiler.predicate.constants import Moment, Null, Number, SqlConstant, Text, typed
from pycompiler.predicate.errors import FilterTooLargeError, SqlPredicateError
from pycompiler.predicate.limits import DEFAULT_LIMITS, FilterLimits
from pycompiler.predicate.model import (
    And,
    Between,
    Column,
    Comparison,
    In,
    Literal,
    Not,
    Opaque,
    Operand,
    Or,
    Predicate,
)
from pycompiler.predicate.schema import Schema
from pycompiler.predicate.text import shorten
from pycompiler.types import HiveType


class Dialect(Enum):
    """Whose SQL a condition is written in."""

    HIVE = "hive"
    SPARK = "spark"


_COMPARISONS: Final[dict[type[exp.Expr], Comparison]] = {
    exp.EQ: Comparison.EQ,
    exp.NullSafeEQ: Comparison.NULL_SAFE_EQ,
    exp.NEQ: Comparison.NE,
    exp.LT: Comparison.LT,
    exp.LTE: Comparison.LTEQ,
    exp.GT: Comparison.GT,
    exp.GTE: Comparison.GTEQ,
}
_DATES: Final = frozenset({exp.DType.DATE})
_TIMESTAMPS: Final = frozenset({exp.DType.TIMESTAMP, exp.DType.TIMESTAMPTZ})
# `3Y`, `3S` and `3L` are parsed as casts of a literal.
_INTEGER_BITS: Final = {exp.DType.TINYINT: 8, exp.DType.SMALLINT: 16, exp.DType.INT: 32, exp.DType.BIGINT: 64}


def from_sql(
    text: str, schema: Schema, *, dialect: Dialect = Dialect.HIVE, limits: FilterLimits = DEFAULT_LIMITS
) -> Predicate:
    """Reads a condition, such as `origin = 'JFK' AND NOT (dep_delay BETWEEN -5 AND 5)`.

    A constant takes the type of the column that it is compared with if that changes neither its value nor the
    comparison (`constants.typed`); otherwise the term is `Opaque`.

    Args:
        text: The condition, without the word WHERE.
        schema: The table's columns; names are looked up without regard to case.
        dialect: Whose SQL it is.
        limits: How long it may be.

    Raises:
        SqlPredicateError: The text is not one condition, is nested too deeply, or names a column that the
            schema does not have.
        FilterTooLargeError: The text, or an IN in it, is too long.
    """
    if len(text) > limits.max_text_chars:
        raise FilterTooLargeError(f"{len(text)} characters, the limit is {limits.max_text_chars}")
    try:
        root = _parse(text, dialect)
        _check_columns(root, schema)
        return _Reader(schema, limits).condition(root)
    except RecursionError as error:
        raise SqlPredicateError("nested too deeply") from error


def _parse(text: str, dialect: Dialect) -> exp.Expr:
    try:
        parsed = sqlglot.parse(text, read=dialect.value)
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


def _check_columns(root: exp.Expr, schema: Schema) -> None:
    if root.find(exp.Query, exp.Lambda) is not None:
        # Names in a subquery or a lambda need not be columns of this table.
        return
    for column in root.find_all(exp.Column):
        if column.parts[0].name.lower() not in schema and _dotted(column) not in schema:
            _unknown_column(column, schema)


def _unknown_column(column: exp.Column, schema: Schema) -> NoReturn:
    place = column.parts[0].meta
    names = shorten(", ".join(sorted(schema)))
    first = place["col"] - (place["end"] - place["start"]) if "col" in place else None
    raise SqlPredicateError(f"no column {_dotted(column)}; there are: {names}", place.get("line"), first)


def _dotted(column: exp.Column) -> str:
    return ".".join(part.name for part in column.parts).lower()


class _Reader:
    """Turns sqlglot's nodes into predicates. It recurses less deeply than the parser does."""

    def __init__(self, schema: Schema, limits: FilterLimits) -> None:
        self._schema = schema
        self._limits = limits

    def condition(self, node: exp.Expr) -> Predicate:
        """Reads a node where a condition stands."""
        match node:
            case exp.Paren():
                return self.condition(node.this)
            case exp.And():
                return And(tuple(self.condition(term) for term in _chain(node, exp.And)))
            case exp.Or():
                return Or(tuple(self.condition(term) for term in _chain(node, exp.Or)))
            case exp.Not():
                return Not(self.condition(node.this))
            case exp.Is():
                return self._is(node)
            case exp.In():
                return self._in(node)
            case exp.Between() if set(_arguments(node)) == {"this", "low", "high"}:
                return self._between(node)
        comparison = _COMPARISONS.get(type(node))
        if comparison is not None:
            return self._comparison(comparison, node)
        return build.condition(self._operand(node))

    def _comparison(self, comparison: Comparison, node: exp.Expr) -> Predicate:
        left, right = _unwrap(node.this), _unwrap(node.expression)
        if _constant(left) is not None and _constant(right) is None:
            left, right, comparison = right, left, comparison.mirrored
        value = self._operand(left)
        return build.comparison(comparison, value, self._beside(value, right))

    def _in(self, node: exp.In) -> Predicate:
        members = node.expressions
        if len(members) > self._limits.max_in_values:
            limit = self._limits.max_in_values
            raise FilterTooLargeError(f"an IN of {len(members)} values, the limit is {limit}")
        if not members or set(_arguments(node)) != {"this", "expressions"}:
            return _opaque(node, "only an IN of constants can skip files")
        value = self._operand(node.this)
        return In(value, tuple(self._beside(value, member) for member in members))

    def _between(self, node: exp.Between) -> Predicate:
        value = self._operand(node.this)
        low, high = (self._beside(value, node.args[end]) for end in ("low", "high"))
        return Between(value, low, high)

    def _is(self, node: exp.Is) -> Predicate:
        value = self._operand(node.this)
        match node.expression:
            case exp.Null():
                return build.null_test(value)
            case exp.Boolean():
                # IS TRUE is never NULL, as <=> is not.
                return build.comparison(Comparison.NULL_SAFE_EQ, value, self._beside(value, node.expression))
        return _opaque(node, "of IS, only NULL, TRUE and FALSE are understood")

    def _operand(self, node: exp.Expr) -> Operand:
        node = _unwrap(node)
        if isinstance(node, exp.Column):
            return self._column(node)
        match _constant(node):
            case None:
                return _opaque(node, "only a column compared with constants can skip files")
            case Null():
                return Literal(HiveType.parse("void"), None)
            case bool() as value:
                return Literal(HiveType.parse("boolean"), value)
        return _opaque(node, "it is about no column")

    def _column(self, node: exp.Column) -> Operand:
        name = _dotted(node)
        hive_type = self._schema.get(name)
        if hive_type is None or any("." in part.name for part in node.parts):
            return Opaque(name, "the type of the struct's field is not known")
        return Column(name, hive_type)

    def _beside(self, value: Operand, node: exp.Expr) -> Operand:
        """Reads what a value is compared with: a constant takes the column's type."""
        node = _unwrap(node)
        found = _constant(node)
        if found is None or not isinstance(value, Column):
            return self._operand(node)
        literal = typed(found, value.type)
        reason = f"{_text(node)} is not compared as a value of type {value.type}"
        return literal if isinstance(literal, Literal) else Opaque(_text(node), reason)


def _chain(node: exp.Expr, connective: type[exp.Connector]) -> Sequence[exp.Expr]:
    """Gives the terms of `a AND b AND c …`, which sqlglot nests to the left, without recursion."""
    terms: list[exp.Expr] = []
    waiting = [node]
    while waiting:
        term = _unwrap(waiting.pop())
        if isinstance(term, connective):
            waiting += [term.this, term.expression]
        else:
            terms.append(term)
    # Right before left was taken off the stack.
    return terms[::-1]


def _constant(node: exp.Expr) -> SqlConstant | None:
    match node:
        case exp.Null():
            return Null()
        case exp.Boolean():
            return bool(node.this)
        case exp.Literal():
            return Text(node.this) if node.is_string else Number(node.this)
        case exp.Neg():
            inner = _constant(_unwrap(node.this))
            return inner.negated() if isinstance(inner, Number) else None
        case exp.Cast() if isinstance(node.this, exp.Literal):
            return _cast(node.this, node.to.this)
    return None


def _cast(literal: exp.Literal, target: object) -> SqlConstant | None:
    if not literal.is_string:
        return _suffixed(literal.this, target)
    if target in _DATES:
        return Moment(literal.this, is_date=True)
    if target in _TIMESTAMPS:
        return Moment(literal.this, is_date=False)
    return None


def _suffixed(digits: str, target: object) -> SqlConstant | None:
    if target is exp.DType.DOUBLE:
        return Number(digits if "e" in digits.lower() else f"{digits}e0")
    bits = _INTEGER_BITS.get(target) if isinstance(target, exp.DType) else None
    fits = bits is not None and digits.isdecimal() and int(digits) < 1 << (bits - 1)
    return Number(digits) if fits else None


def _unwrap(node: exp.Expr) -> exp.Expr:
    while isinstance(node, exp.Paren):
        node = node.this
    return node


def _arguments(node: exp.Expr) -> list[str]:
    return [name for name, value in node.args.items() if value]


def _text(node: exp.Expr) -> str:
    return shorten(node.sql(dialect=Dialect.HIVE.value))


def _opaque(node: exp.Expr, reason: str) -> Opaque:
    return Opaque(_text(node), reason)
