"""Where the cost-based optimizer is bypassed, Hive's own SearchArgument narrows literals of other types.

Stock Hive 4.0.1 loses rows for most of these on plain Parquet tables as well, because its row-group
filter trusts the same SearchArgument. The reference goes without that filter, and Spark answers too.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from ..harness.check import Checker, assert_naive_loses, assert_same_rows
from ..tables import EVERY_TYPE


@dataclass(frozen=True, slots=True)
class Trap:
    """A predicate, and the files that the SearchArgument built from it would keep."""

    predicate: str
    column: str
    naive: Callable[[Any, Any], bool]
    in_spark: bool = True


TRAPS = [
    Trap("i < 1.5", "i", lambda low, high: low < 1),
    Trap("i > -1.5", "i", lambda low, high: high > -1),
    Trap("i <> 1.5", "i", lambda low, high: (low, high) != (1, 1)),
    Trap("i not between 1.5 and 2.5", "i", lambda low, high: low < 1 or high > 2),
    Trap("s = 5", "s", lambda low, high: low <= "5" <= high),
    # Spark compares the members as strings here, Hive as doubles.
    Trap("s in (5, 7)", "s", lambda low, high: low <= "5" <= high or low <= "7" <= high, in_spark=False),
    Trap("s <= 5", "s", lambda low, high: low <= "5"),
    Trap("not (i <=> 1)", "i", lambda low, high: (low, high) != (1, 1)),
]

QUERIES = {
    "distribute by": "select id from every_type where {} distribute by id",
    "cluster by": "select id from every_type where {} cluster by id",
    "lateral view": "select id from every_type lateral view explode(array(1)) exploded as one where {}",
    "tablesample": "select id from every_type tablesample(100000 rows) sample where {}",
}

BYPASSED = [
    pytest.param(bypass, trap, id=f"{bypass}: {trap.predicate}")
    for bypass in QUERIES
    for trap in TRAPS
    # Hive's own estimate of rows (rewriteBetweenToIn) fails for a BETWEEN of decimals there.
    if not (bypass in {"distribute by", "cluster by"} and "between" in trap.predicate)
]

CBO_OFF = {"hive.cbo.enable": "false"}


@pytest.mark.selected(3)
@pytest.mark.parametrize("trap", TRAPS, ids=lambda trap: trap.predicate)
def test_no_row_is_lost_with_the_cbo_off(check: Checker, trap: Trap) -> None:
    query = f"select id from every_type where {trap.predicate}"
    checked = check(query, CBO_OFF, spark=trap.in_spark)
    assert_naive_loses(checked, EVERY_TYPE, EVERY_TYPE.naive(trap.column, trap.naive), why=trap.predicate)
    # Whether files are skipped or not, Hive's Parquet reader must not be handed that filter either.
    unskipped = check.run(query, {**CBO_OFF, "hudi.skipping.mode": "off"}, scans=0)
    assert_same_rows(unskipped.rows, checked.rows, f"mode=off with Hive's row-group filter: {query}")


@pytest.mark.selected(10)
@pytest.mark.parametrize(("bypass", "trap"), BYPASSED)
def test_no_row_is_lost_where_a_clause_bypasses_the_cbo(check: Checker, bypass: str, trap: Trap) -> None:
    plain = f"select id from every_type where {trap.predicate}"
    checked = check(QUERIES[bypass].format(trap.predicate), spark=plain if trap.in_spark else False)
    assert_naive_loses(checked, EVERY_TYPE, EVERY_TYPE.naive(trap.column, trap.naive), why=trap.predicate)


def test_a_null_in_an_in_list_matches_nothing(check: Checker) -> None:
    checked = check("select id from every_type where i in (1, null)", CBO_OFF)
    assert len(checked.rows) == len(EVERY_TYPE.files[0]), "all rows of the file with i = 1"
    assert not check("select id from every_type where i not in (1, null)", CBO_OFF).rows


@pytest.mark.selected(2)
@pytest.mark.parametrize("bypass", QUERIES)
def test_a_filter_with_literals_of_the_column_type_still_skips(check: Checker, bypass: str) -> None:
    plain = "select id from every_type where i = 1015 and s < 's40'"
    check(QUERIES[bypass].format("i = 1015 and s < 's40'"), spark=plain).kept(1)


@pytest.mark.selected(4)
@pytest.mark.parametrize(
    "predicate",
    [
        "i = 3000000000",
        "ti < 1000",
        "si <> 70000",
        "i < 9223372036854775807L",
        "l = 1015",
        "l < 1.5",
        "d = 2.5",
        "d < 1000.5",
        "amount = 1",
        "amount <> 100.070",
        "f > 0.1",
    ],
)
def test_literals_of_another_width_lose_no_row(check: Checker, predicate: str) -> None:
    # Spark compares a float with a decimal literal as doubles, Hive as floats.
    check(f"select id from every_type where {predicate}", CBO_OFF, spark=not predicate.startswith("f "))
    check(f"select id from every_type where not ({predicate})", CBO_OFF, spark=not predicate.startswith("f "))
