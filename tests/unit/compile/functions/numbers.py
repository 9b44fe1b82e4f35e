"""An independent implementation of Hive's arithmetic and conversions, and numbers to test them with."""

import math
import random
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Context, Decimal
from fractions import Fraction

from pycompiler.compile.predicate.model import Call, Column, Literal, LiteralValue
from pycompiler.compile.values.ordinals import ordinals_of
from pycompiler.compile.values.types import HiveType

_EXACT = Context(prec=400)
_BITS = {"tinyint": 8, "smallint": 16, "int": 32, "bigint": 64}
_TRICKY = (0, 1, 2, 3, 5, 7, 10, 99, 100, 127, 128, 255, 256, 32767, 32768, 12345, 123456789)
_TRICKY_DOUBLES = (
    *(0.5, 1.5, 2.5, -0.5, -2.5, 4.5, 0.1, 0.30000000000000004),
    *(1e15 + 0.5, 2.0**52 + 0.5, 2.0**53, -(2.0**63)),
    *(5e-324, -5e-324, 1e300, -1e300, math.inf, -math.inf, math.nan),
)

Value = LiteralValue | None


@dataclass(frozen=True)
class Case:
    """A call of one column x, and what Hive makes of a value of x."""

    call: Call
    source: HiveType
    in_hive: Callable[..., Value]

    def __str__(self) -> str:
        shown = [repr(a.value) if isinstance(a, Literal) else "x" for a in self.call.arguments]
        return f"{self.source}: {self.call.name}({', '.join(shown)}) -> {self.call.type}"


def cases() -> Iterator[Case]:
    """Every rule about numbers, over the types that it speaks of."""
    yield from _of_integers()
    yield from _of_doubles()
    yield from _of_decimals()


def numbers_of(hive_type: HiveType, seed: int = 1) -> list[Value]:
    """Values of a numeric type: its ends, those around powers and small ones, and any."""
    chosen = random.Random(seed)
    ordinals = ordinals_of(hive_type)
    assert ordinals is not None
    tricky = [
        sign * number + step
        for number in (*_TRICKY, *(1 << b for b in (31, 53, 63)))
        for sign in (1, -1)
        for step in (-1, 0, 1)
    ]
    near = [chosen.randint(-3000, 3000) for _ in range(60)]
    far = [chosen.randint(ordinals.first, ordinals.last) for _ in range(60)]
    found: list[Value] = [
        ordinals.decode(number)
        for number in (*tricky, *near, *far, ordinals.first, ordinals.last)
        if ordinals.first <= number <= ordinals.last
    ]
    if hive_type.name in ("float", "double"):
        found += [*_TRICKY_DOUBLES, *map(float, tricky), *(chosen.uniform(-1000, 1000) for _ in range(100))]
    if hive_type.name == "float":
        found = [_single(x) for x in found if isinstance(x, float) and not 3e38 < abs(x) < math.inf]
    return found


class _Column:
    """A column x of a type, to make cases of."""

    def __init__(self, source: HiveType) -> None:
        self.source = source
        self.x = Column("x", source)

    def case(self, name: str, result: str, in_hive: Callable[..., Value], *constants: Literal) -> Case:
        """A call of x and then the constants."""
        return Case(Call(name, HiveType.parse(result), (self.x, *constants)), self.source, in_hive)

    def case_of(self, constant: Literal, name: str, result: str, in_hive: Callable[..., Value]) -> Case:
        """A call of a constant and then x."""
        return Case(Call(name, HiveType.parse(result), (constant, self.x)), self.source, in_hive)


def _literal(name: str, value: Value) -> Literal:
    return Literal(HiveType.parse(name), value)


def _of_integers() -> Iterator[Case]:
    for name, bits in _BITS.items():
        x = _Column(HiveType.parse(name))
        for target, width in _BITS.items():
            yield x.case("cast", target, lambda v, w=width: _wrapped(v, w))
        yield x.case("cast", "double", float)
        yield x.case("cast", "boolean", bool)
        for p, s in ((10, 2), (5, 0), (38, 18), (3, 2)):
            yield x.case("cast", f"decimal({p},{s})", lambda v, p=p, s=s: _decimal(Fraction(v), p, s))
        yield x.case("negative", name, lambda v, w=bits: _wrapped(-v, w))
        yield x.case("abs", name, lambda v, w=bits: _wrapped(abs(v), w))
        for c in (0, 1, -1, 3, -7, 100, 2**31 - 1):
            for result in dict.fromkeys((name, "bigint")):
                width, constant = _BITS[result], _literal(result, c)
                yield x.case("+", result, lambda v, c=c, w=width: _wrapped(v + c, w), constant)
                yield x.case("-", result, lambda v, c=c, w=width: _wrapped(v - c, w), constant)
                yield x.case_of(constant, "-", result, lambda v, c=c, w=width: _wrapped(c - v, w))
                yield x.case("*", result, lambda v, c=c, w=width: _wrapped(v * c, w), constant)
            yield x.case("/", "double", lambda v, c=c: _quotient(v, c), _literal("int", c))
            yield x.case_of(_literal("int", c), "/", "double", lambda v, c=c: _quotient(c, v))
            yield x.case("div", "bigint", lambda v, c=c: _whole_quotient(v, c), _literal("int", c))


