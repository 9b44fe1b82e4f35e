"""Breaks rules on purpose. Each broken compiler or evaluator loses rows, and a test must notice."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

import pytest

from pycompiler.compile.compiler import (
    column_leaf,
    comparisons,
    compile,
    expression_builder,
    pairs,
    stored_values,
)
from pycompiler.compile.compiler.truth_values import Truths
from pycompiler.compile.expression import column_difference, column_pair, evaluator, single_column
from pycompiler.compile.expression.bloom import BloomFilter
from pycompiler.compile.expression.content import AllValues, Content
from pycompiler.compile.expression.model import (
    ColumnDifference,
    ColumnPair,
    Leaf,
    Operator,
    Ranges,
)
from pycompiler.compile.expression.statistics import ColumnStatistics
from pycompiler.compile.functions import column_differences, zoned
from pycompiler.compile.functions.condition import AllOf, AnyOf, Condition, Member
from pycompiler.compile.functions.registry import BUILT_IN
from pycompiler.compile.functions.rule import FunctionRule
from pycompiler.compile.functions.texts.casts import TimestampAsText
from pycompiler.compile.functions.zoned import DateFormat, FromUnixtime, UnixTimestamp
from pycompiler.compile.predicate.model import Call, Column, Comparison, Literal
from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.outcomes import Outcomes
from pycompiler.compile.values.range_set import EMPTY, FULL, End, Range, RangeSet

Patch: TypeAlias = pytest.MonkeyPatch


@dataclass(frozen=True, slots=True)
class Mutant:
    """A defect.

    Attributes:
        name: What is wrong.
        apply: Introduces the defect, until the patch is undone.
        calls: Only predicates that call one of these functions are affected. Empty: all predicates.
        types: Only predicates with a column of one of these types are affected. Empty: all predicates.
    """

    name: str
    apply: Callable[[Patch], None]
    calls: frozenset[str] = frozenset()
    types: tuple[str, ...] = ()


_WITH_ROOM: Final = (DateFormat, FromUnixtime, UnixTimestamp, TimestampAsText)
"""Rules that keep extra hours or a day at both ends, if only as timestamps: no row is close enough to an end
to be lost."""


def of_rules() -> Iterator[Mutant]:
    """Each registered rule claims too little, in two ways."""
    for rule in BUILT_IN:
        if type(rule).invert is not FunctionRule.invert and not _says_nothing(rule):
            if not isinstance(rule, _WITH_ROOM):
                yield _rule_mutant(rule, "forgets the ends of its ranges", _without_ends)
            yield _rule_mutant(rule, "forgets all values", _without_values)


def _says_nothing(rule: FunctionRule) -> bool:
    """Rules that only fold constants have no condition to break."""
    return type(rule).__name__ == "ConstantText"


def _rule_mutant(rule: FunctionRule, defect: str, change: Callable[[Outcomes], Outcomes]) -> Mutant:
    original = type(rule).invert

    def broken(self: FunctionRule, call: Call, wanted: Outcomes) -> Condition | None:
        found = original(self, call, wanted)
        # Members that are conditions themselves have no ranges.
        return None if found is None else _changed(found, change)

    def apply(patch: Patch) -> None:
        patch.setattr(type(rule), "invert", broken)

    return Mutant(f"{type(rule).__name__} {defect}", apply, frozenset(rule.names))


def _changed(condition: Condition, change: Callable[[Outcomes], Outcomes]) -> Condition:
    match condition:
        case Member(operand, outcomes):
            return Member(operand, change(outcomes))
        case AllOf(parts):
            return AllOf(tuple(_changed(part, change) for part in parts))
        case AnyOf(parts):
            return AnyOf(tuple(_changed(part, change) for part in parts))
        case ColumnDifference():
            return replace(condition, differences=change(Outcomes(condition.differences, False)).values)
    return condition


def _less_one_value(contents: Mapping[str, Content]) -> dict[str, Content]:
    return {
        kind: AllValues(content.values[:-1]) if isinstance(content, AllValues) else content
        for kind, content in contents.items()
    }


def _without_values(outcomes: Outcomes) -> Outcomes:
    return Outcomes(EMPTY, outcomes.null)


def _without_ends(outcomes: Outcomes) -> Outcomes:
    return Outcomes(RangeSet.of(_open(range_) for range_ in outcomes.values.ranges), outcomes.null)


def _open(range_: Range) -> Range:
    low, high = range_.low, range_.high
    return Range(
        None if low is None else End(low.value, False), None if high is None else End(high.value, False)
    )


def _setting(name: str, owner: object, attribute: str, broken: object, *calls: str) -> Mutant:
    def apply(patch: Patch) -> None:
        patch.setattr(owner, attribute, broken)

    return Mutant(name, apply, frozenset(calls))


# The evaluator.

_may_be_true: Final = single_column.may_be_true
_pair_may_be_true: Final = column_pair.pair_may_be_true


def _evaluator(name: str, change: Callable[[Any, ColumnStatistics], tuple[Any, ColumnStatistics]]) -> Mutant:
    def broken(test: Leaf | Ranges, statistics: ColumnStatistics) -> bool:
        return _may_be_true(*change(test, statistics))

    return _setting(name, evaluator, "may_be_true", broken)


def _operator(test: Leaf | Ranges, wrong: dict[Operator, Operator]) -> Leaf | Ranges:
    if isinstance(test, Leaf) and test.operator in wrong:
        return replace(test, operator=wrong[test.operator])
    return test


def _swapped_operators(name: str, wrong: dict[Operator, Operator]) -> Mutant:
    return _evaluator(name, lambda test, statistics: (_operator(test, wrong), statistics))


def _only(test: Leaf | Ranges, operators: Sequence[Operator]) -> bool:
    return isinstance(test, Leaf) and test.operator in operators


def _on(operators: Sequence[Operator], **wrong: Callable[[ColumnStatistics], Any]) -> Callable[..., Any]:
    def change(test: Leaf | Ranges, known: ColumnStatistics) -> tuple[Leaf | Ranges, ColumnStatistics]:
        if not _only(test, operators):
            return test, known
        return test, replace(known, **{part: make(known) for part, make in wrong.items()})

    return change


def _of_ranges(test: Any, known: ColumnStatistics) -> tuple[Any, ColumnStatistics]:
    return test, replace(known, lower=known.upper) if isinstance(test, Ranges) else known


def _open_ranges(test: Any, known: ColumnStatistics) -> tuple[Any, ColumnStatistics]:
    if not isinstance(test, Ranges):
        return test, known
    opened = RangeSet.of(_open(range_) for range_ in test.ranges.ranges)
    return (test if opened.is_empty else replace(test, ranges=opened)), known


def _first_member(test: Any, known: ColumnStatistics) -> tuple[Any, ColumnStatistics]:
    return (replace(test, values=test.values[:1]) if _only(test, [Operator.IN]) else test), known


def _pair_swapped(pair: ColumnPair, left: ColumnStatistics, right: ColumnStatistics) -> bool:
    return _pair_may_be_true(pair, right, left)


def _pair_strict(pair: ColumnPair, left: ColumnStatistics, right: ColumnStatistics) -> bool:
    wrong = Operator.LT_COLUMN if pair.operator is Operator.LTEQ_COLUMN else pair.operator
    return _pair_may_be_true(replace(pair, operator=wrong), left, right)


def _pair_equal_never(pair: ColumnPair, left: ColumnStatistics, right: ColumnStatistics) -> bool:
    if pair.operator is Operator.EQ_COLUMN:
        return left.lower == right.lower and _pair_may_be_true(pair, left, right)
    return _pair_may_be_true(pair, left, right)


def _pair_different_never(pair: ColumnPair, left: ColumnStatistics, right: ColumnStatistics) -> bool:
    if pair.operator is Operator.NE_COLUMN:
        return left.lower != right.lower
    return _pair_may_be_true(pair, left, right)


def of_evaluator() -> Iterator[Mutant]:
    """Defects in each operator and each kind of statistics."""
    yield _swapped_operators("<= as <", {Operator.LTEQ: Operator.LT})
    yield _swapped_operators(">= as >", {Operator.GTEQ: Operator.GT})
    yield _swapped_operators("< as >", {Operator.LT: Operator.GT})
    yield _swapped_operators("> as <", {Operator.GT: Operator.LT})
    yield _swapped_operators("!= as =", {Operator.NE: Operator.EQ})
    yield _swapped_operators("NOT IN as IN", {Operator.NOT_IN: Operator.IN})
    yield _evaluator("= of the upper bound only", _on([Operator.EQ], lower=lambda known: known.upper))
    yield _evaluator("< against the upper bound", _on([Operator.LT], lower=lambda known: known.upper))
    yield _evaluator("> against the lower bound", _on([Operator.GT], upper=lambda known: known.lower))
    yield _evaluator(
        "!= of any file with the value as bound", _on([Operator.NE], upper=lambda known: known.lower)
    )
    yield _evaluator("IN of the first member only", _first_member)
    yield _evaluator("ranges against the upper bound", _of_ranges)
    yield _evaluator("ranges without their ends", _open_ranges)
    yield _evaluator(
        "IS NULL where NULLs are thought to be none", _on([Operator.IS_NULL], null_count=lambda _: 0)
    )
    yield _evaluator(
        "all NULL if one is",
        _on(
            list(Operator),
            null_count=lambda known: known.value_count if known.null_count else known.null_count,
        ),
    )
    yield _evaluator("NaN forgotten", lambda test, known: (test, replace(known, nan_count=0)))
    yield _evaluator(
        "value sets of which one is missing",
        lambda test, known: (test, replace(known, contents=_less_one_value(known.contents))),
    )
    yield _setting("Bloom filters that deny", BloomFilter, "might_contain", lambda self, value: False)
    yield _setting("columns compared the wrong way round", evaluator, "pair_may_be_true", _pair_swapped)
    yield _setting("<= of columns as <", evaluator, "pair_may_be_true", _pair_strict)
    yield _setting("= of columns for equal bounds only", evaluator, "pair_may_be_true", _pair_equal_never)
    yield _setting(
        "!= of columns never for equal bounds", evaluator, "pair_may_be_true", _pair_different_never
    )


_difference_may_be_wanted: Final = column_difference.difference_may_be_wanted


def _difference_swapped(test: ColumnDifference, left: ColumnStatistics, right: ColumnStatistics) -> bool:
    return _difference_may_be_wanted(test, right, left)


def _difference_of_lower(test: ColumnDifference, left: ColumnStatistics, right: ColumnStatistics) -> bool:
    return _difference_may_be_wanted(test, replace(left, upper=left.lower), replace(right, upper=right.lower))


def of_differences() -> Iterator[Mutant]:
    """Defects in differences of columns: their leaf, and arithmetic at the ends of types."""
    leaf = "difference_may_be_wanted"
    yield _setting("differences the wrong way round", evaluator, leaf, _difference_swapped)
    yield _setting("differences of the lower bounds only", evaluator, leaf, _difference_of_lower)
    yield Mutant("bigints that do not wrap around", _apply_saturation)
    yield _setting("sums that do not wrap around", column_differences, "_exact", lambda *_: FULL)
    yield _setting("differences that do not wrap around", column_differences, "FAR", 0)
    yield _setting("offsets with the wrong sign", column_differences, "_step", _step_backwards)
    # But for days, which would be compared with dates as what they are not.
    shifted = column_differences.Shifted
    yield _setting("comparisons of sums as those of columns", shifted, "is_column", property(_is_no_day))
    yield _setting("days of timestamps in UTC", column_difference, "ZONE_MICROS", 0)
    hours = 3600 * 1_000_000
    yield _setting("days of timestamps in few zones", column_difference, "ZONE_MICROS", 6 * hours)


def _apply_saturation(patch: Patch) -> None:
    for name, end in (("_LEAST", -(1 << 65)), ("_GREATEST", 1 << 65)):
        patch.setattr(column_difference, name, end)
    patch.setattr(column_difference, "encode_value", _saturated)


def _saturated(hive_type: Any, value: int) -> bytes:
    return encode_value(hive_type, min(max(value, -(1 << 63)), (1 << 63) - 1))


def _is_no_day(self: column_differences.Shifted) -> bool:
    return not self.is_day


_step: Final = column_differences._step


def _step_backwards(call: Call) -> Any:
    found = _step(call)
    return None if found is None else (found[0], -found[1], found[2])


# The compiler.

_sides: Final = comparisons._sides


def _wrong_opposite(self: Truths) -> Truths:
    return self


def _opposite_of_null(self: Truths) -> Truths:
    return Truths.ALL & ~self


def _or_as_and(self: Any, terms_of: Any) -> Any:
    return self.conjunction(terms_of)


def _null_is_no_outcome(hive_outcomes: Callable[..., Outcomes]) -> Callable[..., Outcomes]:
    return lambda *arguments: replace(hive_outcomes(*arguments), null=False)


def _membership_without_null(hive_type: Any, literals: Sequence[Literal], wanted: Truths) -> Outcomes:
    present = [literal for literal in literals if literal.value is not None]
    return comparisons.membership_outcomes(hive_type, present or literals, wanted)


def _sides_strict(operator: Comparison, *rest: Any) -> tuple[RangeSet, RangeSet]:
    strict = {Comparison.LTEQ: Comparison.LT, Comparison.GTEQ: Comparison.GT}
    holds, _ = _sides(strict.get(operator, operator), *rest)
    _, fails = _sides(operator, *rest)
    return holds, fails


def _sides_exchanged(operator: Comparison, *rest: Any) -> tuple[RangeSet, RangeSet]:
    holds, fails = _sides(operator, *rest)
    return fails, holds


def _null_safe_as_equal(hive_type: Any, literal: Literal, wanted: Truths) -> Outcomes:
    if literal.value is None:
        return Outcomes(EMPTY, False)
    return comparisons.comparison_outcomes(Comparison.EQ, hive_type, literal, wanted)


def _all_of_is_first(sets: Sequence[RangeSet]) -> RangeSet:
    return RangeSet.of([_open(range_) for part in sets[:1] for range_ in part.ranges])


def of_compiler() -> Iterator[Mutant]:
    """Defects in truth values, literals, columns and terms."""
    yield _setting("NOT changes nothing", Truths, "opposite", property(_wrong_opposite))
    yield _setting("NOT of NULL is TRUE", Truths, "opposite", property(_opposite_of_null))
    yield _setting("OR as AND", expression_builder.ExpressionBuilder, "disjunction", _or_as_and)
    yield _setting("<= compiled as <", comparisons, "_sides", _sides_strict)
    yield _setting("TRUE and FALSE exchanged", comparisons, "_sides", _sides_exchanged)
    yield _setting("<=> as =", comparisons, "_null_safe", _null_safe_as_equal)
    yield _setting(
        "a comparison is never NULL",
        compile,
        "comparison_outcomes",
        _null_is_no_outcome(comparisons.comparison_outcomes),
    )
    yield _setting("IS NULL is never TRUE", compile, "null_outcomes", lambda wanted: Outcomes(EMPTY, False))
    yield _setting("IN forgets its NULL", compile, "membership_outcomes", _membership_without_null)
    yield _setting(
        "ranges that lose an end when intersected", RangeSet, "all_of", staticmethod(_all_of_is_first)
    )
    yield _setting("zones forgotten", stored_values, "ZONE_MICROS", 0)
    yield _setting("the session's zone forgotten", zoned, "_OFFSET", 0, "from_unixtime", "unix_timestamp")
    yield _setting(
        "opposites of column pairs", pairs, "_OPPOSITE", {operator: operator for operator in pairs._OPPOSITE}
    )
    yield _setting("column pairs not mirrored", pairs, "_pair", _straight)
    yield _setting(
        "contradictions everywhere",
        column_leaf.Membership,
        "is_impossible",
        property(lambda self: not self.outcomes.null),
    )


def _straight(operator: Comparison, left: Column, right: Column) -> ColumnPair:
    wrong = {Comparison.GT: Operator.LT_COLUMN, Comparison.GTEQ: Operator.LTEQ_COLUMN}
    of_pair = wrong.get(operator) or pairs._NODES[operator]
    return ColumnPair(of_pair, left.name, left.type, right.name, right.type)


# What only Hive does.

_membership: Final = comparisons.membership_outcomes


def _numbers_only(
    operator: Comparison, hive_type: Any, value: bytes, literal: Literal
) -> tuple[RangeSet, RangeSet]:
    holds = (
        RangeSet.point(value)
        if operator in (Comparison.EQ, Comparison.NE)
        else comparisons._ordered(operator, value)
    )
    fails = holds.complement()
    return (fails, holds) if operator is Comparison.NE else (holds, fails)


def _members_only(hive_type: Any, literals: Sequence[Literal], wanted: Truths) -> Outcomes:
    zero = comparisons._ZERO.complement()
    found = _membership(hive_type, literals, wanted)
    return replace(found, values=found.values & zero) if wanted == Truths.FALSE else found


def of_hives_own() -> Iterator[Mutant]:
    """Padding, truncation, NaN, -0.0 and string order, where Spark differs from one of Hive's modes."""
    for types, mutant in (
        (
            ("varchar(2)",),
            _setting("varchar as string", stored_values, "_varchar", lambda values, length: values),
        ),
        (("char(2)",), _setting("char as string", stored_values, "_char", lambda values, length: values)),
        (
            ("char(2)",),
            _setting("ends of char as they are", stored_values, "_of_padded", lambda range_, length: range_),
        ),
        (
            ("char(2)",),
            _setting("nothing below padding", stored_values, "_is_below_padding", lambda value: False),
        ),
        (("timestamp",), _setting("timestamps as they are", stored_values, "ZONE_MICROS", 0)),
        (("double",), _setting("0.0 is not -0.0", comparisons, "_sides", _numbers_only)),
        (("double",), _setting("-0.0 IN (0.0)", compile, "membership_outcomes", _members_only)),
        (("string",), _setting("one order of strings", comparisons, "_LAST_AGREED_CHARACTER", "\U0010ffff")),
        (
            ("string", "string"),
            _setting("one order of strings of columns", column_pair, "_is_ordered_alike", lambda _: True),
        ),
        (
            ("double", "double"),
            _setting("NaN as a number in pairs", evaluator, "pair_may_be_true", _pair_without_nan),
        ),
    ):
        yield replace(mutant, types=types)


def _pair_without_nan(pair: ColumnPair, left: ColumnStatistics, right: ColumnStatistics) -> bool:
    return _pair_may_be_true(pair, replace(left, nan_count=0), replace(right, nan_count=0))
