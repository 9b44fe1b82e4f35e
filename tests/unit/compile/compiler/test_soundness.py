"""A file with a matching row is never skipped. `tests/properties` has the relations between filters."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from pycompiler.compile.compiler.compile import compile_predicate
from pycompiler.compile.expression.evaluator import FileStatistics, evaluate
from pycompiler.compile.expression.render import to_text
from pycompiler.compile.predicate import build
from pycompiler.compile.predicate.model import Column, Not, Predicate

from .hive_rows import Mode, truth
from .strategies import PROPERTY, THOROUGH, columns, degraded, files, modes, predicates, statistics


def keeps(predicate: Predicate, known: FileStatistics) -> bool:
    return evaluate(compile_predicate(predicate).expression, [known])[0]


@THOROUGH
@given(st.data(), columns, modes)
def test_a_file_with_a_matching_row_is_kept_whatever_is_known_of_it(
    data: st.DataObject, drawn: Sequence[Column], mode: Mode
) -> None:
    stored = data.draw(files(drawn))
    predicate = data.draw(predicates(drawn))
    known = data.draw(degraded(statistics(drawn, stored)))
    if any(truth(predicate, row, mode) is True for row in stored):
        text = to_text(compile_predicate(predicate).expression)
        assert keeps(predicate, known), f"skipped by {text}"


@THOROUGH
@given(st.data(), columns, modes)
def test_every_row_matches_in_a_file_that_the_opposite_of_a_filter_skips(
    data: st.DataObject, drawn: Sequence[Column], mode: Mode
) -> None:
    stored = data.draw(files(drawn))
    predicate = data.draw(predicates(drawn))
    opposite = build.is_not_true(predicate)
    known = data.draw(degraded(statistics(drawn, stored)))
    if not all(truth(predicate, row, mode) is True for row in stored):
        text = to_text(compile_predicate(opposite).expression)
        assert keeps(opposite, known), f"skipped by {text}"


@PROPERTY
@given(st.data(), columns)
def test_a_double_negation_changes_nothing(data: st.DataObject, drawn: Sequence[Column]) -> None:
    predicate = data.draw(predicates(drawn))
    assert compile_predicate(Not(Not(predicate))) == compile_predicate(predicate)


@PROPERTY
@given(st.data(), columns)
def test_two_readings_of_a_filter_keep_what_each_of_them_keeps(
    data: st.DataObject, drawn: Sequence[Column]
) -> None:
    known = statistics(drawn, data.draw(files(drawn)))
    first, second = data.draw(predicates(drawn)), data.draw(predicates(drawn))
    together = compile_predicate(first, also=[second]).expression
    assert evaluate(together, [known])[0] <= (keeps(first, known) and keeps(second, known))
    assert compile_predicate(first, also=[first]).expression == compile_predicate(first).expression
