"""Runs random predicates through Spark once, for all tests in this folder."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

import pytest
from pyspark.sql import SparkSession

from pycompiler.compile.predicate.model import Call
from pycompiler.compile.predicate.walk import walk

from .__main__ import batches
from .campaign import BATCH, Batch, Checked, Tally, violations
from .spark_oracle import SparkOracle

_FURTHER: Final = 10
"""Batches drawn after those of the campaign."""


@dataclass(frozen=True, slots=True)
class Campaign:
    """The result of a run.

    Attributes:
        wanted: The least number of predicates.
        batches: The tables and predicates.
        tally: Counts.
        wrong: The predicates that skip a file with a passing row.
    """

    wanted: int
    # Excluded from repr: a failing test would print gigabytes.
    batches: tuple[Batch, ...] = field(repr=False)
    tally: Tally
    wrong: tuple[tuple[Batch, Checked], ...] = field(repr=False)
    _by_call: dict[str, list[tuple[Batch, Checked]]] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        for batch in self.batches:
            for checked in batch.checked:
                calls = {part.name for part in walk(checked.predicate) if isinstance(part, Call)}
                for name in ("", *calls):
                    self._by_call.setdefault(name, []).append((batch, checked))

    def predicates(self, calls: frozenset[str] = frozenset()) -> Iterator[tuple[Batch, Checked]]:
        """Yields the predicates that call one of the given functions, or all predicates if none is given."""
        for name in sorted(calls) or [""]:
            yield from self._by_call.get(name, ())


@pytest.fixture(scope="session")
def oracle(spark: SparkSession) -> SparkOracle:
    """Spark, in its own session."""
    return SparkOracle(spark)


@pytest.fixture(scope="session")
def campaign(oracle: SparkOracle, pytestconfig: pytest.Config) -> Campaign:
    """2,000 predicates, or 20,000 if all cases run, the same in every run."""
    wanted = 20_000 if pytestconfig.getoption("--full") else 2_000
    tally = Tally()
    seen: list[Batch] = []
    wrong: list[tuple[Batch, Checked]] = []
    for batch in batches(oracle, 1):
        seen.append(batch)
        wrong += ((batch, checked) for checked in violations(batch, tally))
        if tally.predicates >= wanted:
            break
    return Campaign(wanted, tuple(seen), tally, tuple(wrong))


class FurtherBatches:
    """Batches beyond those of the campaign, drawn on demand and kept."""

    def __init__(self, oracle: SparkOracle, campaign: Campaign) -> None:
        self._coming = islice(batches(oracle, campaign.wanted // BATCH + 1), _FURTHER)
        self._drawn: list[Batch] = []

    def __iter__(self) -> Iterator[Batch]:
        yield from self._drawn
        for batch in self._coming:
            self._drawn.append(batch)
            yield batch


@pytest.fixture(scope="session")
def further(oracle: SparkOracle, campaign: Campaign) -> FurtherBatches:
    """Catches mutants that the campaign happens to miss."""
    return FurtherBatches(oracle, campaign)
