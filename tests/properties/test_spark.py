"""The main promise, checked against a real engine: a file with a passing row is never skipped."""

import pytest

from pycompiler.compile.functions.registry import BUILT_IN

from .conftest import Campaign
from .shrinking import shrunk
from .spark_oracle import SparkOracle

pytestmark = pytest.mark.spark


def test_no_file_with_a_passing_row_is_skipped(campaign: Campaign, oracle: SparkOracle) -> None:
    print(campaign.tally)
    assert not campaign.wrong, str(shrunk(oracle, *campaign.wrong[0]))


def test_the_run_is_large_and_says_something(campaign: Campaign) -> None:
    tally = campaign.tally
    assert tally.predicates >= campaign.wanted
    assert tally.refused < tally.predicates / 200, "predicates that Spark refuses show nothing"
    assert tally.used > tally.predicates * 0.8, "most predicates can skip files"
    assert tally.skipped > tally.without_match * 0.7, "most files without a match are skipped"
    assert tally.covered > tally.all_match * 0.5, "most files with matches only are known to be such files"


def test_every_function_with_a_rule_is_among_the_predicates(campaign: Campaign) -> None:
    least = campaign.wanted / 1_000
    rare = [rule for rule in BUILT_IN if len(list(campaign.predicates(frozenset(rule.names)))) < least]
    assert not rare, f"functions with a rule that predicates hardly call: {rare}"
