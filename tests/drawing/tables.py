"""Draws typed tables, split into files whose values are close together, so that files can be skipped."""

from __future__ import annotations

import math
import random
import string
import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import Final, TypeAlias

from pycompiler.compile.predicate.model import Column, LiteralValue
from pycompiler.compile.values.ordinals import ordinal_of, ordinals_of
from pycompiler.compile.values.types import HiveType

Value: TypeAlias = LiteralValue | None
"""A stored value as the compiler sees it: dates are days, timestamps are microseconds, None is NULL."""

Row: TypeAlias = Mapping[str, Value]
"""Values by column name; fields of a struct have dotted names."""

Pools: TypeAlias = Callable[[random.Random, HiveType], list[LiteralValue]]
"""Draws values of a type in ascending order."""

_EPOCH: Final = date(1970, 1, 1).toordinal()
_FIRST_DAY: Final = date(1583, 1, 1).toordinal() - _EPOCH
LAST_DAY: Final = date(9999, 12, 31).toordinal() - _EPOCH
DAY_MICROS: Final = 86_400_000_000
TYPES: Final = (
    *("boolean", "tinyint", "smallint", "int", "bigint", "float", "double", "decimal(5,0)", "decimal(10,2)"),
    *("decimal(38,10)", "string", "varchar(4)", "char(4)", "date", "timestamp"),
    # These types have the most rules.
    *("int", "bigint", "double", "string", "string", "date", "date", "timestamp"),
)
"""Types of columns."""

_STRUCT: Final = {"s.a": "int", "s.b": "string", "s.c.d": "date"}
_STRUCT_TYPE: Final = "struct<a:int,b:string,c:struct<d:date>>"
_ALPHABET: Final = "aAbkKz09 %_-.\u00e9\u00df\u0130\u212a\ud7ff\ue000\uffff\U00010000\U0001f600\x00"
_WORDS: Final = (
    "",
    " ",
    "a",
    "A",
    "a ",
    "ab",
    "aB",
    "AB ",
    "abc",
    "a%",
    "a_c",
    "JFK",
    "jfk",
    "Jfk ",
    "-5",
    "12",
)


@dataclass(frozen=True, slots=True)
class Table:
    """A table of several files.

    Attributes:
        columns: Its columns; fields of a struct have dotted names.
        files: The rows of each file, at least one.
    """

    columns: tuple[Column, ...]
    files: tuple[tuple[Row, ...], ...]

    @property
    def schema(self) -> Mapping[str, HiveType]:
        """The schema that the compiler gets, with structs as declared."""
        plain = {column.name: column.type for column in self.columns if "." not in column.name}
        if self.has_struct:
            plain["s"] = HiveType.parse(_STRUCT_TYPE)
        return plain

    @property
    def has_struct(self) -> bool:
        """Whether the table has the column `s`."""
        return any("." in column.name for column in self.columns)

    def with_files(self, files: Sequence[Sequence[Row]]) -> Table:
        """Returns the same table with other rows."""
        return replace(self, files=tuple(map(tuple, files)))


def random_table(
    rng: random.Random,
    files: int = 24,
    types: Sequence[str] = TYPES,
    pools: Pools | None = None,
) -> Table:
    """Draws a table of five to nine columns; one table in three also has a struct.

    Args:
        rng: Source of randomness.
        files: Number of files.
        types: Types of columns.
        pools: Draws the values of a column: `pool` if None, or `edges.edges`. With the latter, no struct.
    """
    count = rng.randint(5, 9)
    columns = [Column(f"c{number}", HiveType.parse(rng.choice(types))) for number in range(count)]
    # Columns of the same type are compared with each other.
    columns[1] = replace(columns[1], type=columns[0].type)
    if pools is None and rng.random() < 0.3:
        columns += [Column(name, HiveType.parse(text)) for name, text in _STRUCT.items()]
    values = {column.name: (pools or pool)(rng, column.type) for column in columns}
    stored = tuple(
        tuple(_rows(rng, {column.name: _narrow(rng, values[column.name]) for column in columns}))
        for _ in range(files)
    )
    return Table(tuple(columns), stored)


def pool(rng: random.Random, hive_type: HiveType) -> list[LiteralValue]:
    """Draws values of a type in ascending order: limits, values close to each other, and arbitrary ones."""
    make = _MAKERS[hive_type.name]
    return ascending([make(rng, hive_type) for _ in range(rng.randint(3, 12))])


def ascending(values: Iterable[LiteralValue]) -> list[LiteralValue]:
    """Sorts values of a type; NaN is the last one."""
    found = list(values)
    numbers = [value for value in found if not is_nan(value)]
    nans = [value for value in found if is_nan(value)]
    return [*sorted(numbers, key=_sort_key), *nans[:1]]


def _sort_key(value: LiteralValue) -> bytes | LiteralValue:
    return value.encode() if isinstance(value, str) else value


def _narrow(rng: random.Random, values: Sequence[LiteralValue]) -> list[Value]:
    """Draws one file's values of a column: neighbours, and occasionally NULL."""
    start = rng.randrange(len(values))
    width = rng.choice((1, 1, 2, 3, len(values)))
    chosen: list[Value] = list(values[start : start + width])
    match rng.randrange(8):
        case 0:
            chosen.append(None)
        case 1 if rng.random() < 0.4:
            chosen = [None]
    return chosen


def _rows(rng: random.Random, values: Mapping[str, Sequence[Value]]) -> list[Row]:
    return [
        {name: rng.choice(of_column) for name, of_column in values.items()}
        for _ in range(rng.choice((1, 1, 2, 3, 4)))
    ]


