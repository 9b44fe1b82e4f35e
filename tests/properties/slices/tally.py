"""Counts what a campaign has checked."""

from collections import Counter
from dataclasses import dataclass, field

from .campaign import State
from .handler import Slice
from .rule import BROKEN


@dataclass(slots=True)
class Tally:
    """Counts of a campaign.

    Attributes:
        states: Table states.
        tables: Seeds of the tables.
        with_logs: File slices with logs.
        without_base: Those without a base file.
        not_indexed: Those with a file that the index does not cover.
        repeated: Those with a key in several rows.
        other: File slices without logs.
        predicates: Predicates, each over one state.
        refused: Predicates that Spark rejected.
        checks: Slices with logs, counted once per predicate.
        without_match: Those without a passing row.
        skipped: Those skipped.
        caught: For each broken rule, how many slices with logs it would have lost.
    """

    states: int = 0
    tables: set[int] = field(default_factory=set)
    with_logs: int = 0
    without_base: int = 0
    not_indexed: int = 0
    repeated: int = 0
    other: int = 0
    predicates: int = 0
    refused: int = 0
    checks: int = 0
    without_match: int = 0
    skipped: int = 0
    caught: Counter[str] = field(default_factory=Counter)

    def add(self, state: State) -> None:
        """Counts a state."""
        logs = frozenset(number for number, of in enumerate(state.slices) if of.logs)
        self.states += 1
        self.tables.add(state.seed)
        self.with_logs += len(logs)
        self.without_base += sum(state.slices[number].base is None for number in logs)
        self.repeated += sum(_repeats_a_key(state.slices[number]) for number in logs)
        self.other += len(state.slices) - len(logs)
        self.predicates += len(state.answers)
        self.refused += state.refused
        if state.answers:
            self.not_indexed += sum(
                any(known.unknown) for number, known in enumerate(state.answers[0].votes) if number in logs
            )
        for answer in state.answers:
            matching = answer.checked.matching
            self.checks += len(logs)
            self.without_match += len(logs - matching)
            self.skipped += len(logs - answer.kept)
            for name, rule in BROKEN.items():
                self.caught[name] += len((logs & matching) - answer.kept_by(rule))

    @property
    def not_caught(self) -> list[str]:
        """The broken rules that have lost nothing so far."""
        return [name for name in BROKEN if not self.caught[name]]

    def __str__(self) -> str:
        return (
            f"{self.with_logs:,} slices with logs ({self.without_base:,} without a base file, "
            f"{self.not_indexed:,} with a log that the index does not know, "
            f"{self.repeated:,} with a key twice) and {self.other:,} others, "
            f"in {self.states:,} states of {len(self.tables):,} tables; {self.predicates:,} predicates, "
            f"{self.refused:,} refused by Spark; {self.checks:,} slices with logs under a predicate, "
            f"{self.without_match:,} without a match, {self.skipped:,} skipped"
        )


def _repeats_a_key(of: Slice) -> bool:
    return len({key for _, key in of.rows}) < len(of.rows)
