"""The main promise, checked against a real engine: a file with a passing row is never skipped."""

import pytest

from pycompiler.compile.functions.registry import BUILT_IN

from .conftest import Drawn

pytestmark = pytest.mark.spark


def test_no_file_with_a_passing_row_is_skipped(drawn: Drawn) -> None:
    assert not drawn.outcome.wrong, drawn.outcome.wrong[0]


def test_the_run_is_large_and_says_something(drawn: Drawn) -> None:
    tally = drawn.outcome.tally
    predicates = tally["predicates"]
    assert predicates >= drawn.wanted
    assert tally["refused by Spark"] < predicates / 200, "predicates that Spark refuses show nothing"
    assert tally["used"] > predicates * 0.8, "most predicates can skip files"
    assert tally["skipped"] > tally["without a match"] * 0.7, "most files without a match are skipped"
    assert tally["known to be"] > tally["with matches only"] * 0.5, "most files with matches only are known"


def test_every_function_with_a_rule_is_among_the_predicates(drawn: Drawn) -> None:
    least = drawn.wanted / 1_000
    rare = [rule for rule in BUILT_IN if len(list(drawn.predicates(frozenset(rule.names)))) < least]
    assert not rare, f"functions with a rule that predicates hardly call: {rare}"
