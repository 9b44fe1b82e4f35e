"""Exact numbers in Hive's types: the smallest decimal type that holds one, and the nearest float."""

from decimal import Context, Decimal

import pyarrow as pa

from pycompiler.compile.values.types import HiveType, decimal_of


def decimal_type(number: Decimal) -> HiveType | None:
    """The smallest decimal type that holds a number, as Hive types a constant; None beyond 38 digits."""
    # HiveDecimal drops trailing zeros of the fraction.
    plain = number.normalize(Context(prec=len(number.as_tuple().digits)))
    exponent = int(plain.as_tuple().exponent)
    scale = max(-exponent, 0)
    return decimal_of(max(len(plain.as_tuple().digits) + max(exponent, 0), scale), scale)


def nearest_float(number: Decimal) -> float:
    """The 32-bit float nearest to a number, ties to even, as Java parses it."""
    # Arrow rounds once; `numpy.float32` rounds to double first, which may land on a tie.
    nearest: float = pa.scalar(str(number)).cast(pa.float32()).as_py()
    return nearest
