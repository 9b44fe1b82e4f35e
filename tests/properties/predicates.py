"""Checks random predicates against Spark: a file with a row for which one is TRUE must be kept.

A file that `p IS NOT TRUE` skips is one in which every row matches p; `SELECT count(*)` does not open it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from pyspark.sql import SparkSession

from pycompiler.compile.expression.model import Unknown

from .batch import Batch, batch
from .frame import Campaign, Tally
from .shrinking import WrongSkip, shrunk
from .spark_oracle import SparkOracle


@dataclass(frozen=True, slots=True)
class Predicates(Campaign[Batch]):
    """Predicates, 400 per table."""

    oracle: SparkOracle
    unit = "predicates"
    workers = 1

    def drawn(self, seed: int, folder: Path, is_over: Event) -> Batch:
        """Draws a table and predicates, and has Spark evaluate them."""
        return batch(self.oracle, seed)

    def wrong(self, case: Batch, tally: Tally) -> Iterator[WrongSkip]:
        """Yields the predicates, and opposites, that skip a file with a passing row."""
        files = len(case.table.files)
        tally["refused by Spark"] += len(case.refused)
        for checked in case.checked:
            expression, skipped = case.skipped(checked.predicate)
            tally[self.unit] += 1
            tally["used"] += not isinstance(expression.root, Unknown)
            tally["files"] += files
            tally["without a match"] += files - len(checked.matching)
            tally["skipped"] += len(skipped)
            if skipped & checked.matching:
                yield shrunk(self.oracle, case, checked)
        for opposite in case.opposites:
            _, skipped = case.skipped(opposite.predicate)
            tally["with matches only"] += files - len(opposite.matching)
            tally["known to be"] += len(skipped)
            if skipped & opposite.matching:
                yield shrunk(self.oracle, case, opposite)


@contextmanager
def predicates(spark: SparkSession) -> Iterator[Predicates]:
    """Opens the campaign."""
    yield Predicates(SparkOracle(spark))
