"""Random ranges of tables with random histories: Hive answers by the rule, in each way of running a query.

`make fuzz-slices` runs thousands of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final

import pytest
from pyspark.sql import SparkSession

from tests.properties.ranges.asking import Asked, asked
from tests.properties.ranges.campaign import SMALL, written
from tests.properties.ranges.rule import BROKEN
from tests.properties.ranges.tally import Tally
from tests.turns import turn

from ..harness.session import Session

pytestmark = pytest.mark.in_turn(1)

_FIXED: Final = (5, 102)
"""Tables of which the broken rules give other rows."""


@dataclass(frozen=True, slots=True)
class Campaign:
    """Ranges of tables that are always the same, and of the day's."""

    asked: tuple[Asked, ...]
    tally: Tally


@pytest.fixture(scope="module")
def campaign(session: Session, spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    """What the tests look at."""
    seeds = (*_FIXED, turn() or date.today().toordinal())
    print(f"seeds {seeds}")
    folder = tmp_path_factory.mktemp("ranges")
    found = [each for seed in seeds for each in asked(session, written(spark, folder, seed, SMALL))]
    tally = Tally()
    for each in found:
        tally.add(each)
    print(tally)
    return Campaign(tuple(found), tally)


def test_a_range_has_the_rows_of_the_state_as_of_its_end_that_its_commits_wrote(campaign: Campaign) -> None:
    wrong = [str(each) for each in campaign.asked if each.is_wrong]
    assert not wrong, f"{len(wrong)} of {campaign.tally.ranges} are wrong, such as\n{wrong[0]}"


def test_the_ranges_say_something(campaign: Campaign) -> None:
    assert not campaign.tally.shows_nothing_because, str(campaign.tally)


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_rule_has_other_rows(name: str, campaign: Campaign) -> None:
    assert campaign.tally.told_apart[name], f"no range shows that {name}"
