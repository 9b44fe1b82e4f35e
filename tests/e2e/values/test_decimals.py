"""Decimals that Hive rounds to a common type before it compares them."""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from ..harness.check import Checker
from ..harness.engines import MODES
from ..harness.lake import Lake
from ..harness.session import Session
from ..tables import TableData

_LONG = Decimal("12345678901234567890.5")
DECIMALS = TableData(
    name="wide_decimals",
    schema="id int, e decimal(38,10), m decimal(38,2), n decimal(10,2)",
    key="id",
    files=(
        tuple({"id": i, "e": _LONG, "m": Decimal("7"), "n": Decimal("7")} for i in (0, 1)),
        tuple({"id": i, "e": Decimal("3"), "m": Decimal("1.01"), "n": Decimal("1.01")} for i in (2, 3)),
    ),
)

SETTINGS = {**MODES, "cbo off": {"hive.cbo.enable": "false"}}


@pytest.fixture(scope="module")
def table(lake: Lake, session: Session) -> Iterator[str]:
    yield from _in_hive(lake, session, DECIMALS)


def _in_hive(lake: Lake, session: Session, data: TableData) -> Iterator[str]:
    path: Path = lake.write(data)
    with session.table(path) as name:
        yield name


@pytest.mark.selected(6)
@pytest.mark.parametrize("mode", SETTINGS)
@pytest.mark.parametrize(
    "predicate",
    [
        # Rounded to decimal(38,10) these are 3 and 6: a bound of 3 alone would skip the file with a match.
        "e in (2.99999999999BD, 5.99999999999BD)",
        "e = 2.99999999999BD or e = 5.99999999999BD",
        "id >= 0 and not (e not in (2.99999999999BD, 5.99999999999BD))",
        "m in (1.005BD, 2.005BD)",
        "m not in (1.005BD, 2.005BD)",
        "m in (cast(2 as decimal(38,0)), cast(7 as decimal(38,0)))",
        "e < 2.99999999999BD",
        "e between 2.99999999999BD and 2.999999999999BD",
        "n in (1.005BD, 7.777BD)",
    ],
)
def test_decimals_that_hive_rounds_lose_no_row(check: Checker, table: str, predicate: str, mode: str) -> None:
    check(f"select id from {table} where {predicate}", SETTINGS[mode], spark=False)


def test_decimals_that_fit_together_skip_files(check: Checker, table: str) -> None:
    query = f"select id from {table} where n in (1.01BD, 1.02BD)"
    assert sorted(check(query, spark=False).kept(1).column()) == [2, 3]


ROUNDED = TableData(
    name="rounded_decimals",
    schema="id int, n decimal(10,2), d double",
    key="id",
    files=tuple(
        ({"id": id_, "n": Decimal(text), "d": float(text)},)
        for id_, text in enumerate(("1.10", "1.20", "1.22", "1.25", "1.27", "1.30", "1.40"))
    ),
)


@pytest.fixture(scope="module")
def rounded(lake: Lake, session: Session) -> Iterator[str]:
    yield from _in_hive(lake, session, ROUNDED)


@pytest.mark.selected(8)
@pytest.mark.parametrize("mode", SETTINGS)
@pytest.mark.parametrize("constant", ["1.25BD", "'1.25'"])
@pytest.mark.parametrize("operator", ["<", "=", ">="])
@pytest.mark.parametrize("column", ["n", "d"])
def test_a_constant_with_more_digits_than_its_type_loses_no_row(
    check: Checker, rounded: str, column: str, operator: str, constant: str, mode: str
) -> None:
    """Calcite leaves such constants as they are; Hive rounds them in row mode."""
    query = f"select id from {rounded} where {column} {operator} cast({constant} as decimal(3,1))"
    check(query, SETTINGS[mode], spark=False)