def _of_doubles() -> Iterator[Case]:
    for name in ("double", "float"):
        x = _Column(HiveType.parse(name))
        for target, bits in _BITS.items():
            yield x.case("cast", target, lambda v, w=bits: _whole(v, math.trunc, w))
        yield x.case("cast", "double", lambda v: v)
        yield x.case("floor", "bigint", lambda v: _whole(v, math.floor, 64))
        yield x.case("ceil", "bigint", lambda v: _whole(v, math.ceil, 64))
        yield x.case("abs", name, abs)
        for c in (0.0, 1.5, -2.5, 1e10, 0.1):
            constant = _literal("double", c)
            yield x.case("+", "double", lambda v, c=c: v + c, constant)
            yield x.case("-", "double", lambda v, c=c: v - c, constant)
            yield x.case_of(constant, "-", "double", lambda v, c=c: c - v)
            yield x.case("*", "double", lambda v, c=c: v * c, constant)
            yield x.case("/", "double", lambda v, c=c: _quotient(v, c), constant)
            yield x.case_of(constant, "/", "double", lambda v, c=c: _quotient(c, v))
    x = _Column(HiveType.parse("double"))
    yield x.case("cast", "float", _single)
    for digits in (0, 1, 2):
        yield x.case("round", "double", lambda v, d=digits: _rounded_double(v, d), _literal("int", digits))


def _of_decimals() -> Iterator[Case]:
    for name in ("decimal(10,2)", "decimal(5,0)", "decimal(20,10)", "decimal(38,10)"):
        x = _Column(HiveType.parse(name))
        digits, scale = x.source.precision or 0, x.source.scale or 0
        for target, bits in _BITS.items():
            yield x.case("cast", target, lambda v, w=bits: int(v) if _fits(int(v), w) else None)
        yield x.case("cast", "double", float)
        for p, s in ((10, 2), (5, 0), (38, 18), (3, 2), (12, 4)):
            yield x.case("cast", f"decimal({p},{s})", lambda v, p=p, s=s: _decimal(Fraction(v), p, s))
        yield x.case("negative", name, lambda v: v.copy_negate())
        yield x.case("abs", name, lambda v: v.copy_abs())
        whole = f"decimal({digits - scale + 1},0)"
        yield x.case("floor", whole, lambda v: v.quantize(Decimal(1), ROUND_FLOOR, _EXACT))
        yield x.case("ceil", whole, lambda v: v.quantize(Decimal(1), ROUND_CEILING, _EXACT))
        if digits <= 20:
            yield from _with_decimals(x, digits, scale)


def _with_decimals(x: _Column, digits: int, scale: int) -> Iterator[Case]:
    for c in (Fraction(0), Fraction(3, 2), Fraction(-9, 4)):
        constant = _literal("decimal(3,2)", Decimal(c.numerator) / c.denominator)
        p, s = digits + 6, max(scale, 2)
        result = f"decimal({p},{s})"
        yield x.case("+", result, lambda v, c=c, p=p, s=s: _decimal(Fraction(v) + c, p, s), constant)
        yield x.case_of(constant, "-", result, lambda v, c=c, p=p, s=s: _decimal(c - Fraction(v), p, s))
        p, s = digits + 5, scale + 2
        result = f"decimal({p},{s})"
        yield x.case("*", result, lambda v, c=c, p=p, s=s: _decimal(Fraction(v) * c, p, s), constant)
        yield x.case(
            "/",
            "decimal(30,8)",
            lambda v, c=c: None if c == 0 else _decimal(Fraction(v) / c, 30, 8),
            constant,
        )


def _fits(number: int, bits: int) -> bool:
    return -(1 << (bits - 1)) <= number < 1 << (bits - 1)


def _wrapped(number: int, bits: int) -> int:
    """As Java cuts an integer to fewer bits."""
    return (number + (1 << (bits - 1))) % (1 << bits) - (1 << (bits - 1))


def _whole(number: float, rounding: Callable[[float], int], bits: int) -> int:
    """As Java makes an integer of a double: NaN is 0, what is too large the largest int or bigint."""
    if math.isnan(number):
        return 0
    most = (1 << (max(bits, 32) - 1)) - 1
    whole = rounding(number) if math.isfinite(number) else int(math.copysign(1, number)) * 2 * most
    return _wrapped(max(-most - 1, min(most, whole)), bits)


def _quotient(numerator: float, denominator: float) -> float | None:
    return None if denominator == 0 else float(numerator) / float(denominator)


def _whole_quotient(numerator: int, denominator: int) -> int | None:
    return None if denominator == 0 else _wrapped(math.trunc(Fraction(numerator, denominator)), 64)


def _decimal(number: Fraction, digits: int, scale: int) -> Decimal | None:
    """Half away from zero at the scale; NULL if there are too many digits."""
    unscaled = math.floor(abs(number) * 10**scale + Fraction(1, 2))
    if unscaled >= 10**digits:
        return None
    return Decimal(-unscaled if number < 0 else unscaled).scaleb(-scale, _EXACT)


def _single(number: float) -> float:
    try:
        (single,) = struct.unpack(">f", struct.pack(">f", number))
    except OverflowError:
        return math.copysign(math.inf, number)
    return float(single)


def _rounded_double(number: float, digits: int) -> float:
    if not math.isfinite(number):
        return number
    return float(Decimal(repr(number)).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP, _EXACT))
