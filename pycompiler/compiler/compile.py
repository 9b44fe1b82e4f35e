"""From a predicate to a HudiExpression: NOT goes down to the leaves, which say which files they can match.

Under three-valued logic NOT over AND is OR over NOT, and the other way round, exactly; a leaf knows its own
opposite. What is not expressible keeps every file, and so does its opposite.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from pycompiler.compiler.leaves import InexpressibleError, LeafBuilder
from pycompiler.compiler.terms import Term, TermBuilder
from pycompiler.expression.model import HudiExpression, Operator, Unknown
from pycompiler.predicate.model import (
    And,
    Between,
    ColumnTest,
    Compare,
    Comparison,
    Constant,
    In,
    IsNull,
    Not,
    Opaque,
    Or,
    Predicate,
    Truth,
)
from pycompiler.predicate.text import describe_test

_OPPOSITE: Final = {
    Comparison.EQ: Comparison.NE,
    Comparison.NE: Comparison.EQ,
    Comparison.LT: Comparison.GTEQ,
    Comparison.LTEQ: Comparison.GT,
    Comparison.GT: Comparison.LTEQ,
    Comparison.GTEQ: Comparison.LT,
}


@dataclass(frozen=True, slots=True)
class Unused:
    """A term of the filter that skips nothing, and why; both for people."""

    term: str
    reason: str


@dataclass(frozen=True, slots=True)
class Compilation:
    """A compiled filter: the expression, and the terms that it could not use."""

    expression: HudiExpression
    unused: tuple[Unused, ...]


def compile_predicate(
    predicate: Predicate, *, also: Sequence[Predicate] = (), fingerprint: bytes = b""
) -> Compilation:
    """Compiles a filter.

    Args:
        predicate: The filter.
        also: Other readings of the same filter. Each keeps every file with a matching row, so that a file
            need be kept only if all of them keep it. Their unused terms are not reported.
        fingerprint: Copied into the expression.
    """
    compiler = _Compiler()
    root = compiler.compile(predicate)
    unused = tuple(dict.fromkeys(compiler.unused))
    terms = compiler.terms
    root = terms.conjunction([root, *(compiler.compile(other) for other in also)])
    return Compilation(HudiExpression(terms.post_order(root), fingerprint), unused)


class _Signed(NamedTuple):
    """A predicate or its opposite."""

    predicate: Predicate
    negated: bool


class _Pending(NamedTuple):
    """An AND or OR whose `arity` terms are compiled before it."""

    operator: Operator
    arity: int


class _Compiler:
    def __init__(self) -> None:
        self.terms = TermBuilder()
        self.unused: list[Unused] = []

    def compile(self, predicate: Predicate) -> Term:
        """Compiles without recursion, so that no depth is too great."""
        waiting: list[_Signed | _Pending] = [_Signed(predicate, False)]
        done: list[Term] = []
        while waiting:
            match waiting.pop():
                case _Pending(operator, arity):
                    parts = done[len(done) - arity :]
                    del done[len(done) - arity :]
                    join = self.terms.conjunction if operator is Operator.AND else self.terms.disjunction
                    done.append(join(parts))
                case _Signed(Not(term), negated):
                    waiting.append(_Signed(term, not negated))
                case _Signed(And() | Or() as group, negated):
                    operator = _operator(group, negated)
                    parts_of_group = _flatten(operator, group, negated)
                    waiting.append(_Pending(operator, len(parts_of_group)))
                    waiting.extend(reversed(parts_of_group))
                case _Signed(Constant(truth), negated):
                    done.append(self._constant(truth, negated))
                case _Signed(Opaque(term, reason), _):
                    done.append(self._unknown(term, reason))
                case _Signed(test, negated):
                    assert isinstance(test, Compare | In | Between | IsNull)
                    done.append(self._test(test, negated))
        return done.pop()

    def _constant(self, truth: Truth, negated: bool) -> Term:
        if truth is (Truth.FALSE if negated else Truth.TRUE):
            return self.terms.leaf(Unknown("the filter is true for every row"))
        # FALSE or NULL, and NOT NULL is NULL: no row passes.
        return self.terms.never

    def _unknown(self, term: str, reason: str) -> Term:
        self.unused.append(Unused(term, reason))
        return self.terms.leaf(Unknown(reason))

    def _test(self, test: ColumnTest, negated: bool) -> Term:
        leaves = LeafBuilder(test.column, self.terms)
        try:
            match test:
                case IsNull():
                    return leaves.null_test(Operator.IS_NOT_NULL if negated else Operator.IS_NULL)
                case In():
                    return leaves.membership(test.values, negated=negated)
                case Between():
                    return leaves.between(test.low, test.high, negated=negated)
                case Compare(Comparison.NULL_SAFE_EQ):
                    return self._null_safe(leaves, test, negated)
                case Compare():
                    operator = _OPPOSITE[test.operator] if negated else test.operator
                    return leaves.comparison(operator, test.literal)
        except InexpressibleError as error:
            text = describe_test(test)
            return self._unknown(f"not ({text})" if negated else text, str(error))

    def _null_safe(self, leaves: LeafBuilder, test: Compare, negated: bool) -> Term:
        if test.literal.value is None:
            return leaves.null_test(Operator.IS_NOT_NULL if negated else Operator.IS_NULL)
        if not negated:
            return leaves.comparison(Comparison.EQ, test.literal)
        # Not the same as v: another value, or NULL.
        other = leaves.comparison(Comparison.NE, test.literal)
        return self.terms.disjunction([other, leaves.null_test(Operator.IS_NULL)])


def _operator(group: And | Or, negated: bool) -> Operator:
    return Operator.AND if isinstance(group, And) is not negated else Operator.OR


def _flatten(operator: Operator, group: And | Or, negated: bool) -> list[_Signed]:
    """Gives the terms of nested groups of one operator as one list, in order; NOTs are counted on the way."""
    flat: list[_Signed] = []
    waiting = [_Signed(group, negated)]
    while waiting:
        signed = waiting.pop()
        match signed.predicate:
            case Not(term):
                waiting.append(_Signed(term, not signed.negated))
            case And(terms) | Or(terms) as inner if _operator(inner, signed.negated) is operator:
                waiting.extend(_Signed(term, signed.negated) for term in reversed(terms))
            case _:
                flat.append(signed)
    return flat
