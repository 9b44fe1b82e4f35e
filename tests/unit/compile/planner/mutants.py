"""Rules of the planner, each broken on purpose: a plan must become wrong."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import pytest

from pycompiler.compile.expression.model import Operator, Ranges
from pycompiler.compile.planner import generator, keys, plans, scans
from pycompiler.compile.planner.generator import PartitionFilterGenerator
from pycompiler.compile.planner.key_spans import Place
from pycompiler.compile.planner.keys import EncodedValue, KeyLayout
from pycompiler.compile.planner.plans import ScanPlan
from pycompiler.compile.planner.scans import ScanMarker, Subtree
from pycompiler.compile.values.outcomes import Outcomes


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


def _mutant(
    name: str, owner: Any, attribute: str, change: Callable[..., Any], *, bounds: bool = False
) -> Mutant:
    """A function replaced by `change`, which gets the original and its arguments."""
    original = getattr(owner, attribute)

    def broken(*arguments: Any, **keywords: Any) -> Any:
        return change(original, *arguments, **keywords)

    is_static = isinstance(vars(owner)[attribute], staticmethod)
    found = staticmethod(broken) if is_static else broken
    return Mutant(name, lambda patch: patch.setattr(owner, attribute, found), bounds)


def _zero_byte(of: Any, layout: KeyLayout, values: Sequence[EncodedValue], *, after: bool) -> Any:
    found = of(layout, values, after=after)
    return replace(found, row=layout.prefix(values) + b"\0") if after else found


def _null_among_values(spans_of: Any, outcomes: Outcomes) -> Any:
    spans = spans_of(outcomes)
    return [span._replace(low=None) if span.low == Place(None, True) else span for span in spans]


def _without_others(intersection: Any, first: ScanPlan, second: ScanPlan) -> Any:
    found = intersection(first, second)
    return found and replace(found, others=first.others)


def _both_filters(_: Any, conditions: Iterable[Subtree | None]) -> Any:
    return scans.all_of(condition for condition in conditions if condition is not None)


def _joined_anyway(_: Any, first: ScanPlan, second: ScanPlan) -> Any:
    return replace(first, wanted=tuple(map(Outcomes.__or__, first.wanted, second.wanted)))


def _joined_whatever_else(joined: Any, first: ScanPlan, second: ScanPlan) -> Any:
    found = joined(replace(first, others=()), replace(second, others=()))
    return found and replace(found, others=first.others)


def _wrong_column(leaf: Any, self: PartitionFilterGenerator, node: Any) -> Any:
    found = leaf(self, node)
    are_alike = len({column.type for column in self._layout.columns}) == 1
    members = tuple(replace(member, wanted=member.wanted[::-1]) for member in found.members)
    return replace(found, members=members) if are_alike else found


def _foreign_is_never(leaf: Any, self: PartitionFilterGenerator, node: Any) -> Any:
    found = leaf(self, node)
    is_whole = found.members == (ScanPlan.whole(self._layout),)
    return replace(found, members=()) if is_whole else found


def _ends_exchanged(outcomes: Any, test: Any) -> Any:
    other = {Operator.LT: Operator.LTEQ, Operator.LTEQ: Operator.LT, Operator.GT: Operator.GTEQ}
    if isinstance(test, Ranges) or test.operator not in other:
        return outcomes(test)
    return outcomes(replace(test, operator=other[test.operator]))


MUTANTS: Final = (
    _mutant("a zero byte for the successor", ScanMarker, "of", _zero_byte),
    _mutant(
        "every end excluded, every start included",
        ScanMarker,
        "of",
        lambda of, layout, values, after: of(layout, values, after=after and not values),
    ),
    _mutant(
        "every end included, every start excluded",
        ScanMarker,
        "of",
        lambda of, layout, values, after: of(layout, values, after=after or bool(values)),
    ),
    _mutant("NULL among the values", plans, "spans_of", _null_among_values),
    _mutant(
        "NULL forgotten in ranges",
        plans,
        "spans_of",
        lambda spans_of, outcomes: spans_of(replace(outcomes, null=False)) or spans_of(outcomes),
    ),
    _mutant("the first range only", plans, "spans_of", lambda spans_of, outcomes: spans_of(outcomes)[:1]),
    _mutant(
        "the first value of IN only",
        plans,
        "points_of",
        lambda points_of, outcomes: (points := points_of(outcomes)) and points[:1],
    ),
    _mutant(
        "NULL forgotten beside values",
        plans,
        "points_of",
        lambda points_of, outcomes: outcomes.values.as_points or points_of(outcomes),
    ),
    _mutant("AND keeps one side", ScanPlan, "intersection", lambda _, first, second: first),
    _mutant("AND forgets a filter", ScanPlan, "intersection", _without_others),
    _mutant(
        "a contradiction is one side",
        ScanPlan,
        "intersection",
        lambda intersection, first, second: intersection(first, second) or first,
    ),
    _mutant(
        "scans without filters",
        ScanPlan,
        "split",
        lambda split, plan, most: [replace(scan, filter=None) for scan in split(plan, most)],
    ),
    _mutant(
        "the filter forgets a column",
        ScanPlan,
        "_tests",
        lambda tests, plan, first: tests(plan, min(first + 1, len(plan.wanted))),
    ),
    _mutant(
        "overlapping scans", plans, "merged", lambda _, parts: sorted(parts, key=lambda scan: scan.start)
    ),
    _mutant("of overlapping scans one filter", scans, "any_of", lambda _, conditions: next(iter(conditions))),
    _mutant("of overlapping scans both filters", scans, "any_of", _both_filters),
    _mutant("boxes joined that differ in two columns", plans, "_joined", _joined_anyway),
    _mutant("boxes joined whatever else they ask", plans, "_joined", _joined_whatever_else),
    _mutant(
        "beyond the bound the first only",
        generator,
        "union",
        lambda union, layout, members: union(layout, members[: plans.MAX_PLANS]),
        bounds=True,
    ),
    _mutant(
        "beyond the bound the range of the first",
        plans,
        "united",
        lambda united, members: replace(united(members), wanted=members[0].wanted),
        bounds=True,
    ),
    _mutant(
        "beyond the bound no filter",
        plans,
        "united",
        lambda united, members: replace(united(members), others=()),
        bounds=True,
    ),
    _mutant(
        "OR as AND",
        PartitionFilterGenerator,
        "_group",
        lambda group, self, _, parts: group(self, Operator.AND, parts),
    ),
    _mutant(
        "AND as OR",
        PartitionFilterGenerator,
        "_group",
        lambda group, self, _, parts: group(self, Operator.OR, parts),
    ),
    _mutant("leaves of other columns", PartitionFilterGenerator, "_leaf", _wrong_column),
    _mutant("a leaf that is no key is never TRUE", PartitionFilterGenerator, "_leaf", _foreign_is_never),
    _mutant("< as <=", generator, "outcomes_of", _ends_exchanged),
    _mutant(
        "NULL passes every test",
        generator,
        "outcomes_of",
        lambda outcomes, test: replace(outcomes(test), null=True),
    ),
    _mutant(
        "offsets of the first value", KeyLayout, "value", lambda value, self, key, column: value(self, key, 0)
    ),
    _mutant("zeros not escaped", keys, "ended", lambda _, value: value + b"\x00\x01"),
    _mutant("values without an end", keys, "ended", lambda _, value: value.replace(b"\x00", b"\x00\xff")),
    _mutant("length before the value", keys, "ended", lambda _, value: len(value).to_bytes(2, "big") + value),
)
