"""No slice with a passing row is skipped, whatever the history, and every broken rule is caught."""

from dataclasses import dataclass
from typing import Final

import pytest
from pyspark.sql import SparkSession

from ..spark_oracle import SparkOracle
from .campaign import SMALL, State, states
from .handler import Handler
from .rule import BROKEN
from .tally import Tally
from .wrong import Wrong, shrunk, wrong

pytestmark = pytest.mark.spark

_SEEDS: Final = (8, 5, 3)
"""Seeds whose histories catch all broken rules. In the second table, several records make one row."""


@dataclass(frozen=True, slots=True)
class Campaign:
    """The states of the same tables in every run."""

    states: tuple[State, ...]
    tally: Tally


@pytest.fixture(scope="module")
def campaign(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    """All states, and their counts."""
    folder = tmp_path_factory.mktemp("histories")
    with Handler() as handler:
        found = [state for each in _SEEDS for state in states(spark, handler, folder, each, SMALL)]
    tally = Tally()
    for state in found:
        tally.add(state)
    print(tally)
    return Campaign(tuple(found), tally)


def test_no_slice_with_a_passing_row_is_skipped(campaign: Campaign, spark: SparkSession) -> None:
    found = [each for state in campaign.states for each in wrong(state)]
    assert not found, str(shrunk(SparkOracle(spark), found[0]))


def test_the_histories_say_something(campaign: Campaign) -> None:
    tally = campaign.tally
    assert tally.with_logs > 20
    assert tally.repeated, "base files have keys twice"
    assert tally.refused < tally.predicates / 50, "predicates that Spark refuses show nothing"
    assert tally.skipped > tally.without_match * 0.1, "slices with logs are skipped"


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_rule_loses_rows_that_spark_finds(name: str, campaign: Campaign) -> None:
    assert campaign.tally.caught[name], f"no slice shows that {name}"


def test_a_wrong_skip_is_shown_with_a_small_predicate(campaign: Campaign, spark: SparkSession) -> None:
    rule = BROKEN["the base file alone decides"]
    lost = next(
        Wrong("LOST", state, answer.checked.sql, min(lost))
        for state in campaign.states
        for answer in state.answers
        if (lost := answer.checked.matching - answer.kept_by(rule)) and len(answer.checked.sql.parts) > 1
    )
    small = shrunk(SparkOracle(spark), lost, rule)
    assert len(small.sql.text) <= len(lost.sql.text)
    assert f"WHERE {small.sql.text}\n" in str(small)
    assert "/".join(lost.state.slices[lost.slice].group) in str(small)
