"""Decides by brute force what statistics allow: can any row within them pass a filter?

Covers comparisons of columns with constants, NULL tests, AND, OR and NOT. A row's truth value changes only
at the constants, so it suffices to try these, the bounds, and the values next to them.
"""

import math
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import product
from typing import Final

from pycompiler.compile.expression.evaluator import FileStatistics
from pycompiler.compile.expression.statistics import ColumnStatistics
from pycompiler.compile.predicate.model import Between, Column, Compare, In, Literal, LiteralValue, Predicate
from pycompiler.compile.predicate.walk import operands_of, walk
from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.ordinals import ordinals_of
from pycompiler.compile.values.types import HiveType, ValueKind
from tests.drawing.tables import Value
from tests.unit.compile.compiler.hive_rows import Mode, truth

_COMPLETIONS: Final = (b"", b"\x00", b"\x80", b"\x80\x80", b"\x90\x80\x80", b"\xa0\x80")
"""Some of the bytes that may follow a bound that was cut within a character."""
_MODES: Final = tuple(
    Mode(nan, bits, utf16, False, 0, null_is_zero)
    for nan in (False, True)
    for bits in (False, True)
    for utf16 in (False, True)
    for null_is_zero in (False, True)
)


def has_passing_row(predicate: Predicate, known: FileStatistics) -> bool:
    """Returns whether a row within a file's statistics makes the predicate TRUE in one of Hive's modes."""
    columns = {operand.name: operand for operand in walk(predicate) if isinstance(operand, Column)}
    choices = [list(_values(column, predicate, known.get(column.name))) for column in columns.values()]
    return any(
        truth(predicate, dict(zip(columns, row, strict=True)), mode) is True
        for row in product(*choices)
        for mode in _MODES
    )


def _values(column: Column, predicate: Predicate, known: ColumnStatistics | None) -> Iterator[Value]:
    """Yields the values within a column's statistics at which the predicate's truth value may change."""
    known = known or ColumnStatistics(column.type)
    if known.null_count != 0:
        yield None
    if known.all_null:
        return
    if column.type.kind is ValueKind.FLOAT and known.nan_count != 0:
        yield math.nan
    bounds = [bound for bound in (known.lower, known.upper) if bound is not None]
    places = sorted({*bounds, *(encode_value(column.type, value) for value in _constants(column, predicate))})
    for value in _near(column.type, places):
        encoded = encode_value(column.type, value)
        is_above = known.lower is None or known.lower <= encoded
        if is_above and (known.upper is None or encoded <= known.upper) and value == value:
            yield value
            if value == 0.0 and isinstance(value, float):
                yield -0.0


def _constants(column: Column, predicate: Predicate) -> Iterator[LiteralValue]:
    for test in walk(predicate):
        if isinstance(test, Compare | In | Between) and column in operands_of(test):
            for constant in operands_of(test):
                if isinstance(constant, Literal) and constant.value is not None:
                    yield constant.value
                elif column.type.kind is ValueKind.DECIMAL:
                    yield Decimal(0)  # In vectors, a NULL can become 0.


def _near(hive_type: HiveType, places: Sequence[bytes]) -> Iterator[LiteralValue]:
    """Yields those places that are values of the type, and the values next to them."""
    ordinals = ordinals_of(hive_type)
    if ordinals is None:
        # The next string after a string appends the character with code 0.
        for text in (b"", *(place + more for place in places for more in _COMPLETIONS)):
            if text.decode(errors="ignore").encode() == text:
                yield text.decode()
        return
    numbers = {ordinals.position(place) + step for place in places for step in (-1, 0, 1)} or {ordinals.first}
    for number in sorted(numbers):
        if ordinals.first <= number <= ordinals.last:
            yield ordinals.decode(number)
