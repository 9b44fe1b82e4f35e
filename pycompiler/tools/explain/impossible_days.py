"""Constants such as `'2025-13-45'` that stand for a day that no calendar has.

Source: Hive 4.0.1, `GenericUDFToDate`, `GenericUDFTimestamp` and `SemanticAnalyzer`
(tests/e2e/values/test_impossible_days.py).
"""

import re
from calendar import monthrange
from collections.abc import Iterator
from typing import Final

from pycompiler.compile.predicate.model import Call, Literal, Operand, Predicate, type_of
from pycompiler.compile.predicate.walk import operands_of, walk
from pycompiler.compile.values.types import MOMENTS

# A time behind the day does not matter: Hive reads the day alone if the time is none, as in `25:00:00`.
_DAY: Final = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?: .*)?", re.ASCII)


def impossible_days(predicate: Predicate) -> tuple[str, ...]:
    """The strings that the filter compares with, or casts to, a date or timestamp, and that name no day.

    Hive reads each as NULL: a comparison with it is neither TRUE nor FALSE.
    """
    found = (text for operand in walk(predicate) for text in _read_as_moments(operand))
    return tuple(dict.fromkeys(text for text in found if _is_impossible(text)))


def _read_as_moments(operand: Operand) -> Iterator[str]:
    """The strings among the operands of a test or cast that Hive reads as dates or timestamps."""
    operands = operands_of(operand)
    types = [operand.type] if isinstance(operand, Call) and operand.name == "cast" else map(type_of, operands)
    if any(of_one is not None and of_one.kind in MOMENTS for of_one in types):
        for each in operands:
            if isinstance(each, Literal) and isinstance(each.value, str):
                yield each.value


def _is_impossible(text: str) -> bool:
    parts = _DAY.fullmatch(text)
    if parts is None:
        return False
    year, month, day = map(int, parts.groups())
    # Hive's calendar begins before the year 1, with which Python's begins.
    return year > 0 and not (1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1])
