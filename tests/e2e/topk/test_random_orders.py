"""Random statements that sort and limit: Hive answers as SQLite does."""

import os
from typing import Final

import pytest

from ..harness.check import Checker
from ..harness.random_statements import assert_answers
from .random_orders import orders
from .test_first_rows import ON

SEED: Final = int(os.environ.get("HUDI_SKIP_ORDERS_SEED", "25"))
STATEMENTS: Final = int(os.environ.get("HUDI_SKIP_ORDERS", "300"))
SHORT: Final = 60
"""Statements of a run that selects cases."""


@pytest.mark.parametrize("count", [SHORT, pytest.param(STATEMENTS, marks=pytest.mark.full)])
def test_random_orders(check_first: Checker, copies: str, count: int) -> None:
    assert_answers(
        check_first,
        orders(count, SEED),
        ON,
        scans=0,
        skips=lambda scan: scan.source == "topk",
        native=copies,
    )
