"""Values at which rules break: ends of types, NaN, two zeros, blanks, and characters of two orders."""

import math
import random
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Final

from pycompiler.compile.predicate.model import LiteralValue
from pycompiler.compile.values.types import HiveType

from .tables import ascending

_HOUR: Final = 3600 * 1_000_000
_LONG: Final = "a" * 63
_STRINGS: Final = ("", " ", "a", "a ", "ab", "b", "\ud7ff", "\ue000", "\uffff", "\U00010000", "\U0001f600")

EDGES: Final[Mapping[str, Sequence[LiteralValue]]] = {
    "boolean": (False, True),
    "tinyint": (-128, -1, 0, 1, 2, 127),
    "smallint": (-(2**15), -1, 0, 1, 2, 2**15 - 1),
    "int": (-(2**31), -1, 0, 1, 2, 3, 9, 10, 255, 256, 2**31 - 1),
    "bigint": (-(2**63), -1, 0, 1, 2**53, 2**53 + 1, 2**63 - 1),
    "float": (math.nan, -math.inf, -1.5, -0.0, 0.0, 1.5, 3.4028234663852886e38, math.inf),
    "double": (math.nan, -math.inf, -1.0, -5e-324, -0.0, 0.0, 5e-324, 0.1, 1.0, 1e300, math.inf),
    "decimal(10,2)": tuple(
        Decimal(text) for text in ("-1.50", "-0.12", "-0.1", "0", "0.05", "1.5", "1.50", "12.34")
    ),
    "string": (
        *(*_STRINGS, "\0", "\0\x01", "a\0", "a\0b", "abc", "ac", "10", "9"),
        *(_LONG + "é" + "b", _LONG + "é", _LONG + "z" + "z", "a" * 64),
    ),
    "varchar(2)": (*_STRINGS, "abc", "abd", "ac", "a\ue000b", "ab\U0001f600", "\ud7ff\ud7ffa"),
    "char(2)": (*_STRINGS, "a  b", "ab ", "abc", "a\tb", "a\t", "  ", "a\ue000"),
    "date": (-141_428, -1, 0, 1, 15_705, 15_706, 15_890, 16_070, 16_071, 18_000, 2_932_896),
    "timestamp": (-1, 0, 12 * _HOUR, 24 * _HOUR, 26 * _HOUR + 1, 36 * _HOUR, 60 * _HOUR, 90 * _HOUR),
}
"""By type. Hive may show varchar and char values otherwise than they are here, as they are stored."""


def edges(rng: random.Random, hive_type: HiveType) -> list[LiteralValue]:
    """Draws some of a type's edges in ascending order, instead of `tables.pool`."""
    values = EDGES[str(hive_type)]
    return ascending(rng.sample(values, rng.randint(2, len(values))))


def are_in_one_order(text: str) -> bool:
    """Whether Hive orders a string in one way; with characters above U+D7FF, it has two."""
    return max(text, default="") <= "\ud7ff"
