"""A file with a matching row is never skipped. `tests/properties` has the relations between filters."""

from typing import Final

import pytest

from pycompiler.compile.compiler.compile import compile_predicate
from pycompiler.compile.expression.evaluator import evaluate
from pycompiler.compile.predicate import build
from pycompiler.compile.predicate.model import Not
from pycompiler.compile.predicate.text import describe_filter
from tests.drawing.collected import exact, varied

from .hive_cases import HiveCases, kept

_PREDICATES: Final = 20

every_table = pytest.mark.parametrize("seed", range(20))


@every_table
def test_a_file_with_a_matching_row_is_kept_whatever_is_known_of_it(seed: int) -> None:
    cases = HiveCases.of(seed, _PREDICATES)
    known = varied(cases.rng, cases.table)
    for predicate, mode in cases.predicates:
        found = cases.found(predicate, mode)
        assert all(map(bool.__ge__, kept(predicate, known), found)), (describe_filter(predicate), mode)


@every_table
def test_every_row_matches_in_a_file_that_the_opposite_of_a_filter_skips(seed: int) -> None:
    cases = HiveCases.of(seed, _PREDICATES)
    known = varied(cases.rng, cases.table)
    for predicate, mode in cases.predicates:
        opposite = build.is_not_true(predicate)
        matches = cases.found(predicate, mode, all_rows=True)
        of_opposite = kept(opposite, known)
        assert all(map(bool.__or__, of_opposite, matches)), (describe_filter(predicate), mode)


@pytest.mark.parametrize("seed", range(3))
def test_a_double_negation_changes_nothing(seed: int) -> None:
    for predicate, _ in HiveCases.of(seed, _PREDICATES).predicates:
        assert compile_predicate(Not(Not(predicate))) == compile_predicate(predicate)


@pytest.mark.parametrize("seed", range(3))
def test_two_readings_of_a_filter_keep_what_each_of_them_keeps(seed: int) -> None:
    cases = HiveCases.of(seed, _PREDICATES)
    known = exact(cases.table)
    predicates = [predicate for predicate, _ in cases.predicates]
    for first, second in zip(predicates, predicates[1:], strict=False):
        together = compile_predicate(first, also=[second]).expression
        either = evaluate(together, known)
        both = map(bool.__and__, kept(first, known), kept(second, known))
        assert all(map(bool.__le__, either, both))
        assert compile_predicate(first, also=[first]).expression == compile_predicate(first).expression
