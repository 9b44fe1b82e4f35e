"""Exact numbers in Hive's types: the smallest decimal type that holds one, and the nearest float."""

from decimal import Decimal

import pyarrow as pa

from pycompiler.values.types import HiveType, decimal_of


def decimal_type(number: Decimal) -> HiveType | None:
    """The smallest decimal type that holds a number, as Hive types a constant; None beyond 38 digits."""
    digits, scale = number.as_tuple().digits, -int(number.as_tuple().exponent)
    while scale > 0 and digits[-1:] in ((0,), ()):
        # HiveDecimal drops trailing zeros of the fraction.
        digits, scale = digits[:-1], scale - 1
    if scale < 0:
        digits, scale = (*digits, *(0,) * -scale), 0
    significant = len(digits) - next((place for place, digit in enumerate(digits) if digit), len(digits))
    return decimal_of(max(significant, scale, 1), scale)


def nearest_float(number: Decimal) -> float:
    """The 32-bit float nearest to a number, ties to even, as Java parses it."""
    # Arrow rounds once; `numpy.float32` rounds to double first, which may land on a tie.
    nearest: float = pa.scalar(str(number)).cast(pa.float32()).as_py()
    return nearest
