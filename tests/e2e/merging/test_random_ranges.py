"""Random ranges of tables with random histories: Hive answers by the rule, in each way of running a query.

`make fuzz-slices` runs thousands of them.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import pytest
from pyspark.sql import SparkSession

from tests.properties.frame import Outcome, run
from tests.properties.ranges.campaign import Ranges, others_if
from tests.properties.ranges.questions import SMALL, Written
from tests.properties.ranges.rule import BROKEN
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


@pytest.fixture(scope="module")
def outcome(session: Session, spark: SparkSession) -> Outcome[Written]:
    """Ranges of tables that are always the same."""
    return run(Ranges(spark, session, SMALL, _FIXED), _FIXED)


def test_a_range_has_the_rows_of_the_state_as_of_its_end_that_its_commits_wrote(
    outcome: Outcome[Written],
) -> None:
    assert not outcome.wrong, outcome.wrong[0]


def test_the_ranges_say_something(outcome: Outcome[Written], spark: SparkSession, session: Session) -> None:
    assert not list(Ranges(spark, session).too_little(outcome.tally)), str(outcome.tally)


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_rule_has_other_rows(name: str, outcome: Outcome[Written]) -> None:
    assert outcome.tally[others_if(name)], f"no range shows that {name}"
