"""Random statements that count rows: Hive answers as SQLite does."""

import os
from typing import Final

import pytest

from ..harness.check import Checker
from ..harness.random_statements import NOT_OF_HIVE, assert_answers
from .random_counts import counts
from .test_covered_files import ON

SEED: Final = int(os.environ.get("HUDI_SKIP_COUNTS_SEED", "25"))
STATEMENTS: Final = int(os.environ.get("HUDI_SKIP_COUNTS", "300"))
SHORT: Final = 40
"""Statements of a run that selects cases."""


@pytest.mark.parametrize("count", [SHORT, pytest.param(STATEMENTS, marks=pytest.mark.full)])
def test_random_counts(check_counts: Checker, count: int) -> None:
    assert_answers(
        check_counts,
        counts(count, SEED),
        ON,
        scans=0,
        refused=(*NOT_OF_HIVE, "HAVING specified without GROUP BY"),
        skips=lambda scan: scan.covered > 0,
    )
