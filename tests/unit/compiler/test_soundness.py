"""The promise of the whole: a file with a row that matches is never skipped."""

from __future__ import annotations

import random
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from pycompiler.compiler.compile import compile_predicate
from pycompiler.expression.codec import from_bytes, to_bytes
from pycompiler.expression.evaluator import FileStatistics, evaluate
from pycompiler.expression.render import to_text
from pycompiler.predicate.model import (
    Column,
    Compare,
    Comparison,
    IsNull,
    Literal,
    Not,
    Or,
    Predicate,
)
from pycompiler.values.types import HiveType

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


@PROPERTY
@given(st.data(), columns)
def test_a_filter_its_opposite_and_its_null_cover_every_file(
    data: st.DataObject, drawn: Sequence[Column]
) -> None:
    stored = data.draw(files(drawn))
    # Without NULL literals a predicate is NULL only where one of its columns is.
    predicate = data.draw(predicates(drawn, nulls=False))
    known = data.draw(degraded(statistics(drawn, stored)))
    null = Or(tuple(IsNull(column) for column in drawn))
    assert keeps(predicate, known) or keeps(Not(predicate), known) or keeps(null, known)


@PROPERTY
@given(st.data(), columns)
def test_knowing_less_never_skips_more(data: st.DataObject, drawn: Sequence[Column]) -> None:
    known = statistics(drawn, data.draw(files(drawn)))
    less = data.draw(degraded(known))
    predicate = data.draw(predicates(drawn))
    assert keeps(predicate, less) or not keeps(predicate, known)


@PROPERTY
@given(st.data(), columns)
def test_a_double_negation_changes_nothing(data: st.DataObject, drawn: Sequence[Column]) -> None:
    predicate = data.draw(predicates(drawn))
    assert compile_predicate(Not(Not(predicate))) == compile_predicate(predicate)


@PROPERTY
@given(st.data(), columns, st.binary(max_size=8))
def test_compiled_expressions_survive_the_wire(
    data: st.DataObject, drawn: Sequence[Column], fingerprint: bytes
) -> None:
    expression = compile_predicate(data.draw(predicates(drawn)), fingerprint=fingerprint).expression
    assert from_bytes(to_bytes(expression)) == expression


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


def test_most_files_without_a_matching_row_are_skipped() -> None:
    """Keeping everything would be sound as well; this shows that the rules do skip."""
    chance = random.Random(20260101)
    column = Column("p", HiveType.parse("int"))
    skippable = skipped = 0
    for _ in range(2000):
        low = chance.randrange(1000)
        stored = [{"p": low + chance.randrange(20)} for _ in range(5)]
        known = statistics([column], stored)
        literal = Literal(column.type, chance.randrange(1000))
        predicate: Predicate = Compare(chance.choice(list(Comparison)), column, literal)
        predicate = Not(predicate) if chance.random() < 0.5 else predicate
        mode = Mode(False, False, False, False, 0)
        if not any(truth(predicate, row, mode) is True for row in stored):
            skippable += 1
            skipped += not keeps(predicate, known)
    assert skippable > 200
    assert skipped / skippable > 0.95
