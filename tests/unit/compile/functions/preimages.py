"""Inverting a call through the registry, as the compiler does."""

import random
from collections.abc import Iterator, Mapping, Sequence

from pycompiler.compile.functions import registry
from pycompiler.compile.functions.condition import AllOf, AnyOf, Condition, Member
from pycompiler.compile.predicate.model import Call, Column, Literal
from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.outcomes import Outcomes
from pycompiler.compile.values.range_set import End, Range, RangeSet


def member_of(call: Call, wanted: Outcomes) -> Member | None:
    """What a rule requires of the call's one operand; None if there is no rule."""
    found = registry.invert(call, wanted)
    if found is None:
        return None
    _, condition = found
    assert isinstance(condition, Member)
    return condition


def preimage(call: Call, wanted: Outcomes) -> Outcomes:
    """The operand's outcomes that allow a wanted result; there must be a rule."""
    condition = member_of(call, wanted)
    assert condition is not None, "no rule"
    return condition.outcomes


def holds(condition: Condition, row: Mapping[str, bytes | None]) -> bool:
    """Whether a condition about columns and constants holds for a row of encoded values."""
    match condition:
        case AllOf(parts):
            return all(holds(part, row) for part in parts)
        case AnyOf(parts):
            return any(holds(part, row) for part in parts)
        case Member(Column(name), outcomes):
            return outcomes.has(row[name])
        case Member(Literal(hive_type, value), outcomes):
            return outcomes.has(None if value is None else encode_value(hive_type, value))
        case Member(Call() as call, outcomes):
            found = registry.invert(call, outcomes)
            return found is None or holds(found[1], row)
    return True


def random_sets(results: Sequence[bytes], chosen: random.Random) -> Iterator[RangeSet]:
    """Sets of results: single ones, several, all but one, and ranges with either kind of end."""
    low, high = sorted(chosen.choices(results, k=2))
    yield RangeSet.point(low)
    yield RangeSet.points(chosen.choices(results, k=5))
    yield RangeSet.point(low).complement()
    yield RangeSet.above(low, included=chosen.random() < 0.5)
    yield RangeSet.below(high, included=chosen.random() < 0.5)
    yield RangeSet.of([Range(End(low, chosen.random() < 0.5), End(high, chosen.random() < 0.5))])
