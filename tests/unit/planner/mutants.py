"""Rules of the planner, each broken on purpose: a plan must become wrong."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import pytest

from pycompiler.expression.model import Operator, Ranges
from pycompiler.planner import generator, keys, plans, scans, spans
from pycompiler.planner.generator import PartitionFilterGenerator
from pycompiler.planner.keys import EncodedValue, KeyLayout
from pycompiler.planner.plans import ScanPlan
from pycompiler.planner.scans import Scan, ScanMarker, Subtree
from pycompiler.planner.spans import Place, Span
from pycompiler.values.outcomes import Outcomes


@dataclass(frozen=True)
class Mutant:
    """A defect.

    Attributes:
        name: What is wrong.
        apply: Breaks it, until the patch is undone.
        is_beyond_the_bounds: Whether it shows only in plans that go beyond the bounds.
    """

    name: str
    apply: Callable[[pytest.MonkeyPatch], None]
    is_beyond_the_bounds: bool = False


def _setting(name: str, owner: object, attribute: str, broken: object, *, bounds: bool = False) -> Mutant:
    return Mutant(name, lambda patch: patch.setattr(owner, attribute, broken), bounds)


_marker: Final = ScanMarker.of
_spans_of: Final = spans.spans_of
_points_of: Final = spans.points_of
_intersection: Final = ScanPlan.intersection
_split: Final = ScanPlan.split
_merged: Final = scans.merged
_leaf: Final = PartitionFilterGenerator._leaf
_outcomes: Final = generator.outcomes_of
_value: Final = KeyLayout.value
_united: Final = plans.united
_union: Final = plans.union


def _zero_byte(layout: KeyLayout, values: Sequence[EncodedValue], *, after: bool) -> ScanMarker:
    found = _marker(layout, values, after=after)
    return replace(found, row=layout.prefix(values) + b"\0") if after else found


def _never_after(layout: KeyLayout, values: Sequence[EncodedValue], *, after: bool) -> ScanMarker:
    return _marker(layout, values, after=after and not values)


def _always_after(layout: KeyLayout, values: Sequence[EncodedValue], *, after: bool) -> ScanMarker:
    return _marker(layout, values, after=after or bool(values))


def _null_among_values(outcomes: Outcomes) -> list[Span]:
    return [
        span._replace(low=None) if span.low == Place(None, True) else span for span in _spans_of(outcomes)
    ]


def _null_forgotten(outcomes: Outcomes) -> list[Span]:
    return _spans_of(replace(outcomes, null=False)) or _spans_of(outcomes)


def _first_span(outcomes: Outcomes) -> list[Span]:
    return _spans_of(outcomes)[:1]


def _first_point(outcomes: Outcomes) -> tuple[EncodedValue, ...] | None:
    points = _points_of(outcomes)
    return points and points[:1]


def _points_without_null(outcomes: Outcomes) -> tuple[EncodedValue, ...] | None:
    return outcomes.values.as_points or _points_of(outcomes)


def _only_the_first(self: ScanPlan, other: ScanPlan) -> ScanPlan:
    return self


def _without_others(self: ScanPlan, other: ScanPlan) -> ScanPlan | None:
    found = _intersection(self, other)
    return found and replace(found, others=self.others)


def _empty_kept(self: ScanPlan, other: ScanPlan) -> ScanPlan | None:
    return _intersection(self, other) or self


def _without_filters(self: ScanPlan, most: int) -> list[Scan]:
    return [replace(scan, filter=None) for scan in _split(self, most)]


def _tests_of_later_columns(self: ScanPlan, first: int) -> Iterable[Subtree]:
    return _tests(self, min(first + 1, len(self.wanted)))


_tests: Final = ScanPlan._tests


def _not_merged(parts: Iterable[Scan]) -> list[Scan]:
    return sorted(parts, key=lambda scan: scan.start)


def _first_filter(conditions: Iterable[Subtree | None]) -> Subtree | None:
    return next(iter(conditions))


def _both_filters(conditions: Iterable[Subtree | None]) -> Subtree | None:
    return scans.all_of(condition for condition in conditions if condition is not None)


def _joined_anyway(first: ScanPlan, second: ScanPlan) -> ScanPlan | None:
    return replace(first, wanted=tuple(map(Outcomes.__or__, first.wanted, second.wanted)))


def _joined_whatever_else(first: ScanPlan, second: ScanPlan) -> ScanPlan | None:
    return plans_joined(replace(first, others=()), replace(second, others=())) and replace(
        first, wanted=tuple(map(Outcomes.__or__, first.wanted, second.wanted))
    )


plans_joined: Final = plans._joined


def _as_the_first(members: Sequence[ScanPlan]) -> ScanPlan:
    return replace(_united(members), wanted=members[0].wanted)


def _without_decision(members: Sequence[ScanPlan]) -> ScanPlan:
    return replace(_united(members), others=())


def _first_members(layout: KeyLayout, members: Sequence[ScanPlan]) -> Any:
    return _union(layout, members[: plans.MAX_PLANS])


def _all_as_and(self: PartitionFilterGenerator, operator: Operator, parts: Any) -> Any:
    return _group(self, Operator.AND, parts)


def _all_as_or(self: PartitionFilterGenerator, operator: Operator, parts: Any) -> Any:
    return _group(self, Operator.OR, parts)


_group: Final = PartitionFilterGenerator._group


def _wrong_column(self: PartitionFilterGenerator, node: Any) -> Any:
    found = _leaf(self, node)
    are_alike = len({column.type for column in self._layout.columns}) == 1
    return replace(found, wanted=found.wanted[::-1]) if isinstance(found, ScanPlan) and are_alike else found


def _foreign_is_never(self: PartitionFilterGenerator, node: Any) -> Any:
    found = _leaf(self, node)
    is_whole = isinstance(found, ScanPlan) and found == ScanPlan.whole(self._layout)
    return plans.MultiScanPlan(self._layout, ()) if is_whole else found


def _ends_exchanged(test: Any) -> Outcomes:
    other = {Operator.LT: Operator.LTEQ, Operator.LTEQ: Operator.LT, Operator.GT: Operator.GTEQ}
    if isinstance(test, Ranges) or test.operator not in other:
        return _outcomes(test)
    return _outcomes(replace(test, operator=other[test.operator]))


def _null_passes(test: Any) -> Outcomes:
    return replace(_outcomes(test), null=True)


def _first_value(self: KeyLayout, key: bytes, column: int) -> EncodedValue:
    return _value(self, key, 0)


def _unescaped(value: bytes) -> bytes:
    return value + b"\x00\x01"


def _without_end(value: bytes) -> bytes:
    return value.replace(b"\x00", b"\x00\xff")


def _length_first(value: bytes) -> bytes:
    return len(value).to_bytes(2, "big") + value


MUTANTS: Final = (
    _setting("a zero byte for the successor", ScanMarker, "of", staticmethod(_zero_byte)),
    _setting("every end excluded, every start included", ScanMarker, "of", staticmethod(_never_after)),
    _setting("every end included, every start excluded", ScanMarker, "of", staticmethod(_always_after)),
    _setting("NULL among the values", plans, "spans_of", _null_among_values),
    _setting("NULL forgotten in ranges", plans, "spans_of", _null_forgotten),
    _setting("the first range only", plans, "spans_of", _first_span),
    _setting("the first value of IN only", plans, "points_of", _first_point),
    _setting("NULL forgotten beside values", plans, "points_of", _points_without_null),
    _setting("AND keeps one side", ScanPlan, "intersection", _only_the_first),
    _setting("AND forgets a filter", ScanPlan, "intersection", _without_others),
    _setting("a contradiction is one side", ScanPlan, "intersection", _empty_kept),
    _setting("scans without filters", ScanPlan, "split", _without_filters),
    _setting("the filter forgets a column", ScanPlan, "_tests", _tests_of_later_columns),
    _setting("overlapping scans", plans, "merged", _not_merged),
    _setting("of overlapping scans one filter", scans, "any_of", _first_filter),
    _setting("of overlapping scans both filters", scans, "any_of", _both_filters),
    _setting("boxes joined that differ in two columns", plans, "_joined", _joined_anyway),
    _setting("boxes joined whatever else they ask", plans, "_joined", _joined_whatever_else),
    _setting("beyond the bound the first only", plans, "union", _first_members, bounds=True),
    _setting("beyond the bound the range of the first", plans, "united", _as_the_first, bounds=True),
    _setting("beyond the bound no filter", plans, "united", _without_decision, bounds=True),
    _setting("OR as AND", PartitionFilterGenerator, "_group", _all_as_and),
    _setting("AND as OR", PartitionFilterGenerator, "_group", _all_as_or),
    _setting("leaves of other columns", PartitionFilterGenerator, "_leaf", _wrong_column),
    _setting("a leaf that is no key is never TRUE", PartitionFilterGenerator, "_leaf", _foreign_is_never),
    _setting("< as <=", generator, "outcomes_of", _ends_exchanged),
    _setting("NULL passes every test", generator, "outcomes_of", _null_passes),
    _setting("offsets of the first value", KeyLayout, "value", _first_value),
    _setting("zeros not escaped", keys, "_ended", _unescaped),
    _setting("values without an end", keys, "_ended", _without_end),
    _setting("length before the value", keys, "_ended", _length_first),
)
