"""Hive's answers for single rows: a direct three-valued evaluator, the oracle of the property tests.

Hive answers in several ways (row mode and vectorised mode, `=` and IN, one zone and another), so the oracle
has a `Mode`. A file must be kept if Hive finds a row of it in any mode.
"""

import math
import random
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, TypeAlias

from pycompiler.compile.predicate.model import (
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
    Operand,
    Or,
    Predicate,
)
from pycompiler.compile.values.types import HiveType, ValueKind

Row: TypeAlias = Mapping[str, Any]
"""Stored values by column name; None is NULL."""


@dataclass(frozen=True)
class Mode:
    """One of the ways in which Hive may read and compare.

    Attributes:
        nan_is_greatest: Row mode: NaN equals itself and is above all numbers. Otherwise every comparison with
            it but `!=` is FALSE.
        in_compares_bits: IN distinguishes -0.0 from 0.0, and so does `=` with a constant, which Hive may turn
            into an IN.
        utf16: Strings are ordered by UTF-16 code units, not by UTF-8 bytes.
        cuts_literals: A string compared with a varchar column is first cut to its length.
        offset_micros: How far the reader's zone shifts the timestamps that it shows.
        pads: A char is compared with its padding, and a constant beside it as it is.
        null_is_zero: Vectorised mode: a NULL among the values of an IN of decimals is 0.
    """

    nan_is_greatest: bool
    in_compares_bits: bool
    utf16: bool
    cuts_literals: bool
    offset_micros: int
    null_is_zero: bool = False
    pads: bool = False


def random_mode(rng: random.Random) -> Mode:
    """Draws a mode."""
    day = 26 * 3600 * 1_000_000
    return Mode(
        nan_is_greatest=rng.random() < 0.5,
        in_compares_bits=rng.random() < 0.5,
        utf16=rng.random() < 0.5,
        cuts_literals=rng.random() < 0.5,
        offset_micros=rng.choice((-day, 0, day)),
        null_is_zero=rng.random() < 0.5,
        pads=rng.random() < 0.5,
    )


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
            return constant
        case IsNull(value):
            return _value(value, row, mode) is None
        case Compare(operator, left, right):
            return _compare(operator, left, right, row, mode)
        case Between(value, low, high):
            return _all(
                (
                    _compare(Comparison.GTEQ, value, low, row, mode),
                    _compare(Comparison.LTEQ, value, high, row, mode),
                )
            )
        case In(value, members):
            return _in(value, tuple(members), row, mode)
        case Opaque():
            raise AssertionError("an opaque term has no truth")


def _negate(value: bool | None) -> bool | None:
    return None if value is None else not value


def _all(values: Iterable[bool | None]) -> bool | None:
    known = list(values)
    if False in known:
        return False
    return None if None in known else True


def _in(value: Operand, members: tuple[Operand, ...], row: Row, mode: Mode) -> bool | None:
    found = _value(value, row, mode)
    if found is None:
        return None
    if isinstance(found, Decimal) and mode.null_is_zero:
        nulls = [member for member in members if _value(member, row, mode) is None]
        members = tuple(member for member in members if member not in nulls)
        return _in_known(value, members, row, mode) or (bool(nulls) and found == 0)
    return _in_known(value, members, row, mode)


def _in_known(value: Operand, members: tuple[Operand, ...], row: Row, mode: Mode) -> bool | None:
    if any(_is_member(value, member, row, mode) for member in members):
        return True
    return None if any(_value(member, row, mode) is None for member in members) else False


def _is_member(value: Operand, member: Operand, row: Row, mode: Mode) -> bool:
    found, wanted = _value(value, row, mode), _value(member, row, mode)
    if isinstance(found, float) and wanted is not None and mode.in_compares_bits:
        return struct.pack(">d", found) == struct.pack(">d", wanted)
    return _compare(Comparison.EQ, value, member, row, mode) is True


def _as_in(left: Operand, right: Operand, mode: Mode) -> bool:
    return mode.in_compares_bits and isinstance(left, Literal) is not isinstance(right, Literal)


def _compare(operator: Comparison, left: Operand, right: Operand, row: Row, mode: Mode) -> bool | None:
    first, second = _value(left, row, mode, beside=right), _value(right, row, mode, beside=left)
    if operator is Comparison.NULL_SAFE_EQ:
        if first is None or second is None:
            return first is None and second is None
        operator = Comparison.EQ
    if first is None or second is None:
        return None
    if isinstance(first, float) and operator in (Comparison.EQ, Comparison.NE) and _as_in(left, right, mode):
        is_same = struct.pack(">d", first) == struct.pack(">d", second)
        return is_same is (operator is Comparison.EQ)
    first, second = _ordered(first, mode), _ordered(second, mode)
    match operator:
        case Comparison.EQ:
            return bool(first == second)
        case Comparison.NE:
            return bool(first != second)
        case Comparison.LT:
            return bool(first < second)
        case Comparison.LTEQ:
            return bool(first <= second)
        case Comparison.GT:
            return bool(first > second)
        case Comparison.GTEQ:
            return bool(first >= second)
    raise AssertionError(operator)


def _ordered(value: Any, mode: Mode) -> Any:
    """The value as one that Python orders as Hive does."""
    if isinstance(value, float) and mode.nan_is_greatest:
        return math.isnan(value), 0.0 if math.isnan(value) else value
    if isinstance(value, str):
        return value.encode("utf-16-be" if mode.utf16 else "utf-8")
    return value


def _value(operand: Operand, row: Row, mode: Mode, beside: Operand | None = None) -> Any:
    """The value of a column or constant, as Hive compares it with another operand."""
    match operand:
        case Column(name, hive_type):
            stored = row[name]
            return None if stored is None else _shown(stored, hive_type, mode)
        case Literal(_, value):
            return _beside(value, beside.type, mode) if isinstance(beside, Column) else value
    raise AssertionError(f"neither a column nor a constant: {operand}")


def _shown(stored: Any, hive_type: HiveType, mode: Mode) -> Any:
    match hive_type.name:
        case "varchar":
            return stored[: hive_type.length]
        case "char":
            shown = stored[: hive_type.length].rstrip(" ")
            return shown.ljust(hive_type.length or 0) if mode.pads else shown
        case "timestamp":
            return stored + mode.offset_micros
    return stored


def _beside(value: Any, column: HiveType, mode: Mode) -> Any:
    """The value that Hive compares a column with, given a constant."""
    match column.kind:
        case ValueKind.FLOAT if value is not None:
            return float(value)
        case ValueKind.TIMESTAMP if isinstance(value, str):
            return (datetime.fromisoformat(value) - datetime(1970, 1, 1)) // timedelta(microseconds=1)
        case ValueKind.STRING if value is not None:
            cut = value[: column.length] if mode.cuts_literals else value
            return cut.rstrip(" ") if column.name == "char" and not mode.pads else cut
    return value
