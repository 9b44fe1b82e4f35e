"""Relations between predicates that hold for any rows, so that no engine is needed."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, TypeVar

import pytest

from pycompiler.compile.compiler.compile import compile_predicate
from pycompiler.compile.expression.evaluator import FileStatistics, evaluate
from pycompiler.compile.predicate.model import (
    And,
    Between,
    Compare,
    Comparison,
    In,
    IsNull,
    Literal,
    Not,
    Or,
    Predicate,
    type_of,
)
from pycompiler.compile.predicate.walk import operands_of, walk
from pycompiler.compile.values.types import ValueKind
from tests.drawing.collected import varied, without
from tests.drawing.grammar import Grammar
from tests.drawing.reading import read
from tests.drawing.tables import random_table

_TABLES: Final = range(9_000, 9_012)
_PREDICATES: Final = 120
_DROPS: Final = 3
_SMALL: Final = 12

Test = TypeVar("Test", Compare, In, Between)


@dataclass(frozen=True, slots=True)
class Drawn:
    """Predicates over one table, and statistics of its files."""

    statistics: Sequence[FileStatistics]
    predicates: Sequence[Predicate]

    def kept(self, predicate: Predicate) -> list[bool]:
        """Returns which files a predicate keeps."""
        return evaluate(compile_predicate(predicate).expression, self.statistics)


@cache
def _drawn(seed: int) -> Drawn:
    rng = random.Random(seed)
    table = random_table(rng)
    grammar = Grammar(rng, table)
    predicates = [read(grammar.condition().text, table) for _ in range(_PREDICATES)]
    return Drawn(varied(rng, table), predicates)


every_table = pytest.mark.parametrize("seed", _TABLES)


@pytest.mark.selected(3)
@every_table
def test_a_predicate_its_opposite_and_its_null_cover_every_file(seed: int) -> None:
    drawn = _drawn(seed)
    for predicate in drawn.predicates:
        parts = [drawn.kept(part) for part in (predicate, Not(predicate), IsNull(predicate))]
        assert all(map(any, zip(*parts, strict=True))), predicate


@pytest.mark.selected(3)
@every_table
def test_a_statistic_less_never_skips_more(seed: int) -> None:
    drawn, rng = _drawn(seed), random.Random(seed)
    for predicate in drawn.predicates:
        expression = compile_predicate(predicate).expression
        kept = evaluate(expression, drawn.statistics)
        for _ in range(_DROPS):
            less = [without(rng, known) if known else known for known in drawn.statistics]
            still_kept = evaluate(expression, less)
            assert all(b >= a for a, b in zip(kept, still_kept, strict=True)), predicate


Rewrite = Callable[[Predicate, Predicate], tuple[Predicate, Predicate]]

_REWRITES: Final[dict[str, Rewrite]] = {
    "NOT NOT a = a": lambda a, b: (Not(Not(a)), a),
    "NOT (a AND b) = NOT a OR NOT b": lambda a, b: (Not(And((a, b))), Or((Not(a), Not(b)))),
    "NOT (a OR b) = NOT a AND NOT b": lambda a, b: (Not(Or((a, b))), And((Not(a), Not(b)))),
    "a AND b = b AND a": lambda a, b: (And((a, b)), And((b, a))),
    "a OR b = b OR a": lambda a, b: (Or((a, b)), Or((b, a))),
    "a AND a = a": lambda a, b: (And((a, a)), a),
    "a OR a = a": lambda a, b: (Or((a, a)), a),
    "a AND (b AND a) = (a AND b) AND a": lambda a, b: (And((a, And((b, a)))), And((And((a, b)), a))),
}


@pytest.mark.selected(16)
@every_table
@pytest.mark.parametrize("name", _REWRITES)
def test_equal_predicates_keep_the_same_files(seed: int, name: str) -> None:
    drawn = _drawn(seed)
    # In larger predicates, the number of choices decides whether an AND of ORs is multiplied out.
    small = [predicate for predicate in drawn.predicates if len(list(walk(predicate))) <= _SMALL]
    for first, second in zip(small, small[1:], strict=False):
        left, right = _REWRITES[name](first, second)
        assert drawn.kept(left) == drawn.kept(right), (first, second)


@pytest.mark.selected(3)
@every_table
def test_a_comparison_and_its_mirror_keep_the_same_files(seed: int) -> None:
    drawn = _drawn(seed)
    for test in _tests(drawn, Compare):
        mirrored = Compare(test.operator.mirrored, test.right, test.left)
        assert drawn.kept(test) == drawn.kept(mirrored), test
        assert drawn.kept(Not(test)) == drawn.kept(Not(mirrored)), test


@pytest.mark.selected(3)
@every_table
def test_in_is_an_or_of_equalities(seed: int) -> None:
    drawn = _drawn(seed)
    for test in _tests(drawn, In):
        if not _is_of_one_type(test) or _has_zero(test):
            # Hive converts constants of other types one by one for =, and its = and IN disagree on -0.0.
            continue
        equal = Or(tuple(Compare(Comparison.EQ, test.value, member) for member in test.members))
        assert drawn.kept(test) == drawn.kept(equal), test


@pytest.mark.selected(3)
@every_table
def test_between_is_two_comparisons(seed: int) -> None:
    drawn = _drawn(seed)
    for test in _tests(drawn, Between):
        if not _is_of_one_type(test):
            # Hive converts the two constants together, or to the column's type.
            continue
        both = And(
            (
                Compare(Comparison.GTEQ, test.value, test.low),
                Compare(Comparison.LTEQ, test.value, test.high),
            )
        )
        assert drawn.kept(test) == drawn.kept(both), test
        assert drawn.kept(Not(test)) == drawn.kept(Not(both)), test


def _tests(drawn: Drawn, of_class: type[Test]) -> Iterator[Test]:
    found = [part for predicate in drawn.predicates for part in walk(predicate) if isinstance(part, of_class)]
    assert found, f"there is a {of_class.__name__} among the predicates"
    return iter(found)


def _is_of_one_type(test: In | Between) -> bool:
    """Returns whether all constants are present and have the type of the tested value."""
    value, *constants = operands_of(test)
    return all(
        isinstance(constant, Literal) and constant.value is not None and constant.type == type_of(value)
        for constant in constants
    )


def _has_zero(test: In) -> bool:
    return any(
        isinstance(member, Literal) and member.type.kind is ValueKind.FLOAT and member.value == 0.0
        for member in test.members
    )
