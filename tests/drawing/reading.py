"""Reads drawn conditions as predicates."""

from collections.abc import Callable
from dataclasses import replace

from pycompiler.compile.predicate.model import (
    And,
    Between,
    Call,
    Compare,
    In,
    IsNull,
    Literal,
    Not,
    Operand,
    Or,
    Predicate,
)
from pycompiler.compile.sql.from_sql import Dialect, from_sql
from pycompiler.compile.values.types import HiveType

from .tables import Table


def read(text: str, table: Table) -> Predicate:
    """Parses a predicate in the dialect that it is written in."""
    return from_sql(text, table.schema, dialect=dialect_of(text))


def read_plain(text: str, table: Table) -> Predicate:
    """Parses a condition with plain constants, all of which become literals."""
    return replaced(read(text, table), _constant)


def _constant(operand: Operand) -> Operand:
    """Returns NaN, infinity and a NULL truth value, which SQL has to cast, as literals."""
    match operand:
        case Call("cast", hive_type, (Literal(_, None),)):
            return Literal(hive_type, None)
        case Call("cast", HiveType(name="double"), (Literal(_, str(text)),)):
            return Literal(operand.type, float(text))
    return operand


def dialect_of(text: str) -> Dialect:
    """Returns Hive's dialect if Hive has all of the predicate's functions, otherwise Spark's."""
    return Dialect.SPARK if "date_trunc(" in text else Dialect.HIVE


def replaced(predicate: Predicate, other: Callable[[Operand], Operand]) -> Predicate:
    """Returns a predicate with other operands in its tests."""
    match predicate:
        case And(terms) | Or(terms):
            return replace(predicate, terms=tuple(replaced(term, other) for term in terms))
        case Not(term):
            return Not(replaced(term, other))
        case Compare(_, left, right):
            return replace(predicate, left=other(left), right=other(right))
        case In(value, members):
            return replace(predicate, value=other(value), members=tuple(map(other, members)))
        case Between(value, low, high):
            return replace(predicate, value=other(value), low=other(low), high=other(high))
        case IsNull(value):
            return replace(predicate, value=other(value))
    return predicate
