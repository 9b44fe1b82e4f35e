"""Hive's column types, as far as file skipping needs them (docs/inside/formats.md, section 1)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from typing import Final


class ValueKind(Enum):
    """How a type's values are encoded; types of one kind share an encoding."""

    BOOLEAN = "boolean"
    INTEGER = "integer"
    FLOAT = "float"
    DECIMAL = "decimal"
    STRING = "string"
    DATE = "date"
    TIMESTAMP = "timestamp"


EXACT_NUMBERS: Final = frozenset({ValueKind.INTEGER, ValueKind.DECIMAL})
NUMBERS: Final = EXACT_NUMBERS | {ValueKind.FLOAT}
MOMENTS: Final = frozenset({ValueKind.DATE, ValueKind.TIMESTAMP})

INTEGER_BITS: Final = {"tinyint": 8, "smallint": 16, "int": 32, "bigint": 64}
"""Widths of the integer types, from the narrowest to the widest."""
INTEGER_DIGITS: Final = {"tinyint": 3, "smallint": 5, "int": 10, "bigint": 19}
"""Digits of the decimal that Hive uses for an integer type."""


class UnknownTypeError(ValueError):
    """The text is not the name of a Hive type."""


_KINDS: Final = {
    "boolean": ValueKind.BOOLEAN,
    "tinyint": ValueKind.INTEGER,
    "smallint": ValueKind.INTEGER,
    "int": ValueKind.INTEGER,
    "bigint": ValueKind.INTEGER,
    "float": ValueKind.FLOAT,
    "double": ValueKind.FLOAT,
    "decimal": ValueKind.DECIMAL,
    "string": ValueKind.STRING,
    "varchar": ValueKind.STRING,
    "char": ValueKind.STRING,
    "date": ValueKind.DATE,
    "timestamp": ValueKind.TIMESTAMP,
    "timestamp_millis": ValueKind.TIMESTAMP,
    "timestamp_from_micros": ValueKind.TIMESTAMP,
    "timestamp_from_millis": ValueKind.TIMESTAMP,
}
_LOCAL_TIMESTAMP: Final = "timestamp with local time zone"
_NOT_ENCODED: Final = frozenset(
    {"binary", "void", "interval_year_month", "interval_day_time", _LOCAL_TIMESTAMP}
)
_NESTED: Final = re.compile(r"(array|map|struct|uniontype)<.+>", re.DOTALL)
_PARAMETERS: Final = re.compile(r"(decimal|varchar|char)\s*\(\s*(\d{1,5})\s*(?:,\s*(\d{1,2})\s*)?\)")
_ZONE_SUFFIX: Final = re.compile(r"\s*\('[^']*'\)$")
_MAX_LENGTH: Final = {"varchar": 65535, "char": 255}
MAX_DECIMAL_PRECISION: Final = 38
"""Digits of Hive's widest decimal."""


@dataclass(frozen=True, slots=True)
class HiveType:
    """A Hive type, made by `HiveType.parse`; `str()` returns its canonical name.

    Attributes:
        name: Lower-case base name (`decimal`, `varchar`), or the whole text of a nested type.
        precision: Digits of a decimal, 1 to 38; None for other types.
        scale: Fractional digits of a decimal, 0 to precision; None for other types.
        length: Characters of a varchar or char; None for other types.
        kind: How values are encoded; None if the type has no encoding, so that only null counts are usable.
    """

    name: str
    precision: int | None = None
    scale: int | None = None
    length: int | None = None
    kind: ValueKind | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # Computed once, because it is looked up for every value of a list.
        object.__setattr__(self, "kind", _KINDS.get(self.name))

    @staticmethod
    def parse(text: str) -> HiveType:
        """Reads a Hive type name such as `decimal(10,2)`.

        Case and blanks are ignored; a bare `decimal` is `decimal(10,0)`.

        Raises:
            UnknownTypeError: The text is no Hive type, or Hive rejects its parameters.
        """
        return _parse(text)

    def __str__(self) -> str:
        if self.precision is not None:
            return f"{self.name}({self.precision},{self.scale})"
        if self.length is not None:
            return f"{self.name}({self.length})"
        return self.name


TIMESTAMP: Final = HiveType("timestamp")
"""In index records, a column that the table does not count in milliseconds; the file may."""
RECORDED_MILLIS: Final = HiveType("timestamp_millis")
"""Only of index records: the type of a column that the table counts in milliseconds."""
FROM_MICROS: Final = HiveType("timestamp_from_micros")
"""Only of index records: a `timestamp` whose file counts in microseconds."""
FROM_MILLIS: Final = HiveType("timestamp_from_millis")
"""Only of index records: a `timestamp` whose file counts in milliseconds."""
BIGINT: Final = HiveType("bigint")


