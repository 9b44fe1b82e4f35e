"""Random statements that sort and limit: Hive answers as SQLite does, and as it does without skipping."""

import os
from decimal import Decimal
from typing import Final

import pytest

from ..harness import engines
from ..harness.check import WITHOUT_SKIPPING, Checker, assert_same_rows
from ..harness.session import QueryFailed
from .random_orders import Draw, draws
from .test_first_rows import ON

SEED: Final = int(os.environ.get("HUDI_SKIP_ORDERS_SEED", "25"))
STATEMENTS: Final = int(os.environ.get("HUDI_SKIP_ORDERS", "300"))
SHORT: Final = 60
"""Statements of a run that selects cases."""

NOT_OF_HIVE: Final = (
    "only supported with Cost Based Optimizations enabled",
    "Unsupported SubQuery Expression",
)


def _run(check: Checker, draw: Draw) -> tuple[int, int] | None:
    """Files that the scans opened and did not open; None if Hive has no such statement."""
    settings = {**engines.TEZ, **draw.settings}
    where = f"{draw.text}\n{settings}"
    try:
        ours = check.run(draw.text, {**settings, **ON}, scans=0)
    except QueryFailed as error:
        if any(text in str(error) for text in NOT_OF_HIVE):
            return None
        raise AssertionError(f"failed: {error}\n{where}") from error
    without = check.run(draw.text, {**settings, **WITHOUT_SKIPPING}, scans=0)
    assert_same_rows(ours.rows, without.rows, f"with and without skipping: {where}", ours.scans)
    as_doubles = (tuple(float(v) if isinstance(v, Decimal) else v for v in row) for row in ours.rows)
    assert_same_rows(as_doubles, draw.expected, f"Hive and SQLite: {where}", ours.scans)
    first = [scan for scan in ours.scans if scan.source == "topk"]
    return sum(scan.kept for scan in first), sum(scan.files - scan.kept for scan in first)


@pytest.mark.parametrize("count", [SHORT, pytest.param(STATEMENTS, marks=pytest.mark.full)])
def test_random_orders(check_first: Checker, count: int) -> None:
    outcomes = [_run(check_first, draw) for draw in draws(count, SEED)]
    answered = [outcome for outcome in outcomes if outcome is not None]
    assert len(answered) > count / 2
    assert sum(skipped > 0 for _, skipped in answered) > count / 5, f"few of them skip files: {answered}"
