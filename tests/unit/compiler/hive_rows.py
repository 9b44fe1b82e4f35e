"""What Hive answers for single rows: a direct three-valued evaluator, the oracle of the property tests.

Hive is not of one mind (row mode and vectorised mode, `=` and IN, one zone and another), so an oracle has a
`Mode`; a file must be kept if any of Hive's minds finds a row in it.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from pycompiler.predicate.model import (
    And,
    Between,
    Column,
    Compare,
    Comparison,
    Constant,
    In,
    IsNull,
    Literal,
    Not,
    Opaque,
    Or,
    Predicate,
    Truth,
)
from pycompiler.types import ValueKind

Row: TypeAlias = Mapping[str, Any]
"""Stored values by column name; None is NULL."""


@dataclass(frozen=True)
class Mode:
    """One of the ways in which Hive may read and compare.

    Attributes:
        nan_is_greatest: Row mode: NaN equals itself and is above all numbers. Otherwise every comparison with
            it but `!=` is FALSE.
        in_compares_bits: IN tells -0.0 from 0.0.
        utf16: Strings are ordered by UTF-16 code units, not by UTF-8 bytes.
        cuts_literals: A string compared with a varchar column is first cut to its length.
        offset_micros: How far the reader's zone moves what a timestamp shows.
    """

    nan_is_greatest: bool
    in_compares_bits: bool
    utf16: bool
    cuts_literals: bool
    offset_micros: int


def truth(predicate: Predicate, row: Row, mode: Mode) -> bool | None:
    """Evaluates a predicate for one row; None is NULL."""
    match predicate:
        case And(terms):
            return _all(truth(term, row, mode) for term in terms)
        case Or(terms):
            return _negate(_all(_negate(truth(term, row, mode)) for term in terms))
        case Not(term):
            return _negate(truth(term, row, mode))
        case Constant(constant):
            return {Truth.TRUE: True, Truth.FALSE: False, Truth.NULL: None}[constant]
        case IsNull(column):
            return row[column.name] is None
        case Compare(operator, column, literal):
            return _compare(operator, column, literal, row, mode)
        case Between(column, low, high):
            return _all(
                (
                    _compare(Comparison.GTEQ, column, low, row, mode),
                    _compare(Comparison.LTEQ, column, high, row, mode),
                )
            )
        case In(column, values):
            return _in(column, values, row, mode)
        case Opaque():
            raise AssertionError("an opaque term has no truth")


def _negate(value: bool | None) -> bool | None:
    return None if value is None else not value


def _all(values: Iterable[bool | None]) -> bool | None:
    known = list(values)
    if False in known:
        return False
    return None if None in known else True


def _in(column: Column, values: tuple[Literal, ...], row: Row, mode: Mode) -> bool | None:
    if row[column.name] is None:
        return None
    for literal in values:
        if literal.value is not None and _is_member(column, literal, row, mode):
            return True
    return None if any(literal.value is None for literal in values) else False


def _is_member(column: Column, literal: Literal, row: Row, mode: Mode) -> bool:
    if column.type.kind is ValueKind.FLOAT and mode.in_compares_bits:
        return struct.pack(">d", row[column.name]) == struct.pack(">d", literal.value)
    return _compare(Comparison.EQ, column, literal, row, mode) is True


def _compare(operator: Comparison, column: Column, literal: Literal, row: Row, mode: Mode) -> bool | None:
    stored = row[column.name]
    if operator is Comparison.NULL_SAFE_EQ:
        if stored is None or literal.value is None:
            return stored is None and literal.value is None
        operator = Comparison.EQ
    if stored is None or literal.value is None:
        return None
    left, right = _shown(stored, column, mode), _constant(literal.value, column, mode)
    if column.type.kind is ValueKind.FLOAT and mode.nan_is_greatest:
        left, right = (
            (math.isnan(left), 0.0 if math.isnan(left) else left),
            (
                math.isnan(right),
                0.0 if math.isnan(right) else right,
            ),
        )
    if column.type.kind is ValueKind.STRING:
        encoding = "utf-16-be" if mode.utf16 else "utf-8"
        left, right = left.encode(encoding), right.encode(encoding)
    match operator:
        case Comparison.EQ:
            return bool(left == right)
        case Comparison.NE:
            return bool(left != right)
        case Comparison.LT:
            return bool(left < right)
        case Comparison.LTEQ:
            return bool(left <= right)
        case Comparison.GT:
            return bool(left > right)
        case Comparison.GTEQ:
            return bool(left >= right)
    raise AssertionError(operator)


def _shown(stored: Any, column: Column, mode: Mode) -> Any:
    match column.type.name:
        case "varchar":
            return stored[: column.type.length]
        case "char":
            return stored[: column.type.length].rstrip(" ")
        case "timestamp":
            return stored + mode.offset_micros
    return stored


def _constant(value: Any, column: Column, mode: Mode) -> Any:
    cut = value[: column.type.length] if mode.cuts_literals and column.type.length else value
    return cut.rstrip(" ") if column.type.name == "char" else cut
