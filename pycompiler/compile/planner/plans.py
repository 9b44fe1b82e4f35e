"""Plans: which partitions a filter can match, combined by AND and OR.

A plan is a union of conjunctions (a disjunctive normal form). A conjunction states the allowed values of each
partition column, so AND intersects column by column and loses nothing: what ranges of keys cannot express
goes into the scan's filter.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Final

from pycompiler.compile.compiler.column_leaf import Membership
from pycompiler.compile.planner.key_spans import Place, Span, points_of, spans_of
from pycompiler.compile.planner.keys import EncodedValue, KeyLayout
from pycompiler.compile.planner.scans import Scan, ScanMarker, Subtree, all_of, any_of, merged, scans_text
from pycompiler.compile.values.outcomes import ANYTHING, Outcomes

MAX_PLANS: Final = 64
"""Most conjunctions in a plan. Beyond this, some are merged into a wider range, and a filter decides."""
MAX_SCANS: Final = 1_000
"""Most ranges for the conjunctions of a plan; beyond this, a column's condition becomes a filter."""


@dataclass(frozen=True)
class ScanPlan:
    """A conjunction, which a single scan can serve.

    Attributes:
        wanted: The allowed values of each partition column; none of these sets is empty.
        others: Conditions on several columns together.
    """

    layout: KeyLayout
    wanted: tuple[Outcomes, ...]
    others: tuple[Subtree, ...] = ()

    @staticmethod
    def whole(layout: KeyLayout) -> ScanPlan:
        """All partitions of the table."""
        return ScanPlan(layout, (ANYTHING,) * len(layout.columns))

    @property
    def is_whole(self) -> bool:
        """Whether the conjunction does not narrow the range of keys."""
        return not self.wanted or self.wanted[0].is_full

    def intersection(self, other: ScanPlan) -> ScanPlan | None:
        """The intersection; None if it is empty.

        A partition has a single value per column, which must be in both sets.
        """
        wanted = tuple(map(Outcomes.__and__, self.wanted, other.wanted))
        if any(outcomes.is_empty for outcomes in wanted):
            return None
        return ScanPlan(self.layout, wanted, tuple(dict.fromkeys((*self.others, *other.others))))

    def condition(self) -> Subtree | None:
        """The conjunction as one condition on the columns; None if every partition meets it."""
        return all_of((*self._tests(0), *self.others))

    def split(self, most: int) -> list[Scan]:
        """Divides the conjunction into at most `most` disjoint scans.

        While a column has a finite list of values, each combination gets its own scans; the next column
        contributes its ranges. Other values of these columns lie elsewhere in key order. Conditions on later
        columns become the filter.
        """
        heads: list[tuple[EncodedValue, ...]] = [()]
        for column, outcomes in enumerate(self.wanted):
            points = points_of(outcomes)
            if points is None or len(heads) * len(points) > most:
                return self._ranges(heads, column, most)
            heads = [(*head, point) for head in heads for point in points]
        return [self._between(head, Span(None, None), all_of(self.others)) for head in heads]

    def _ranges(self, heads: Sequence[tuple[EncodedValue, ...]], column: int, most: int) -> list[Scan]:
        spans = spans_of(self.wanted[column])
        decided = column + 1
        but_points = self.wanted[column].values.complement()
        if len(spans) > 1 and (but_points.as_points or len(heads) * len(spans) > most):
            # `!=`, NOT IN or too many: one range from the first to the last, and the filter tests the column.
            spans, decided = [Span(spans[0].low, spans[-1].high)], column
        condition = all_of((*self._tests(decided), *self.others))
        return [self._between(head, span, condition) for head in heads for span in spans]

    def _between(self, head: tuple[EncodedValue, ...], span: Span, condition: Subtree | None) -> Scan:
        return Scan(self._marker(head, span.low, False), self._marker(head, span.high, True), condition)

    def _marker(self, head: tuple[EncodedValue, ...], place: Place | None, after: bool) -> ScanMarker:
        if place is None:
            return ScanMarker.of(self.layout, head, after=after)
        return ScanMarker.of(self.layout, (*head, place.value), after=place.after)

    def _tests(self, first: int) -> Iterable[Subtree]:
        """The conditions on the columns from `first` on, each as the simplest leaf."""
        for column, outcomes in zip(self.layout.columns[first:], self.wanted[first:], strict=True):
            if not outcomes.is_full:
                yield Membership(column.name, column.type, outcomes, outcomes).nodes()


@dataclass(frozen=True)
class FilterPlan:
    """The partitions that a filter can match: those that any of the conjunctions selects."""

    layout: KeyLayout
    members: tuple[ScanPlan, ...]

    def and_(self, other: FilterPlan) -> FilterPlan:
        """The intersection: each conjunction of one plan combined with each of the other."""
        more, fewer = sorted((self.members, other.members), key=len, reverse=True)
        if len(more) * len(fewer) > MAX_PLANS:
            fewer = (united(fewer),)
        pairs = [first.intersection(second) for first, second in product(more, fewer)]
        return union(self.layout, [plan for plan in pairs if plan is not None])

    def scans(self) -> list[Scan]:
        """The scans of the catalogue, ascending and disjoint.

        If a conjunction covers the whole table, a single scan with a combined filter reads each key once.
        """
        plans = self.members
        if len(plans) > 1 and any(plan.is_whole for plan in plans):
            plans = (united(plans),)
        most = MAX_SCANS // max(1, len(plans))
        return merged(scan for plan in plans for scan in plan.split(most))

    def text(self) -> str:
        """The plan in the notation of docs/inside/formats.md."""
        return scans_text(self.layout, self.scans())


def union(layout: KeyLayout, plans: Sequence[ScanPlan]) -> FilterPlan:
    """The union of conjunctions; more than `MAX_PLANS` are merged."""
    members: list[ScanPlan] = []
    for position, plan in enumerate(plans):
        for place, member in enumerate(members):
            if (both := _joined(member, plan)) is not None:
                members[place] = both
                break
        else:
            members.append(plan)
        if len(members) > MAX_PLANS:
            return FilterPlan(layout, (united([*members, *plans[position + 1 :]]),))
    return FilterPlan(layout, tuple(members))


def united(plans: Sequence[ScanPlan]) -> ScanPlan:
    """One conjunction that covers a union of at least one: unites values by column, and filters the rest.

    A partition that meets one of the conditions has that condition's values in each column.
    """
    columns = zip(*(plan.wanted for plan in plans), strict=True)
    wanted = tuple(Outcomes.any_of(column) for column in columns)
    decides = any_of(plan.condition() for plan in plans)
    return replace(plans[0], wanted=wanted, others=() if decides is None else (decides,))


def _joined(first: ScanPlan, second: ScanPlan) -> ScanPlan | None:
    """One conjunction for two that differ in at most one column: A × B ∪ A × C = A × (B ∪ C)."""
    if first.others != second.others:
        return None
    different = [
        column
        for column, pair in enumerate(zip(first.wanted, second.wanted, strict=True))
        if pair[0] != pair[1]
    ]
    if len(different) > 1:
        return None
    return replace(first, wanted=tuple(map(Outcomes.__or__, first.wanted, second.wanted)))
