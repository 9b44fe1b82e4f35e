"""The campaign of slices: tables with random histories, checked at several moments of these."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Final

from pyspark.sql import SparkSession

from pycompiler.spark.causes import cause_of
from pycompiler.spark.jvm import JavaError
from tests.hudi_releases import release_of

from ..frame import Campaign, Tally
from ..spark_oracle import SparkOracle
from .handler import Handler, Slice
from .rule import BROKEN
from .state import LARGE, Size, State, states
from .wrong import Wrong, shrunk, wrong

_LEAST_SKIPPED: Final = 0.1
"""Minimum share of slices without a match that must be skipped for a campaign to mean anything."""


@dataclass(frozen=True, slots=True)
class Slices(Campaign[list[State]]):
    """States of tables, one table per seed.

    Attributes:
        spark: Spark session.
        handler: Lists the tables.
        size: Size of the tables.
    """

    spark: SparkSession
    handler: Handler
    size: Size = LARGE
    unit = "slices with logs"

    def drawn(self, seed: int, folder: Path, is_over: Event) -> list[State]:
        """Draws the states of a table.

        Releases of Hudi since 1.1 fail to write, or to read in Spark, what some histories lead to; such a
        table is checked up to there.
        """
        may_fail = release_of(self.spark).newest_version >= 9
        found: list[State] = []
        try:
            for state in states(self.spark, self.handler, folder, seed, self.size):
                if is_over.is_set():
                    break
                found.append(state)
        except JavaError as error:
            if not may_fail:
                raise
            print(f"   Hudi fails at table {seed} after {len(found)} states: {cause_of(error)}", flush=True)
        return found

    def wrong(self, case: list[State], tally: Tally) -> Iterator[Wrong]:
        """Yields what is wrong in the states of a table, with small predicates."""
        tally["tables"] += 1
        for state in case:
            tally.update(_counts(state))
            yield from (shrunk(SparkOracle(self.spark), found) for found in wrong(state))

    def too_little(self, tally: Tally) -> Iterator[str]:
        """Yields the broken rules that have lost nothing, and whether too little was skipped."""
        yield from (f"no slice shows that {name}" for name in BROKEN if not tally[lost_if(name)])
        if tally["skipped"] <= tally["without a match"] * _LEAST_SKIPPED:
            yield "too little was skipped"


@contextmanager
def slices(spark: SparkSession) -> Iterator[Slices]:
    """Opens the campaign."""
    with Handler() as handler:
        yield Slices(spark, handler)


def lost_if(name: str) -> str:
    """Names the count of slices with logs that a broken rule would have lost."""
    return f"lost if {name}"


def _counts(state: State) -> Tally:
    """Counts a state; all but the last of the counts are of slices with logs."""
    logs = {number for number, of in enumerate(state.slices) if of.logs}
    answers = state.answers
    tally = Tally(
        {
            Slices.unit: len(logs),
            "without a base file": sum(state.slices[number].base is None for number in logs),
            "with a log that the index does not know": sum(
                any(answers[0].votes[number].unknown) for number in logs if answers
            ),
            "with a key twice": sum(_repeats_a_key(state.slices[number]) for number in logs),
            "under a predicate": len(logs) * len(answers),
            "without a match": sum(len(logs - answer.checked.matching) for answer in answers),
            "skipped": sum(len(logs - answer.kept) for answer in answers),
            "other slices": len(state.slices) - len(logs),
            "states": 1,
            "predicates": len(answers),
            "predicates refused by Spark": state.refused,
        }
    )
    for name, rule in BROKEN.items():
        tally[lost_if(name)] = sum(
            len((logs & answer.checked.matching) - answer.kept_by(rule)) for answer in answers
        )
    return tally


def _repeats_a_key(of: Slice) -> bool:
    return len({key for _, key in of.rows}) < len(of.rows)
