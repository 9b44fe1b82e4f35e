"""Constants and names of types in SQL text, as Hive's parser types them.

Source: Hive 4.0.1, `TypeCheckProcFactory.NumExprProcessor` and `ExprNodeDescExprFactory`.
"""

import math
import re
from decimal import Decimal
from typing import Final

from sqlglot import exp

from pycompiler.compile.predicate.model import BOOLEAN, Literal
from pycompiler.compile.sql.dialect import Dialect
from pycompiler.compile.values.numbers import decimal_type, nearest_float
from pycompiler.compile.values.parsing import parse_date, parse_timestamp
from pycompiler.compile.values.types import (
    INTEGER_BITS,
    HiveType,
    UnknownTypeError,
    ValueKind,
    decimal_of,
    keeps_values,
)

STRING: Final = HiveType("string")
DATE: Final = HiveType("date")
TIMESTAMP: Final = HiveType("timestamp")
DOUBLE: Final = HiveType("double")
VOID: Final = HiveType("void")
_FLOAT: Final = HiveType("float")
_MAX_DIGITS: Final = 1000
_NUMBER: Final = re.compile(r"\d+(\.\d*)?([eE][+-]?\d{1,4})?", re.ASCII)
_INTEGERS: Final = {exp.DType[name.upper()]: name for name in INTEGER_BITS}
_OTHER_TARGETS: Final = ("boolean", "float", "double", "decimal", "varchar", "char", "date", "timestamp")
_TARGETS: Final = {exp.DType[name.upper()]: name for name in (*INTEGER_BITS, *_OTHER_TARGETS)} | {
    exp.DType.TEXT: "string"
}
_TIMESTAMPS: Final = frozenset({exp.DType.TIMESTAMP, exp.DType.TIMESTAMPTZ})


def target_type(node: exp.DataType, dialect: Dialect) -> HiveType | None:
    """The type that a cast names; None if it is not supported."""
    # Spark's TIMESTAMP.
    is_timestamp = dialect is Dialect.SPARK and node.this is exp.DType.TIMESTAMPTZ
    name = "timestamp" if is_timestamp else _TARGETS.get(node.this)
    if name is None:
        return None
    parameters = ",".join(parameter.name for parameter in node.expressions)
    try:
        return HiveType.parse(f"{name}({parameters})" if parameters else name)
    except UnknownTypeError:
        return None


def literal_of(node: exp.Expr) -> Literal | None:
    """The constant that a node stands for, with Hive's type; None if there is none or Hive rejects it."""
    match node:
        case exp.Null():
            return Literal(VOID, None)
        case exp.Boolean():
            return Literal(BOOLEAN, bool(node.this))
        case exp.Literal():
            return Literal(STRING, node.this) if node.is_string else _number(node.this)
        case exp.Neg():
            inner = literal_of(node.this.unnest())
            return None if inner is None else _negated(inner)
        case exp.Concat():
            return _adjacent(node)
        case exp.Cast() if isinstance(node.this, exp.Literal):
            return _typed(node.this, node.to)
    return None


def _adjacent(node: exp.Concat) -> Literal | None:
    """`'a' 'b'` is 'ab'. In the plain dialects, calls of concat are not parsed as this node."""
    parts = [part for part in node.expressions if isinstance(part, exp.Literal) and part.is_string]
    if len(parts) < len(node.expressions):
        return None
    return Literal(STRING, "".join(part.this for part in parts))


def _number(text: str) -> Literal | None:
    if len(text) > _MAX_DIGITS or _NUMBER.fullmatch(text) is None:
        return None
    if "e" in text.lower():
        return Literal(DOUBLE, float(text))
    return _exact(Decimal(text))


def _exact(number: Decimal) -> Literal | None:
    """An integer becomes an int or else a bigint; other numbers become decimals with just enough digits."""
    exponent = number.as_tuple().exponent
    if exponent == 0:
        for name in ("int", "bigint"):
            limit = 1 << (INTEGER_BITS[name] - 1)
            if -limit <= number < limit:
                return Literal(HiveType(name), int(number))
    hive_type = decimal_type(number)
    return None if hive_type is None else Literal(hive_type, number)


def _negated(literal: Literal) -> Literal | None:
    match literal.type.kind, literal.value:
        case ValueKind.INTEGER, int() as value:
            limit = 1 << (INTEGER_BITS[literal.type.name] - 1)
            return Literal(literal.type, -value) if -limit <= -value < limit else None
        case ValueKind.DECIMAL, Decimal() as value:
            return Literal(literal.type, value.copy_negate())
        case ValueKind.FLOAT, float() as value:
            return Literal(literal.type, -value)
    return None


def _typed(literal: exp.Literal, target: exp.DataType) -> Literal | None:
    """`3L`, `1.5D`, `2BD`, `DATE '…'`, which the parser reads as casts of a literal."""
    text, kind = literal.this, target.this
    if kind is exp.DType.DECIMAL:
        return _decimal(text, target)
    if not literal.is_string:
        return _suffixed(text, kind)
    if kind is exp.DType.DATE:
        days = parse_date(text)
        return None if days is None else Literal(DATE, days)
    if kind in _TIMESTAMPS:
        micros = parse_timestamp(text)
        return None if micros is None else Literal(TIMESTAMP, micros)
    return None


def _suffixed(text: str, kind: object) -> Literal | None:
    if len(text) > _MAX_DIGITS or _NUMBER.fullmatch(text) is None:
        return None
    if kind is exp.DType.DOUBLE:
        return Literal(DOUBLE, float(text))
    if kind is exp.DType.FLOAT:
        return Literal(_FLOAT, nearest_float(Decimal(text)))
    if isinstance(kind, exp.DType) and kind in _INTEGERS and text.isdecimal():
        name = _INTEGERS[kind]
        return Literal(HiveType(name), int(text)) if int(text) < 1 << (INTEGER_BITS[name] - 1) else None
    return None


def _decimal(text: str, target: exp.DataType) -> Literal | None:
    parameters = [parameter.name for parameter in target.expressions]
    number = parse_number(text)
    if number is None or len(parameters) != 2 or not all(map(str.isdecimal, parameters)):
        return None
    own, hive_type = decimal_type(number), decimal_of(*map(int, parameters))
    if own is None or hive_type is None or not keeps_values(own, hive_type):
        return None
    return Literal(hive_type, number)


def parse_number(text: str) -> Decimal | None:
    """A plain number, such as `-1.50`; None for any other text, even if Java reads it as a number."""
    digits = text.removeprefix("-")
    if len(digits) > _MAX_DIGITS or not digits.replace(".", "", 1).isdecimal() or not digits.isascii():
        return None
    number = Decimal(text)
    return number if math.isfinite(number) else None
