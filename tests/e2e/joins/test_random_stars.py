"""Random star queries: Hive answers as SQLite does, and as it does without skipping."""

import os
from typing import Final

import pytest

from ..harness import engines
from ..harness.check import WITHOUT_SKIPPING, Checker, assert_same_rows
from ..harness.session import QueryFailed
from .random_stars import Star, stars
from .test_join_forms import ON

SEED: Final = int(os.environ.get("HUDI_SKIP_STARS_SEED", "20"))
QUERIES: Final = int(os.environ.get("HUDI_SKIP_STARS", "100"))
SHORT: Final = 30
"""Queries of a run that selects cases."""

NOT_OF_HIVE: Final = (
    # Of a plan with many vertices, in a server of tests.
    "Too many counters",
    "only supported with Cost Based Optimizations enabled",
    "Unsupported SubQuery Expression",
    "Only SubQuery expressions that are top level conjuncts are allowed",
)


def _run(check: Checker, star: Star) -> tuple[int, int] | None:
    """Files that the scans opened and did not open; None if Hive has no such query."""
    settings = {**engines.TEZ, **star.settings}
    where = f"{star.text}\n{settings}"
    try:
        ours = check.run(star.text, {**settings, **ON}, scans=1)
    except QueryFailed as error:
        if any(text in str(error) for text in NOT_OF_HIVE):
            return None
        raise AssertionError(f"failed: {error}\n{where}") from error
    without = check.run(star.text, {**settings, **WITHOUT_SKIPPING}, scans=0)
    assert_same_rows(ours.rows, without.rows, f"with and without skipping: {where}", ours.scans)
    assert_same_rows(ours.rows, star.expected, f"Hive and SQLite: {where}", ours.scans)
    joined = [scan for scan in ours.scans if "value" in scan.joins]
    return sum(scan.kept for scan in joined), sum(scan.files - scan.kept for scan in joined)


@pytest.mark.parametrize("count", [SHORT, pytest.param(QUERIES, marks=pytest.mark.full)])
def test_random_stars(check_join: Checker, count: int) -> None:
    outcomes = [_run(check_join, star) for star in stars(count, SEED)]
    answered = [outcome for outcome in outcomes if outcome is not None]
    assert len(answered) > count / 2
    assert sum(skipped > 0 for _, skipped in answered) > count / 5, f"few of them skip files: {answered}"