def read_by_default(recorded: HiveType) -> HiveType:
    """The type as which Hive reads a column with records of a type, unless its table declares another."""
    return TIMESTAMP if recorded.kind is ValueKind.TIMESTAMP else recorded


@lru_cache(maxsize=1024)
def _parse(text: str) -> HiveType:
    name = " ".join(text.lower().split())
    if name == "decimal":
        return HiveType("decimal", precision=10, scale=0)
    parameters = _PARAMETERS.fullmatch(name)
    if parameters is not None:
        return _with_parameters(text, *parameters.groups())
    if name in _KINDS and name not in _MAX_LENGTH:
        return HiveType(name)
    plain = _ZONE_SUFFIX.sub("", name) if name.startswith(_LOCAL_TIMESTAMP) else name
    if plain in _NOT_ENCODED:
        return HiveType(plain)
    if _NESTED.fullmatch(name):
        return HiveType(re.sub(r"\s*([<>,:()])\s*", r"\1", name))
    raise UnknownTypeError(f"not a Hive type: {text!r}")


def _with_parameters(text: str, name: str, first: str, second: str | None) -> HiveType:
    if name == "decimal":
        precision, scale = int(first), int(second or 0)
        if 1 <= precision <= MAX_DECIMAL_PRECISION and scale <= precision:
            return HiveType(name, precision=precision, scale=scale)
    elif second is None and 1 <= int(first) <= _MAX_LENGTH[name]:
        return HiveType(name, length=int(first))
    raise UnknownTypeError(f"parameters out of range: {text!r}")


def decimal_of(precision: int, scale: int) -> HiveType | None:
    """A decimal type; None if Hive would have to cut digits."""
    fits = 1 <= precision <= MAX_DECIMAL_PRECISION and scale <= precision
    return HiveType("decimal", precision=precision, scale=scale) if fits else None


def decimal_digits(hive_type: HiveType) -> tuple[int, int]:
    """Precision and scale of a decimal, or of the one that Hive uses for an integer type."""
    if hive_type.kind is ValueKind.INTEGER:
        return INTEGER_DIGITS[hive_type.name], 0
    return hive_type.precision or 0, hive_type.scale or 0


def common_decimal(types: Iterable[HiveType]) -> HiveType | None:
    """The decimal that holds all values of some decimal and integer types; None beyond 38 digits."""
    digits = [decimal_digits(hive_type) for hive_type in types]
    scale = max(scale for _, scale in digits)
    return decimal_of(max(precision - scale for precision, scale in digits) + scale, scale)


def keeps_values(source: HiveType, target: HiveType) -> bool:
    """Whether a conversion changes no value and both types share an encoding."""
    if _is_as_wide(target, source) or (source.name, target.name) == ("float", "double"):
        return True
    # A varchar or char converts to its string value; a char loses its padding.
    return source.name in ("varchar", "char") and target.name == "string"


def reads_without_loss(stored: HiveType, declared: HiveType) -> bool:
    """Whether bounds of values stored as one type also bound the values read as another.

    True for the same type or a wider one of its family. A bigint read as an int wraps around, so its bounds
    say nothing about the values read. A float read as a double goes through its text, which gives another
    value. `varchar` and `char` may be read from strings; the compiler allows for the truncation. A timestamp
    declared as bigint is the file's number, which the encoding has if that is known to count microseconds.
    """
    return _is_as_wide(declared, stored) or (stored.name, declared.name) in _READ_AS


_READ_AS: Final = frozenset(
    {
        ("string", "varchar"),
        ("string", "char"),
        ("timestamp_from_micros", "timestamp"),
        ("timestamp_from_millis", "timestamp"),
        ("timestamp_from_micros", "bigint"),
    }
)


def _is_as_wide(wide: HiveType, narrow: HiveType) -> bool:
    """Whether `wide` equals `narrow`, or is an integer or decimal type that holds all of its values."""
    if wide == narrow:
        return True
    if wide.precision is not None and narrow.precision is not None:
        scale, narrow_scale = wide.scale or 0, narrow.scale or 0
        return narrow_scale <= scale and narrow.precision - narrow_scale <= wide.precision - scale
    if wide.kind is narrow.kind is ValueKind.INTEGER:
        return INTEGER_BITS[narrow.name] <= INTEGER_BITS[wide.name]
    return False
