"""The campaign of ranges: tables with random histories, and every kind of incremental query of them."""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event

from pyspark.sql import SparkSession

from tests.e2e.harness.session import Session

from ..frame import Campaign, Tally
from ..program import hive_session
from ..slices.history import Step
from .asking import Asked, Outcome, asked
from .questions import LARGE, Size, Written, written
from .rule import BROKEN


@dataclass(frozen=True, slots=True)
class Ranges(Campaign[Written]):
    """Ranges of tables, one table per seed.

    Attributes:
        spark: Writes the tables and provides the correct rows.
        session: Answers in Hive.
        size: Size of the tables.
        first: The first steps of the histories of some seeds.
    """

    spark: SparkSession
    session: Session
    size: Size = LARGE
    first: Mapping[int, Sequence[Step]] = field(default_factory=dict)
    unit = "ranges"

    def drawn(self, seed: int, folder: Path, is_over: Event) -> Written:
        """Writes a table and draws ranges of it."""
        return written(self.spark, folder, seed, self.size, self.first.get(seed, ()))

    def wrong(self, case: Written, tally: Tally) -> Iterator[Asked]:
        """Yields the wrong answers."""
        tally["tables"] += 1
        for each in asked(self.session, case):
            tally.update(_counts(each))
            if each.is_wrong:
                yield each

    def too_little(self, tally: Tally) -> Iterator[str]:
        """Yields the broken rules that show in no range, and the kinds of ranges that are missing."""
        yield from (f"no range shows that {name}" for name in BROKEN if not tally[others_if(name)])
        if tally["with rows"] * 2 < tally[self.unit]:
            yield "fewer than half of the ranges have a row"
        if not tally["with a base file older than the range"]:
            yield "no row is in a slice whose base file is older than the range"
        if not tally["with a key twice"]:
            yield "no slice has several rows with the same key"
        if tally[Outcome.UNDECIDED.value] * 20 > tally[self.unit]:
            yield "of more than a twentieth of the ranges the right rows are not known"


@contextmanager
def ranges(spark: SparkSession) -> Iterator[Ranges]:
    """Opens the campaign, on its own server."""
    with tempfile.TemporaryDirectory() as home, hive_session(home) as session:
        yield Ranges(spark, session)


def others_if(name: str) -> str:
    """Names the count of ranges for which a broken rule returns other rows."""
    return f"of other rows if {name}"


def _counts(asked: Asked) -> Tally:
    question = asked.question
    return Tally(
        {
            Ranges.unit: 1,
            asked.outcome.value: 1,
            "with rows": question.in_range > 0,
            "with a base file older than the range": question.is_beyond,
            "with a key twice": question.repeats_a_key,
            "with a filter": question.where is not None,
            f"by {question.way}": 1,
            **{others_if(name): 1 for name in question.told_apart},
        }
    )
