"""Random star queries: Hive answers as SQLite does."""

import os
import re
from typing import Final

import pytest

from ..harness.check import Checker
from ..harness.random_statements import NOT_OF_HIVE, assert_answers
from .random_stars import stars
from .test_join_forms import ON

SEED: Final = int(os.environ.get("HUDI_SKIP_STARS_SEED", "20"))
QUERIES: Final = int(os.environ.get("HUDI_SKIP_STARS", "300"))
SHORT: Final = 40
"""Queries of a run that selects cases."""

REFUSED: Final = (
    *NOT_OF_HIVE,
    "Only SubQuery expressions that are top level conjuncts are allowed",
)


@pytest.mark.parametrize("count", [SHORT, pytest.param(QUERIES, marks=pytest.mark.full)])
def test_random_stars(check_join: Checker, copies: str, count: int) -> None:
    assert_answers(
        check_join,
        stars(count, SEED),
        ON,
        scans=1,
        refused=REFUSED,
        skips=lambda scan: re.search(r": [1-9]\d* values?\b", scan.joins) is not None,
        native=copies,
    )
