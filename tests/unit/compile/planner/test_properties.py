"""A plan over random partitionings: never too narrow, exact where it can be, the same in any order."""

import os
from itertools import islice
from random import Random
from typing import Final

import pytest

from pycompiler.compile.planner import plans
from pycompiler.compile.predicate.text import describe_filter
from tests.planning import plan_predicate

from .mutants import MUTANTS, Mutant
from .partitionings import MODES, Filter, Partitioning, composed, partitionings, random_filter

pytestmark = pytest.mark.slow

FILTERS: Final = 20_000
_PARTS: Final = 4
_FILTERS_OF_A_TABLE: Final = 50
_PUT_TOGETHER: Final = 0.05
"""Of so many filters the plan is also put together from those of its parts."""
SEED: Final = int(os.environ.get("HUDI_SKIP_PLANNER_SEED", "17"))


def fault(random: Random, table: Partitioning, of_keys: bool) -> str | None:
    """Draws a filter, and says what is wrong with its plan; None if nothing is."""
    terms = [term for term in table.terms if term.is_exact] if of_keys else table.terms
    drawn = random_filter(random, terms)
    plan = plan_predicate(drawn.planned, table.layout)
    wrong = _wrong(random, table, of_keys, drawn, table.catalogue.select(plan))
    return wrong and f"{wrong}: {describe_filter(drawn.planned)}: {plan.text()}"


def _wrong(random: Random, table: Partitioning, of_keys: bool, drawn: Filter, found: list[str]) -> str | None:
    if len(set(found)) < len(found):
        return "a partition twice"
    matching = table.matching(drawn.seen, random.choice(MODES))
    if not matching <= set(found):
        return "rows are lost"
    if table.is_exact and of_keys and drawn.is_exact and set(found) != matching:
        return "too wide"
    if random.random() > _PUT_TOGETHER:
        return None
    again = table.catalogue.select(composed(random, drawn.planned, table.layout))
    if len(set(again)) < len(again):
        return "a partition twice in another order"
    # What the compiler knows of columns that are in no key is lost where the parts are planned one by one.
    if not set(found) <= set(again) or (of_keys and len(found) < len(again)):
        return "other partitions in another order"
    return None


def first_fault(seed: int, filters: int) -> str | None:
    """What is wrong with the first plan of so many that is wrong."""
    random = Random(seed)
    tables = islice(partitionings(random), filters // _FILTERS_OF_A_TABLE)
    found = (
        fault(random, table, random.random() < 0.7) for table in tables for _ in range(_FILTERS_OF_A_TABLE)
    )
    return next((wrong for wrong in found if wrong is not None), None)


@pytest.mark.selected(2)
@pytest.mark.parametrize("part", range(_PARTS))
def test_a_plan_finds_each_partition_with_a_matching_row_once_and_no_others(
    part: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if part == 0:
        # So small that most plans go beyond the bounds.
        narrow_bounds(monkeypatch)
    seed = SEED * _PARTS + part
    print(f"HUDI_SKIP_PLANNER_SEED={SEED}, part {part}")
    assert first_fault(seed, FILTERS // _PARTS) is None


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_broken_rule_is_noticed(mutant: Mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    if mutant.is_beyond_the_bounds:
        narrow_bounds(monkeypatch)
    mutant.apply(monkeypatch)
    assert first_fault(SEED, 3_000) is not None


def narrow_bounds(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(plans, "MAX_PLANS", 2)
    patch.setattr(plans, "MAX_SCANS", 4)
