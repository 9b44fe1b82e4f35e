"""Arithmetic, rounding and casts."""

import math
from collections.abc import Sequence
from decimal import Decimal
from typing import Final, TypeAlias

from pycompiler.compile.values.types import HiveType, ValueKind

from ..tables import Value
from ..values import BIGINT, DOUBLE, INT, INTEGERS, Function, Operand, Values, is_of, made, operand_of

Number: TypeAlias = int | float | Decimal


def _numbers(operand: Operand) -> list[Number]:
    return [
        value
        for value in operand.samples
        if isinstance(value, int | Decimal) or (isinstance(value, float) and math.isfinite(value))
    ]


@operand_of(is_of(*INTEGERS, "double"))
def _arithmetic(g: Values, x: Operand, depth: int) -> Operand:
    c = g.rng.choice((0, 1, -1, 2, 3, -7, 10, 1000, 2_147_483_647))
    name = g.rng.choice("+-*/%")
    is_double = x.type == DOUBLE
    hive_type = DOUBLE if is_double or name == "/" else x.type if x.type == BIGINT else INT
    constant = f"{c}e0" if is_double and g.rng.random() < 0.5 else str(c)
    constant_first = name != "%" and g.rng.random() < 0.3
    samples: list[Number] = []
    for value in map(float if hive_type == DOUBLE else int, _numbers(x)):
        left, right = (c, value) if constant_first else (value, c)
        match name:
            case "+" | "-" | "*":
                samples.append({"+": left + right, "-": left - right, "*": left * right}[name])
            case "/" if right:
                samples.append(left / right)
            case "%" if right:
                samples.append(math.fmod(left, right) if is_double else int(math.fmod(left, right)))
    kept = [_wrapped(value, hive_type) for value in samples]
    if constant_first:
        return made(hive_type, kept, f"({constant} {name} ", x.sql, ")")
    return made(hive_type, kept, "(", x.sql, f" {name} {constant})")


