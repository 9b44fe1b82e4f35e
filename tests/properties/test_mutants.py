"""Breaks each kind of rule once. If no test noticed, the properties would prove nothing about it."""

from itertools import chain
from typing import Final

import pytest
from hypothesis import Phase, find, settings
from hypothesis.errors import NoSuchExample

from pycompiler.compile.compiler.compile import compile_predicate
from pycompiler.compile.expression.evaluator import evaluate
from pycompiler.compile.functions.registry import BUILT_IN
from tests.drawing.collected import exact
from tests.unit.compile.compiler.hive_cases import HiveCases, kept
from tests.unit.compile.functions import column_differences

from .conftest import Drawn, FurtherBatches
from .mutants import Mutant, of_compiler, of_differences, of_evaluator, of_hives_own, of_rules

_SEARCH: Final = settings(max_examples=4000, phases=[Phase.generate])
_TABLES: Final = range(300)
_PREDICATES: Final = 40


@pytest.mark.full
@pytest.mark.spark
@pytest.mark.parametrize(
    "mutant", [*of_rules(), *of_evaluator(), *of_compiler()], ids=lambda mutant: mutant.name
)
def test_a_broken_rule_loses_rows_that_spark_finds(
    mutant: Mutant, drawn: Drawn, further: FurtherBatches, monkeypatch: pytest.MonkeyPatch
) -> None:
    more = ((batch, checked) for batch in further for checked in batch.checked)
    cases = chain(drawn.predicates(mutant.calls), more)
    mutant.apply(monkeypatch)
    assert any(batch.lost(checked) for batch, checked in cases if checked.matching), (
        f"no predicate shows that {mutant.name}"
    )


@pytest.mark.full
@pytest.mark.parametrize("mutant", list(of_hives_own()), ids=lambda mutant: mutant.name)
def test_a_broken_rule_loses_rows_that_hive_finds(mutant: Mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    mutant.apply(monkeypatch)
    drawn = (HiveCases.of(seed, _PREDICATES, mutant.types) for seed in _TABLES)
    assert any(map(_has_lost_rows, drawn)), f"no predicate shows that {mutant.name}"


def _has_lost_rows(cases: HiveCases) -> bool:
    known = exact(cases.table)
    return any(
        is_found and not is_kept
        for predicate, mode in cases.predicates
        for is_found, is_kept in zip(cases.found(predicate, mode), kept(predicate, known), strict=True)
    )


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
