"""Breaks each kind of rule once. If no test noticed, the properties would prove nothing about it."""

from itertools import chain
from typing import Final

import pytest
from hypothesis import Phase, find, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

from pycompiler.compile.compiler.compile import compile_predicate
from pycompiler.compile.expression.evaluator import FileStatistics, evaluate
from pycompiler.compile.functions.registry import BUILT_IN
from pycompiler.compile.predicate.model import Column, Predicate
from pycompiler.compile.values.types import HiveType
from tests.unit.compile.compiler.hive_rows import Mode, Row, truth
from tests.unit.compile.compiler.strategies import files, modes, single_tests, statistics
from tests.unit.compile.functions import column_differences

from .conftest import Campaign, FurtherBatches
from .mutants import Mutant, of_compiler, of_differences, of_evaluator, of_hives_own, of_rules

_SEARCH: Final = settings(max_examples=4000, phases=[Phase.generate])


@pytest.mark.full
@pytest.mark.spark
@pytest.mark.parametrize(
    "mutant", [*of_rules(), *of_evaluator(), *of_compiler()], ids=lambda mutant: mutant.name
)
def test_a_broken_rule_loses_rows_that_spark_finds(
    mutant: Mutant, campaign: Campaign, further: FurtherBatches, monkeypatch: pytest.MonkeyPatch
) -> None:
    more = ((batch, checked) for batch in further for checked in batch.checked)
    cases = chain(campaign.predicates(mutant.calls), more)
    mutant.apply(monkeypatch)
    assert any(batch.lost(checked) for batch, checked in cases if checked.matching), (
        f"no predicate shows that {mutant.name}"
    )


@st.composite
def _cases(draw: st.DrawFn, types: tuple[str, ...]) -> tuple[Predicate, list[Row], FileStatistics, Mode]:
    drawn = [Column(name, HiveType.parse(text)) for name, text in zip("pq", types, strict=False)]
    stored = draw(files(drawn))
    return draw(single_tests(drawn)), stored, statistics(drawn, stored), draw(modes)


@pytest.mark.full
@pytest.mark.parametrize("mutant", list(of_hives_own()), ids=lambda mutant: mutant.name)
def test_a_broken_rule_loses_rows_that_hive_finds(mutant: Mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    mutant.apply(monkeypatch)
    try:
        find(_cases(mutant.types), _is_lost, settings=_SEARCH)
    except NoSuchExample:
        pytest.fail(f"no predicate shows that {mutant.name}")


def _is_lost(case: tuple[Predicate, list[Row], FileStatistics, Mode]) -> bool:
    predicate, stored, known, mode = case
    if evaluate(compile_predicate(predicate).expression, [known])[0]:
        return False
    return any(truth(predicate, row, mode) is True for row in stored)


@pytest.mark.full
@pytest.mark.parametrize("mutant", list(of_differences()), ids=lambda mutant: mutant.name)
def test_a_broken_rule_loses_differences_that_hive_finds(
    mutant: Mutant, monkeypatch: pytest.MonkeyPatch
) -> None:
    mutant.apply(monkeypatch)
    try:
        find(column_differences.cases(), _is_lost_difference, settings=_SEARCH)
    except NoSuchExample:
        pytest.fail(f"no predicate shows that {mutant.name}")


def _is_lost_difference(case: column_differences.Case) -> bool:
    return case.is_found and not evaluate(compile_predicate(case.predicate).expression, [case.statistics])[0]


def test_there_is_a_mutant_of_each_rule() -> None:
    names = {mutant.name.split(" ")[0] for mutant in of_rules()} | {"ConstantText"}
    assert names == {type(rule).__name__ for rule in BUILT_IN}
