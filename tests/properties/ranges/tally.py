"""Counts what a campaign of ranges has checked."""

from collections import Counter
from dataclasses import dataclass, field

from .asking import Asked, Outcome
from .rule import BROKEN


@dataclass(slots=True)
class Tally:
    """Counts of a campaign.

    Attributes:
        tables: Seeds of the tables.
        ranges: Ranges queried.
        with_rows: Ranges with at least one row before the filter.
        beyond: Ranges with a row in a slice whose base file a commit outside the range wrote.
        repeated: Ranges with a key in several rows of a slice.
        filtered: Ranges with a filter.
        ways: Number of queries by way of running them.
        outcomes: Number of questions by outcome.
        told_apart: For each broken rule, the number of ranges for which it would return other rows.
    """

    tables: set[int] = field(default_factory=set)
    ranges: int = 0
    with_rows: int = 0
    beyond: int = 0
    repeated: int = 0
    filtered: int = 0
    ways: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    told_apart: Counter[str] = field(default_factory=Counter)

    def add(self, asked: Asked) -> None:
        """Counts a range."""
        question = asked.question
        self.tables.add(asked.table.seed)
        self.ranges += 1
        self.with_rows += question.in_range > 0
        self.beyond += question.is_beyond
        self.repeated += question.repeats_a_key
        self.filtered += question.where is not None
        self.ways[question.way] += 1
        self.outcomes[asked.outcome] += 1
        self.told_apart.update(question.told_apart)

    @property
    def shows_nothing_because(self) -> list[str]:
        """Returns why the campaign proves too little, if it does."""
        reasons = [f"no range shows that {name}" for name in BROKEN if not self.told_apart[name]]
        if self.with_rows * 2 < self.ranges:
            reasons.append("fewer than half of the ranges have a row")
        if not self.beyond:
            reasons.append("no row is in a slice whose base file is older than the range")
        if not self.repeated:
            reasons.append("no slice has several rows with the same key")
        if self.outcomes[Outcome.UNDECIDED] * 20 > self.ranges:
            reasons.append("of more than a twentieth of the ranges the right rows are not known")
        return reasons

    def __str__(self) -> str:
        ways = ", ".join(f"{count:,} {way}" for way, count in self.ways.most_common())
        outcomes = ", ".join(f"{count:,} {of.value}" for of, count in self.outcomes.most_common())
        return (
            f"{self.ranges:,} ranges of {len(self.tables):,} tables: {outcomes}; "
            f"{self.with_rows / max(1, self.ranges):.0%} with rows, "
            f"{self.beyond / max(1, self.ranges):.0%} with a base file older than the range, "
            f"{self.repeated:,} with a key twice, {self.filtered:,} with a filter; {ways}"
        )
