"""Random ranges of tables with random histories: Hive answers by the rule, in each way of running a query.

`make fuzz-slices` runs thousands of them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import pytest
from pyspark.sql import SparkSession

from tests.properties.ranges.asking import Asked, asked
from tests.properties.ranges.campaign import SMALL, written
from tests.properties.ranges.rule import BROKEN
from tests.properties.ranges.tally import Tally
from tests.properties.slices.history import PARTIAL, TWO_WRITERS, UPSERT, Step

from ..harness.session import Session

pytestmark = [pytest.mark.full, pytest.mark.since_version_8]  # partial updates, and rollbacks

_FIXED: Final[Mapping[int, Sequence[Step]]] = {
    4: (UPSERT, PARTIAL, TWO_WRITERS, UPSERT),
    5: (UPSERT, UPSERT, UPSERT),
    11: (),
}
"""Tables for which the broken rules return other rows, with their first operations.

The first is of table version 8, by event time; in the second rows are made of several records.
"""


@dataclass(frozen=True, slots=True)
class Campaign:
    """Ranges of tables that are always the same."""

    asked: tuple[Asked, ...]
    tally: Tally


@pytest.fixture(scope="module")
def campaign(session: Session, spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    """What the tests look at."""
    folder = tmp_path_factory.mktemp("ranges")
    found = [
        each
        for seed, first in _FIXED.items()
        for each in asked(session, written(spark, folder, seed, SMALL, first))
    ]
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
