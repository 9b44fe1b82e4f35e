"""From column tests to leaves: the rules of each type, with the reason why no matching file is lost.

A rule may only widen: whatever row makes the test TRUE must make the leaf TRUE of the stored value.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from pycompiler.compiler.gate import have_common_decimal, mismatch
from pycompiler.compiler.terms import Term, TermBuilder
from pycompiler.encoding import encode_value, prefix_successor
from pycompiler.expression.model import Leaf, Operator
from pycompiler.predicate.model import Column, Comparison, Literal, LiteralValue
from pycompiler.types import ValueKind

_OPERATORS: Final = {
    Comparison.EQ: Operator.EQ,
    Comparison.NE: Operator.NE,
    Comparison.LT: Operator.LT,
    Comparison.LTEQ: Operator.LTEQ,
    Comparison.GT: Operator.GT,
    Comparison.GTEQ: Operator.GTEQ,
}
_EQUALITIES: Final = frozenset({Operator.EQ, Operator.IN})
_INEQUALITIES: Final = frozenset({Operator.NE, Operator.NOT_IN})
_LAST_AGREED_CHARACTER: Final = "\ud7ff"
# A stored instant is shown in the zone of the JVM that reads it: offsets span 26 hours, and calendars were
# changed by hours at zone changes. 36 hours leave room.
_ZONE_MICROS: Final = 36 * 3600 * 1_000_000


class InexpressibleError(Exception):
    """A test that no leaf is wide enough for; the message is the reason, for people."""


class LeafBuilder:
    """Makes the leaves for tests of one column."""

    def __init__(self, column: Column, terms: TermBuilder) -> None:
        self._column = column
        self._terms = terms

    def null_test(self, operator: Operator) -> Term:
        """IS_NULL or IS_NOT_NULL."""
        return self._leaf(operator)

    def comparison(self, comparison: Comparison, literal: Literal) -> Term:
        """`column comparison literal`, for every comparison but `<=>`; a literal of NULL is TRUE for no row.

        Raises:
            InexpressibleError: Nothing can be said.
        """
        if literal.value is None:
            return self._terms.never
        return self._test(_OPERATORS[comparison], [literal])

    def membership(self, literals: Sequence[Literal], *, negated: bool) -> Term:
        """`column [NOT] IN (literals)`.

        Raises:
            InexpressibleError: Nothing can be said.
        """
        present = [literal for literal in literals if literal.value is not None]
        if not present or (negated and len(present) < len(literals)):
            # NOT IN with a NULL is FALSE or NULL, and so is IN of NULLs alone.
            return self._terms.never
        if self._column.type.kind is ValueKind.DECIMAL and not have_common_decimal(
            [self._column.type, *(literal.type for literal in present if literal.type.precision is not None)]
        ):
            raise InexpressibleError("Hive rounds the decimals of this IN to a common type")
        return self._test(Operator.NOT_IN if negated else Operator.IN, present)

    def between(self, low: Literal, high: Literal, *, negated: bool) -> Term:
        """`column [NOT] BETWEEN low AND high`, by its definition; with inverted ends it is TRUE for no row.

        Raises:
            InexpressibleError: Nothing can be said of one of the ends: Hive may convert all three sides.
        """
        if negated:
            # NOT (x >= low AND x <= high): one NULL end leaves the other to decide.
            outside = [self.comparison(Comparison.LT, low), self.comparison(Comparison.GT, high)]
            return self._terms.disjunction(outside)
        inside = [self.comparison(Comparison.GTEQ, low), self.comparison(Comparison.LTEQ, high)]
        return self._terms.conjunction(inside)

    def _test(self, operator: Operator, literals: Sequence[Literal]) -> Term:
        values: list[LiteralValue] = []
        for literal in literals:
            reason = mismatch(self._column.type, literal.type)
            if reason is not None:
                raise InexpressibleError(reason)
            assert literal.value is not None
            values.append(literal.value)
        match self._column.type.name:
            case "float" | "double":
                self._check_floats(operator, values)
            case "string":
                self._check_order(operator, values)
            case "varchar":
                return self._varchar(operator, [str(value) for value in values])
            case "char":
                return self._char(operator, [str(value) for value in values])
            case "timestamp":
                return self._timestamp(operator, [int(value) for value in values])
        return self._leaf(operator, *values)

    def _check_floats(self, operator: Operator, values: Sequence[LiteralValue]) -> None:
        numbers = [float(value) for value in values]
        if any(math.isnan(number) for number in numbers):
            raise InexpressibleError("comparisons with NaN are not used for skipping")
        if operator in _INEQUALITIES and 0.0 in numbers:
            # -0.0 IN (0.0) is FALSE in Hive, so a file of nothing but -0.0 has rows with NOT IN.
            raise InexpressibleError("Hive's = and its IN disagree on -0.0")

    def _check_order(self, operator: Operator, values: Sequence[LiteralValue]) -> None:
        if operator in _EQUALITIES or operator in _INEQUALITIES:
            return
        # Up to U+D7FF a character sorts below all others in both orders, or at the same place; above, they
        # part.
        if any(character > _LAST_AGREED_CHARACTER for value in values for character in str(value)):
            raise InexpressibleError("Hive orders characters above U+DFFF in two ways")

    def _varchar(self, operator: Operator, values: Sequence[str]) -> Term:
        """The row's value is the first n characters of the stored string x: a prefix p of x.

        A literal v of more characters equals no p, or Hive cuts it as well; v cut to n is right for both.
        """
        self._check_order(operator, values)
        length = self._column.type.length or 0
        cut = [value[:length] for value in values]
        match operator:
            case Operator.EQ | Operator.IN:
                # p = v puts x among the strings that begin with v.
                return self._any_prefix(cut)
            case Operator.NE | Operator.NOT_IN:
                # x = v of at most n characters makes p = v. A longer v excludes no x.
                whole = [value for value in values if len(value) <= length]
                return self._leaf(operator, *whole) if whole else self._leaf(Operator.IS_NOT_NULL)
            case Operator.LT if len(values[0]) <= length:
                # If p < v then x < v: p is all of x, or differs from v within p.
                return self._leaf(operator, values[0])
            case Operator.LT | Operator.LTEQ:
                # p <= v puts x below, or among, the strings that begin with v.
                return self._up_to_prefix(cut[0])
        # GT, GTEQ: x >= p, so x is above whatever p is above.
        return self._leaf(operator, cut[0])

    def _char(self, operator: Operator, values: Sequence[str]) -> Term:
        """As varchar, without trailing spaces: x begins with the literal less its trailing spaces."""
        if operator not in _EQUALITIES:
            raise InexpressibleError(
                "char columns are compared without their padding, which only = and IN allow for"
            )
        length = self._column.type.length or 0
        return self._any_prefix([value.rstrip(" ")[:length].rstrip(" ") for value in values])

    def _timestamp(self, operator: Operator, values: Sequence[int]) -> Term:
        """The stored instant is within 36 hours of what the row shows."""
        match operator:
            case Operator.LT | Operator.LTEQ:
                return self._leaf(operator, values[0] + _ZONE_MICROS)
            case Operator.GT | Operator.GTEQ:
                return self._leaf(operator, values[0] - _ZONE_MICROS)
            case Operator.EQ | Operator.IN:
                return self._terms.disjunction(self._around(low, high) for low, high in _merged(values))
        raise InexpressibleError(
            "a timestamp is shown in the reader's zone, which != and NOT IN cannot allow for"
        )

    def _around(self, low: int, high: int) -> Term:
        floor = self._leaf(Operator.GTEQ, low - _ZONE_MICROS)
        return self._terms.conjunction([floor, self._leaf(Operator.LTEQ, high + _ZONE_MICROS)])

    def _any_prefix(self, prefixes: Sequence[str]) -> Term:
        return self._terms.disjunction(self._prefix(prefix) for prefix in sorted(set(prefixes)))

    def _prefix(self, prefix: str) -> Term:
        return self._terms.conjunction([self._leaf(Operator.GTEQ, prefix), self._up_to_prefix(prefix)])

    def _up_to_prefix(self, prefix: str) -> Term:
        successor = prefix_successor(prefix.encode("utf-8"))
        # Every string begins with the empty one.
        return self._leaf(Operator.IS_NOT_NULL) if successor is None else self._leaf(Operator.LT, successor)

    def _leaf(self, operator: Operator, *values: LiteralValue | bytes) -> Term:
        column = self._column
        try:
            encoded = sorted({encode_value(column.type, value) for value in values})
        except ValueError as error:
            raise InexpressibleError(f"the constant is out of range: {error}") from error
        if len(encoded) == 1:
            # One value in a list is a comparison; the same test has one form only.
            operator = {Operator.IN: Operator.EQ, Operator.NOT_IN: Operator.NE}.get(operator, operator)
        return self._terms.leaf(Leaf(operator, column.name, column.type, tuple(encoded)))


def _merged(values: Sequence[int]) -> list[tuple[int, int]]:
    """Joins timestamps whose surroundings touch, so that an IN of many close ones is one range."""
    spans: list[tuple[int, int]] = []
    for value in sorted(values):
        if spans and value - spans[-1][1] <= 2 * _ZONE_MICROS:
            spans[-1] = (spans[-1][0], value)
        else:
            spans.append((value, value))
    return spans
