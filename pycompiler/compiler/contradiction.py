"""Conjunctions of column tests that no row can pass."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from pycompiler.expression.model import Leaf, Operator
from pycompiler.types import HiveType, ValueKind

_FLOORS = frozenset({Operator.GT, Operator.GTEQ})
_CEILINGS = frozenset({Operator.LT, Operator.LTEQ})
_WANTED = frozenset({Operator.EQ, Operator.IN})
_UNWANTED = frozenset({Operator.NE, Operator.NOT_IN})


def is_contradiction(leaves: Iterable[Leaf]) -> bool:
    """Tells whether no row can make all the leaves TRUE. A False means only that no contradiction was found.

    Each leaf is a necessary condition on the value that one row stores in the column, so leaves on one column
    can be held against each other, also after the compiler has widened them.
    """
    by_column: defaultdict[tuple[str, HiveType], list[Leaf]] = defaultdict(list)
    for leaf in leaves:
        by_column[leaf.column, leaf.type].append(leaf)
    return any(
        _is_contradiction(hive_type, tests) for (_, hive_type), tests in by_column.items() if len(tests) > 1
    )


def _is_contradiction(hive_type: HiveType, tests: list[Leaf]) -> bool:
    if any(test.operator is Operator.IS_NULL for test in tests):
        # Every other test is not TRUE for NULL.
        return any(test.operator is not Operator.IS_NULL for test in tests)
    if hive_type.kind is ValueKind.FLOAT:
        # Hive orders NaN in two ways, so that it can be on both sides of a number.
        return False
    wanted = [set(test.values) for test in tests if test.operator in _WANTED]
    if wanted:
        others = [test for test in tests if test.operator not in _WANTED]
        return not any(all(_allows(test, value) for test in others) for value in set.intersection(*wanted))
    floors = [(test.values[0], test.operator is Operator.GT) for test in tests if test.operator in _FLOORS]
    ceilings = [
        (test.values[0], test.operator is Operator.LTEQ) for test in tests if test.operator in _CEILINGS
    ]
    if not floors or not ceilings:
        return False
    (floor, above), (ceiling, included) = max(floors), min(ceilings)
    return floor > ceiling or (floor == ceiling and (above or not included))


def _allows(test: Leaf, value: bytes) -> bool:
    match test.operator:
        case Operator.LT:
            return value < test.values[0]
        case Operator.LTEQ:
            return value <= test.values[0]
        case Operator.GT:
            return value > test.values[0]
        case Operator.GTEQ:
            return value >= test.values[0]
        case operator if operator in _UNWANTED:
            return value not in test.values
    return True