@operand_of(is_of(*INTEGERS))
def _whole_quotient(g: Values, x: Operand, depth: int) -> Operand:
    c = g.rng.choice((1, -1, 2, 7, -7, 10, 100, 86_400, 1_000_000))
    numbers = [value for value in _numbers(x) if isinstance(value, int)]
    if g.rng.random() < 0.5:
        results = [_wrapped(abs(value) // c * (1 if value >= 0 else -1), BIGINT) for value in numbers]
        return made(BIGINT, results, "(", x.sql, f" div {c})")
    hive_type = BIGINT if x.type == BIGINT else INT
    # Of negative divisors, the dialects make different remainders.
    return made(hive_type, [value % abs(c) for value in numbers], "pmod(", x.sql, f", {abs(c)})")


def _wrapped(value: Number, hive_type: HiveType) -> Number:
    if isinstance(value, int) and hive_type.name in INTEGERS:
        half = 1 << ((8 << INTEGERS.index(hive_type.name)) - 1)
        return (value + half) % (2 * half) - half
    return value


@operand_of(lambda hive_type: hive_type.precision in (5, 10), nested=False)
def _decimal_arithmetic(g: Values, x: Operand, depth: int) -> Operand:
    c, digits, scale = g.rng.choice((("1", 1, 0), ("-0.25", 2, 2), ("2.5", 2, 1), ("12", 2, 0)))
    name = g.rng.choice("+-*")
    p, s = x.type.precision or 0, x.type.scale or 0
    if name == "*":
        precision, scale = p + digits + 1, s + scale
    else:
        precision, scale = max(p - s, digits - scale) + max(s, scale) + 1, max(s, scale)
    right = Decimal(c)
    results = {
        "+": [value + right for value in _numbers(x) if isinstance(value, Decimal)],
        "-": [value - right for value in _numbers(x) if isinstance(value, Decimal)],
        "*": [value * right for value in _numbers(x) if isinstance(value, Decimal)],
    }
    hive_type = HiveType("decimal", precision=precision, scale=scale)
    return made(hive_type, results[name], "(", x.sql, f" {name} {c})")


@operand_of(is_of("int", "bigint", "double", "decimal"))
def _sign(g: Values, x: Operand, depth: int) -> Operand:
    if g.rng.random() < 0.5:
        return made(x.type, [_wrapped(-value, x.type) for value in _numbers(x)], "(-", x.sql, ")")
    sizes: list[Number] = [-value if value < 0 else value for value in _numbers(x)]
    return made(x.type, sizes, "abs(", x.sql, ")")


@operand_of(is_of("double", "bigint", "decimal"))
def _whole_number(g: Values, x: Operand, depth: int) -> Operand:
    name = g.rng.choice(("floor", "ceil", "ceiling"))
    turned = math.floor if name == "floor" else math.ceil
    hive_type = BIGINT
    if x.type.precision is not None:
        hive_type = HiveType("decimal", precision=x.type.precision - (x.type.scale or 0) + 1, scale=0)
    return made(
        hive_type, [_wrapped(turned(value), hive_type) for value in _numbers(x)], f"{name}(", x.sql, ")"
    )


def _difference(g: Values, depth: int) -> Operand | None:
    a, b = (g.column(is_of("int", "bigint")) for _ in "ab")
    if a is None or b is None:
        return None
    pairs = [(x, y) for x in a.samples for y in b.samples if isinstance(x, int) and isinstance(y, int)]
    hive_type = BIGINT if BIGINT in (a.type, b.type) else INT
    return made(hive_type, [_wrapped(x - y, hive_type) for x, y in pairs], "(", a.sql, " - ", b.sql, ")")


def _rounded(value: Number, digits: int) -> Number:
    match value:
        case float():
            return round(value, digits)
        case Decimal():
            return round(value, digits)
    return value


@operand_of(is_of("double", "int", "bigint", "decimal"))
def _round(g: Values, x: Operand, depth: int) -> Operand | None:
    digits = g.rng.choice((0, 1, 2, 5))
    if x.type.precision is not None and not digits < (x.type.scale or 0):
        return None
    samples = [_rounded(value, digits) for value in _numbers(x) if -1e12 < value < 1e12]
    hive_type = x.type
    if x.type.precision is not None:
        precision = x.type.precision - (x.type.scale or 0) + 1 + digits
        hive_type = HiveType("decimal", precision=precision, scale=digits)
    return made(hive_type, samples, "round(", x.sql, ")" if digits == 0 else f", {digits})")


_CASTS: Final = {
    "boolean": ("int", "bigint"),
    "tinyint": ("int", "bigint", "double", "decimal(10,2)", "boolean"),
    "smallint": ("tinyint", "int", "bigint", "double"),
    "int": ("tinyint", "smallint", "bigint", "double", "decimal(10,2)", "decimal(5,0)", "boolean"),
    "bigint": ("int", "smallint", "double", "decimal(20,0)", "boolean"),
    "float": ("double", "int", "bigint"),
    "double": ("float", "int", "bigint"),
    "decimal": ("int", "bigint", "double", "decimal(6,1)", "decimal(12,4)"),
}


@operand_of(is_of(*_CASTS))
def _cast(g: Values, x: Operand, depth: int) -> Operand:
    target = HiveType.parse(g.rng.choice(_CASTS[x.type.name]))
    samples: list[Value] = []
    for value in _numbers(x):
        match target.kind:
            case ValueKind.INTEGER:
                samples.append(_wrapped(int(value), target))
            case ValueKind.FLOAT:
                samples.append(float(value))
            case ValueKind.DECIMAL:
                samples.append(Decimal(value))
    return made(target, samples, "CAST(", x.sql, f" AS {str(target).upper()})")


FUNCTIONS: Final[Sequence[Function]] = (
    *(
        _arithmetic,
        _arithmetic,
        _arithmetic,
        _whole_quotient,
        _difference,
        _decimal_arithmetic,
        _sign,
        _whole_number,
        _round,
        _cast,
        _cast,
    ),
)
"""The functions to draw from; those with more forms appear more than once."""
