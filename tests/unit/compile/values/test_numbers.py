import math
import struct
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pycompiler.compile.values.numbers import decimal_type, nearest_float
from pycompiler.compile.values.types import HiveType

PROPERTY = settings(max_examples=300)
floats = st.floats(width=32, allow_nan=False, allow_infinity=False, allow_subnormal=True)


@pytest.mark.parametrize(
    ("number", "hive_type"),
    [
        ("0", "decimal(1,0)"),
        ("0.00", "decimal(1,0)"),
        ("1.50", "decimal(2,1)"),
        ("0.05", "decimal(2,2)"),
        ("-100", "decimal(3,0)"),
        ("100.0", "decimal(3,0)"),
        ("1E+3", "decimal(4,0)"),
        ("9" * 38, "decimal(38,0)"),
        ("9" * 39, None),
    ],
)
def test_a_decimal_constant_has_the_smallest_type(number: str, hive_type: str | None) -> None:
    expected = None if hive_type is None else HiveType.parse(hive_type)
    assert decimal_type(Decimal(number)) == expected


@PROPERTY
@given(floats)
def test_a_float_is_nearest_to_itself(value: float) -> None:
    assert nearest_float(Decimal(value)) == value


@PROPERTY
@given(floats.filter(lambda value: abs(value) < 1e38), st.fractions(min_value=0, max_value=1))
def test_no_float_is_nearer(value: float, share: Fraction) -> None:
    bits = struct.unpack(">i", struct.pack(">f", abs(value)))[0]
    above = struct.unpack(">f", struct.pack(">i", bits + 1))[0]
    low, high = Fraction(abs(value)), Fraction(above)
    # Dyadic shares keep the number between them exact.
    exact = low + (high - low) * Fraction(round(share * 64), 64)
    number = Decimal(exact.numerator) / Decimal(exact.denominator)
    if Fraction(number) == exact:
        found = Fraction(nearest_float(number))
        assert found in (low, high)
        assert abs(found - exact) == min(exact - low, high - exact)


@pytest.mark.parametrize(
    ("number", "value"),
    [
        ("0.1", 0.10000000149011612),
        ("16777217", 16777216.0),
        # Halfway to the next float but for a digit that a double does not hold.
        ("1.00000005960464477540", 1.0000001192092896),
        ("-1.00000005960464477540", -1.0000001192092896),
        ("1.00000005960464477539", 1.0),
        # The last number below half a step above the greatest float, and that half.
        ("340282356779733661637539395458142568447", 3.4028234663852886e38),
        ("340282356779733661637539395458142568448", math.inf),
        ("1e39", math.inf),
        ("-1e39", -math.inf),
        ("1e-50", 0.0),
    ],
)
def test_numbers_become_the_floats_of_java(number: str, value: float) -> None:
    assert nearest_float(Decimal(number)) == value
