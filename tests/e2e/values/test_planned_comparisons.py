"""Whatever Hive plans without column statistics, it plans with them.

Its optimizer reads each literal of a comparison as a number of the column's type, and fails if it cannot.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

import pytest

from ..harness.check import Checker
from ..harness.engines import FETCH
from ..harness.lake import Lake
from ..harness.session import QueryFailed, Session
from ..tables import Row
from .hive_grammar import OperandGrammar, PredicateGrammar
from .hive_oracle import Oracle
from .oracle_table import COLUMNS, ORACLE

NUMBERS: Final = (
    "0", "-0", "0.0", "-0.0", "127", "128", "-129", "40000", "3000000000", "2.5", "1e3", "-1e30", "'5'",
    "'abc'", "''", "null", "cast(null as int)", "5Y", "5S", "5L", "5.5BD", "1e3D", "10 * 10 + 1", "9" * 38,
)  # fmt: skip
MOMENTS: Final = (
    "date'2021-02-03'", "date'0001-01-01'", "date'9999-12-31'", "'2021-02-03'", "'2021'", "'no day'", "''",
    "timestamp'2021-02-03 10:00:00.123456789'", "timestamp'1969-12-31 23:59:59.999'", "'2021-02-03 10:00:00'",
    "current_date", "current_timestamp", "null", "cast(null as date)", "cast('2021-13-45' as date)",
    "date_add(date'2021-02-03', 7)", "date'2021-02-03' + interval '1' month",
    "cast(date'2021-02-03' as timestamp)", "to_date('2021-02-03 10:00:00')",
)  # fmt: skip
TEMPLATES: Final = ("{c} < {a}", "{a} <= {c}", "not ({c} > {a})")
RANGES: Final = ("{c} between {a} and {b}", "{c} not between {a} and {b}", "{c} > {a} and {c} <= {b}")
INDEX: Final = {"*": "ndv"}
COMPARED: Final = ("i", "bi", "m", "w", "dt", "ts")
BY_COST: Final = "Plan optimized by CBO."
BRANCHES: Final = 16
BATCHES: Final = 4
PREDICATES: Final = 48


class Plans:
    """Plans queries of the table with column statistics."""

    def __init__(self, check: Checker, oracle: Oracle) -> None:
        self._check = check
        self.oracle = oracle

    def worse(self, predicates: Sequence[str]) -> list[str]:
        """The predicates that are planned worse with statistics, each with what Hive says."""
        starts = range(0, len(predicates), BRANCHES)
        return [each for start in starts for each in self._worse(predicates[start : start + BRANCHES])]

    def _worse(self, predicates: Sequence[str]) -> list[str]:
        planning = self._planning(predicates, "on")
        if planning == BY_COST:
            return []
        if len(predicates) == 1:
            return [] if planning == self._planning(predicates, "off") else [f"{predicates[0]}: {planning}"]
        middle = len(predicates) // 2
        found = self._worse(predicates[:middle]) + self._worse(predicates[middle:])
        if not found and planning != self._planning(predicates, "off"):
            found = [f"{planning}, but only together: {predicates}"]
        return found

    def _planning(self, predicates: Sequence[str], statistics: str) -> str:
        """How a query with these filters is planned, or why not."""
        branches = " union all ".join(
            f"select {n}, id from planned where ({p}) and id >= 0" for n, p in enumerate(predicates)
        )
        settings = {"hudi.skipping.column.statistics": statistics}
        try:
            with self._check.session.settings(settings):
                return self._check.session.text(f"EXPLAIN {branches}").partition("\n")[0]
        except QueryFailed as failure:
            return str(failure)[:500]


def _is_trusted(file: Sequence[Row]) -> bool:
    """Whether the index trusts its dates, which writers may have stored in either calendar before 1900."""
    return all(row[column] is None or row[column].year >= 1900 for row in file for column in ("dt", "dt2"))


@pytest.fixture(scope="module")
def plans(lake: Lake, session: Session, new_check: Callable[[], Checker]) -> Iterator[Plans]:
    path = lake.write(replace(ORACLE, name="planned", files=tuple(filter(_is_trusted, ORACLE.files))), INDEX)
    session.create_table(path, name="planned", columns=COLUMNS)
    checker = new_check()
    oracle = Oracle(checker, FETCH, "planned")
    with checker.session, oracle.configured():
        for column in COMPARED:
            with checker.session.settings({"hudi.skipping.column.statistics": "on"}):
                plan = checker.session.text(
                    f"EXPLAIN select {column}, count(*) from planned group by {column}"
                )
            assert "Col:COMPLETE" in plan, f"no statistics of {column}: {plan}"
        yield Plans(checker, oracle)


@pytest.mark.parametrize("column", COMPARED)
def test_a_comparison_with_any_literal_is_planned(plans: Plans, column: str) -> None:
    literals = MOMENTS if column in ("dt", "ts") else NUMBERS
    predicates = [each.format(c=column, a=literal) for each in TEMPLATES for literal in literals]
    pairs = list(zip(literals, [*literals[1:], literals[0]], strict=True))
    predicates += [each.format(c=column, a=a, b=b) for each in RANGES for a, b in pairs]
    assert not plans.worse(predicates)


@pytest.mark.selected(1)
@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_predicates_are_planned(plans: Plans, batch: int) -> None:
    choice = random.Random(20261128 + batch)
    grammar = OperandGrammar(choice)
    pool = plans.oracle.sample([grammar.operand(choice.choice((0, 0, 1, 2))) for _ in range(24)])
    predicates = PredicateGrammar(choice, pool)
    assert not plans.worse([predicates.predicate() for _ in range(PREDICATES)])