def _boolean(rng: random.Random, hive_type: HiveType) -> LiteralValue:
    return rng.random() < 0.5


def _integer(rng: random.Random, hive_type: HiveType) -> LiteralValue:
    half = 1 << ({"tinyint": 8, "smallint": 16, "int": 32, "bigint": 64}[hive_type.name] - 1)
    match rng.randrange(10):
        case 0:
            return rng.choice((-half, -half + 1, half - 1, half - 2))
        case 1:
            return rng.randint(-half, half - 1)
        case 2 if half > 1 << 31:
            return rng.choice((1, -1)) * ((1 << 53) + rng.randint(-2, 2))
        case 3 if half > 1 << 20:
            # Seconds since 1970, of an arbitrary day.
            return rng.randint(0, 2_000_000_000)
    return rng.randint(-12, 12)


def _float(rng: random.Random, hive_type: HiveType) -> LiteralValue:
    match rng.randrange(10):
        case 0:
            return rng.choice((math.nan, math.inf, -math.inf, -0.0, 0.0))
        case 1 if hive_type.name == "double":
            return rng.choice(
                (5e-324, -5e-324, 1.7976931348623157e308, -1.7976931348623157e308, 0.1, 2.0**53)
            )
        case 1:
            return rng.choice((1.401298464324817e-45, 3.4028234663852886e38, -3.4028234663852886e38, 2.0**24))
        case 2:
            return _single(rng.uniform(-1e6, 1e6)) if hive_type.name == "float" else rng.uniform(-1e6, 1e6)
    return rng.randint(-40, 40) / 8


def _single(value: float) -> float:
    (single,) = struct.unpack(">f", struct.pack(">f", value))
    return float(single)


def _decimal(rng: random.Random, hive_type: HiveType) -> LiteralValue:
    precision, scale = hive_type.precision or 0, hive_type.scale or 0
    most = int(10**precision) - 1
    match rng.randrange(8):
        case 0:
            unscaled = rng.choice((most, -most))
        case 1:
            unscaled = rng.randint(-most, most)
        case 2:
            unscaled = rng.randint(-99, 99)
        case _:
            unscaled = min(rng.randint(-8, 8) * 10**scale // rng.choice((1, 2, 4)), most)
    # From digits, because arithmetic would round to the precision of Python's decimal context.
    return Decimal((int(unscaled < 0), tuple(map(int, str(abs(unscaled)))), -scale))


def _string(rng: random.Random, hive_type: HiveType) -> LiteralValue:
    match rng.randrange(8):
        case 0 | 1:
            text = "".join(rng.choice(_ALPHABET) for _ in range(rng.randint(1, 5)))
        case 2:
            # About as long as bounds are before they are truncated.
            text = rng.choice("ab") * rng.randint(62, 65) + rng.choice(("", "\u00e9", "z", "\U0001f600"))
        case 3:
            text = "".join(rng.choice(string.ascii_letters) for _ in range(rng.randint(1, 4)))
        case 4:
            text = date.fromordinal(_day(rng) + _EPOCH).isoformat()
        case _:
            text = rng.choice(_WORDS)
    if hive_type.name == "char":
        # Strings that Spark can be asked about: see `grammar.LEFT_OUT`.
        return text[: hive_type.length].rstrip(" ")
    return text[: hive_type.length]


def _day(rng: random.Random) -> int:
    match rng.randrange(8):
        case 0:
            return rng.choice((_FIRST_DAY, LAST_DAY, 0, -1))
        case 1:
            return rng.randint(_FIRST_DAY, LAST_DAY)
        case 2 | 3:
            # Around the ends of years and of February.
            year = rng.choice((1600, 1900, 1999, 2000, 2020, 2021, 2024))
            start = date(year, rng.choice((1, 3)), 1).toordinal() - _EPOCH
            return start + rng.randint(-2, 2)
    return date(2021, 1, 1).toordinal() - _EPOCH + rng.randint(-400, 400)


def _timestamp(rng: random.Random) -> int:
    micros = rng.choice((0, 0, 1, DAY_MICROS - 1, DAY_MICROS // 2, rng.randrange(DAY_MICROS)))
    # Away from the ends of the calendar, where a zone could move the year out of 1 to 9999.
    day = min(_day(rng), LAST_DAY - 2)
    return day * DAY_MICROS + micros


_MAKERS: Final[Mapping[str, Callable[[random.Random, HiveType], LiteralValue]]] = {
    "boolean": _boolean,
    **dict.fromkeys(("tinyint", "smallint", "int", "bigint"), _integer),
    **dict.fromkeys(("float", "double"), _float),
    "decimal": _decimal,
    **dict.fromkeys(("string", "varchar", "char"), _string),
    "date": lambda rng, _: _day(rng),
    "timestamp": lambda rng, _: _timestamp(rng),
}


def pool_within(rng: random.Random, hive_type: HiveType, stored: Sequence[Value], count: int) -> list[Value]:
    """Draws values between the smallest and the largest of some, and those; also NULL if it is among them."""
    ordinals = ordinals_of(hive_type)
    found: list[Value] = list(dict.fromkeys(stored))
    numbers = sorted(
        ordinal_of(hive_type, value)
        for value in stored
        if ordinals is not None and not isinstance(value, str | None) and not is_nan(value)
    )
    if ordinals is not None and numbers:
        width = numbers[-1] - numbers[0]
        steps = range(count) if width < count else (rng.randrange(width) for _ in range(count))
        found += [ordinals.decode(numbers[0] + step) for step in steps if step <= width]
    return [found[number % len(found)] for number in range(count)]


def is_nan(value: Value) -> bool:
    """Returns whether a value is NaN."""
    return isinstance(value, float) and math.isnan(value)
