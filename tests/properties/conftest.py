"""Runs random predicates through Spark once, for all tests in this folder."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Final

import pytest
from pyspark.sql import SparkSession

from pycompiler.compile.predicate.model import Call
from pycompiler.compile.predicate.walk import walk

from .batch import BATCH, Batch, Checked
from .frame import Outcome, drawn_ahead, run
from .predicates import Predicates
from .spark_oracle import SparkOracle

_FURTHER: Final = 10
"""Batches drawn after those of the run."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """The predicates of a run.

    Attributes:
        wanted: The least number of predicates.
        outcome: The outcome.
    """

    wanted: int
    outcome: Outcome[Batch]
    _by_call: dict[str, list[tuple[Batch, Checked]]] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        for batch in self.outcome.cases:
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
def drawn(oracle: SparkOracle, pytestconfig: pytest.Config) -> Drawn:
    """2,000 predicates, or 20,000 if all cases run, the same in every run."""
    wanted = 20_000 if pytestconfig.getoption("--full") else 2_000
    return Drawn(wanted, run(Predicates(oracle), count(1), wanted, keeps_cases=True))


class FurtherBatches:
    """Batches beyond those of the run, drawn on demand and kept."""

    def __init__(self, oracle: SparkOracle, drawn: Drawn) -> None:
        first = drawn.wanted // BATCH + 1
        self._coming = drawn_ahead(Predicates(oracle), range(first, first + _FURTHER))
        self._drawn: list[Batch] = []

    def __iter__(self) -> Iterator[Batch]:
        yield from self._drawn
        for batch in self._coming:
            self._drawn.append(batch)
            yield batch


@pytest.fixture(scope="session")
def further(oracle: SparkOracle, drawn: Drawn) -> FurtherBatches:
    """Catches mutants that the run happens to miss."""
    return FurtherBatches(oracle, drawn)
