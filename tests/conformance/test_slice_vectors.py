"""The rule of file slices that the property tests use, against slices.json."""

from typing import Any

import pytest

from tests.properties.slices.rule import BROKEN, Votes, keeps

from .vectors import load, vector_id

VECTORS = load("slices.json", "slices")

MAY_MATCH = {
    "matching": True,
    "excluded": False,
    "without records": False,
    "unknown": True,
    "of another size": True,
    "without statistics": True,
}


def votes_of(vector: dict[str, Any]) -> Votes:
    base, logs = vector["base"], vector["logs"]
    return Votes(
        vector["whole"],
        None if base is None else MAY_MATCH[base],
        # In the vectors, the oldest log comes first.
        tuple(MAY_MATCH[log] for log in reversed(logs)),
        tuple(MAY_MATCH[log] and log != "matching" for log in reversed(logs)),
    )


@pytest.mark.parametrize("vector", VECTORS, ids=vector_id)
def test_a_slice_is_kept_as_the_vector_says(vector: dict[str, Any]) -> None:
    assert keeps(votes_of(vector)) is vector["keep"]


@pytest.mark.parametrize("rule", BROKEN)
def test_each_broken_rule_skips_a_slice_that_a_vector_keeps(rule: str) -> None:
    broken = BROKEN[rule]
    assert [vector["name"] for vector in VECTORS if vector["keep"] and not broken(votes_of(vector))]
