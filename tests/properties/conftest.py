"""One run of random predicates through Spark, for all tests of this folder."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

import pytest
from pyspark.sql import SparkSession

from pycompiler.predicate.model import Call
from pycompiler.predicate.walk import walk

from .__main__ import batches
from .campaign import BATCH, Batch, Checked, Tally, violations
from .spark_oracle import SparkOracle

PREDICATES: Final = 20_000
_FURTHER: Final = 10
"""Batches beyond those of the campaign."""


@dataclass(frozen=True, slots=True)
class Campaign:
    """What a run has found.

    Attributes:
        batches: The tables and predicates.
        tally: How much was looked at.
        wrong: The predicates by which a file with a passing row is skipped.
    """

    # Not shown: it would be gigabytes of text for a test that fails.
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
        """The predicates that call one of some functions; all of them if none is named."""
        for name in sorted(calls) or [""]:
            yield from self._by_call.get(name, ())


@pytest.fixture(scope="session")
def oracle(spark: SparkSession) -> SparkOracle:
    """Spark, in a session of its own."""
    return SparkOracle(spark)


@pytest.fixture(scope="session")
def campaign(oracle: SparkOracle) -> Campaign:
    """20,000 predicates, always the same."""
    return Campaign(*_run(batches(oracle, 1), Tally()))


class FurtherBatches:
    """Batches beyond those of the campaign, drawn when they are asked for and kept."""

    def __init__(self, oracle: SparkOracle) -> None:
        self._coming = islice(batches(oracle, PREDICATES // BATCH + 1), _FURTHER)
        self._drawn: list[Batch] = []

    def __iter__(self) -> Iterator[Batch]:
        yield from self._drawn
        for batch in self._coming:
            self._drawn.append(batch)
            yield batch


@pytest.fixture(scope="session")
def further(oracle: SparkOracle) -> FurtherBatches:
    """What catches the mutants that the campaign does not happen to catch."""
    return FurtherBatches(oracle)


def _run(
    drawn: Iterator[Batch], tally: Tally
) -> tuple[tuple[Batch, ...], Tally, tuple[tuple[Batch, Checked], ...]]:
    seen: list[Batch] = []
    wrong: list[tuple[Batch, Checked]] = []
    for batch in drawn:
        seen.append(batch)
        wrong += violations([batch], tally)
        if tally.predicates >= PREDICATES:
            break
    return tuple(seen), tally, tuple(wrong)
