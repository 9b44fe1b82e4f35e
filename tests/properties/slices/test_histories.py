"""No slice with a passing row is skipped, whatever the history, and every broken rule is caught."""

from collections.abc import Iterator
from itertools import chain
from typing import Final

import pytest
from pyspark.sql import SparkSession

from ..frame import Outcome, run
from ..spark_oracle import SparkOracle
from .campaign import Slices, lost_if
from .handler import Handler
from .rule import BROKEN
from .state import SMALL, State
from .wrong import Wrong, shrunk

pytestmark = pytest.mark.spark

_SEEDS: Final = (8, 5, 3)
"""Seeds whose histories catch all broken rules. In the second table, several records make one row."""


@pytest.fixture(scope="module")
def outcome(spark: SparkSession) -> Iterator[Outcome[list[State]]]:
    """The states of the same tables in every run."""
    with Handler() as handler:
        yield run(Slices(spark, handler, SMALL), _SEEDS, keeps_cases=True)


def test_no_slice_with_a_passing_row_is_skipped(outcome: Outcome[list[State]]) -> None:
    assert not outcome.wrong, outcome.wrong[0]


def test_the_histories_say_something(outcome: Outcome[list[State]]) -> None:
    tally = outcome.tally
    assert tally["slices with logs"] > 20
    assert tally["with a key twice"], "base files have keys twice"
    assert tally["predicates refused by Spark"] < tally["predicates"] / 50, "they show nothing"
    assert tally["skipped"] > tally["without a match"] * 0.1, "slices with logs are skipped"


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_rule_loses_rows_that_spark_finds(name: str, outcome: Outcome[list[State]]) -> None:
    assert outcome.tally[lost_if(name)], f"no slice shows that {name}"


def test_a_wrong_skip_is_shown_with_a_small_predicate(
    outcome: Outcome[list[State]], spark: SparkSession
) -> None:
    rule = BROKEN["the base file alone decides"]
    lost = next(
        Wrong("LOST", state, answer.checked.sql, min(lost))
        for state in chain.from_iterable(outcome.cases)
        for answer in state.answers
        if (lost := answer.checked.matching - answer.kept_by(rule)) and len(answer.checked.sql.parts) > 1
    )
    small = shrunk(SparkOracle(spark), lost, rule)
    assert len(small.sql.text) <= len(lost.sql.text)
    assert f"WHERE {small.sql.text}\n" in str(small)
    assert "/".join(lost.state.slices[lost.slice].group) in str(small)
