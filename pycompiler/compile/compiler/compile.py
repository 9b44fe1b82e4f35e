"""Compiles a predicate to a HudiExpression: wanted truth values go down, conditions on columns come back.

A file is kept if some row may make the filter TRUE. NOT wants FALSE from its term; AND is FALSE if any term
is. A test wants a set of values from its operand, and a function wants the values that yield them from its
argument.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from pycompiler.compile.compiler.budget import TooMuchWorkError, WorkBudget
from pycompiler.compile.compiler.column_leaf import Membership
from pycompiler.compile.compiler.comparable_types import mismatch
from pycompiler.compile.compiler.comparisons import (
    InexpressibleError,
    comparison_outcomes,
    membership_outcomes,
    null_outcomes,
)
from pycompiler.compile.compiler.constant_folding import folded
from pycompiler.compile.compiler.conversion import (
    are_compared_alike,
    common_type,
    converted,
    in_common_type,
    is_in_64_bits,
)
from pycompiler.compile.compiler.expression_builder import ExpressionBuilder, NodeId
from pycompiler.compile.compiler.hive_evaluation import hive_term
from pycompiler.compile.compiler.pairs import pair_condition, unknown_operand
from pycompiler.compile.compiler.stored_values import stored_outcomes
from pycompiler.compile.compiler.struct_in import STRUCT, struct_membership
from pycompiler.compile.compiler.trace import Rewrite, condition_text, member_text
from pycompiler.compile.compiler.truth_values import Truths
from pycompiler.compile.expression.model import (
    ColumnDifference,
    ColumnPair,
    HudiExpression,
    KindQuestion,
    Unknown,
)
from pycompiler.compile.expression.render import node_text
from pycompiler.compile.functions import registry
from pycompiler.compile.functions.condition import AllOf, AnyOf, Anything, Asked, Condition, Member
from pycompiler.compile.predicate.build import comparison
from pycompiler.compile.predicate.model import (
    And,
    Between,
    Call,
    Column,
    Compare,
    Comparison,
    Constant,
    In,
    IsNull,
    Literal,
    LiteralList,
    Not,
    Opaque,
    Operand,
    Or,
    Predicate,
    Test,
    type_of,
)
from pycompiler.compile.predicate.text import describe, shorten
from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.outcomes import ANYTHING, Outcomes
from pycompiler.compile.values.types import ValueKind

_OF_SEVERAL_WIDTHS: Final = (ValueKind.BOOLEAN, ValueKind.INTEGER, ValueKind.DECIMAL)
"""For these kinds, a file may store a wider type than the column's."""
_MAX_DEPTH: Final = 100
_TOO_DEEP: Final = Anything("nested too deeply")
_TOO_MUCH_WORK: Final = Anything("deriving a condition on the columns takes too many steps")


@dataclass(frozen=True, slots=True)
class Unused:
    """A term of the filter that skips nothing, and the reason, both for display."""

    term: str
    reason: str


@dataclass(frozen=True, slots=True)
class Compilation:
    """A compiled filter, the terms that could not be used, and the steps if they were requested."""

    expression: HudiExpression
    unused: tuple[Unused, ...]
    rewrites: tuple[Rewrite, ...] = ()


def compile_predicate(
    predicate: Predicate, *, also: Sequence[Predicate] = (), fingerprint: bytes = b"", trace: bool = False
) -> Compilation:
    """Compiles a filter; with `trace`, records the steps.

    `also` are other readings of the same filter. Each keeps every file with a matching row, so a file is kept
    only if all of them keep it. Their unused terms are not reported.
    """
    compiler = _Compiler(trace)
    root = compiler.predicate(predicate, Truths.TRUE)
    unused = tuple(dict.fromkeys(compiler.unused))
    rewrites = tuple(dict.fromkeys(compiler.rewrites))
    builder = compiler.builder
    others = [compiler.predicate(other, Truths.TRUE) for other in also]
    root = builder.conjunction([root, *others])
    return Compilation(HudiExpression(builder.post_order(root), fingerprint), unused, rewrites)


class _Compiler:
    def __init__(self, trace: bool) -> None:
        self.builder = ExpressionBuilder()
        self.unused: list[Unused] = []
        self.rewrites: list[Rewrite] = []
        self._trace = trace
        self._budget = WorkBudget()
        self._lists: dict[tuple[Column, LiteralList, Truths], NodeId | Anything] = {}

    def predicate(self, predicate: Predicate, wanted: Truths, depth: int = 0) -> NodeId:
        """Keeps the files in which some row may give the predicate a wanted truth value."""
        self._budget.take_step()
        while isinstance(predicate, Not):
            predicate, wanted = predicate.term, wanted.opposite
        if wanted is Truths.NONE:
            return self.builder.never
        if wanted == Truths.ALL:
            return self.builder.always
        if depth > _MAX_DEPTH:
            return self._unknown(describe(predicate), _TOO_DEEP.reason)
        match predicate:
            case And() | Or():
                return self._connective(predicate, wanted, depth)
            case Constant(truth):
                return self.builder.always if wanted.has(truth) else self.builder.never
            case Opaque(text, reason):
                return self._unknown(text, reason)
        return self._test(predicate, wanted, depth)

    def _connective(self, group: And | Or, wanted: Truths, depth: int) -> NodeId:
        """AND is TRUE if all terms are, FALSE if any is, else NULL; for OR, TRUE and FALSE are exchanged."""
        is_and = isinstance(group, And)
        terms = _flatten(group)
        all_alike, any_alike = (Truths.TRUE, Truths.FALSE) if is_and else (Truths.FALSE, Truths.TRUE)

        def each(of_term: Truths) -> Iterable[NodeId]:
            return (self.predicate(term, of_term, depth + 1) for term in terms)

        if not wanted & any_alike:
            # No term has the deciding value; if only NULL is wanted, some term must be NULL.
            found = self.builder.conjunction(each(wanted))
            if wanted == Truths.NULL:
                allowed = self.builder.conjunction(each(all_alike | Truths.NULL))
                return self.builder.conjunction([allowed, self.builder.disjunction(each(Truths.NULL))])
            return found
        if not wanted & all_alike:
            return self.builder.disjunction(each(wanted))
        # TRUE and FALSE are both wanted, NULL is not.
        return self.builder.disjunction(
            [self.builder.conjunction(each(all_alike)), self.builder.disjunction(each(any_alike))]
        )

    def _test(self, test: Test, wanted: Truths, depth: int) -> NodeId:
        found = self._bounded(lambda: self._found(test, wanted, depth))
        in_hive = hive_term(test, wanted)
        if in_hive is None:
            return self._unknown(describe(test), found.reason) if isinstance(found, Anything) else found
        exact = self.builder.leaf(in_hive)
        self._note("few values", lambda: describe(test), lambda: node_text(in_hive))
        return exact if isinstance(found, Anything) else self.builder.conjunction([found, exact])

    def _found(self, test: Test, wanted: Truths, depth: int) -> NodeId | Anything:
        """The node for a test; Anything if there is none."""
        match test:
            case In(Column() as column, LiteralList() as members):
                # All readings of a filter share the same lists of thousands of values.
                key = column, members, wanted
                if key not in self._lists:
                    self._lists[key] = self._subtree(self._condition(test, wanted), depth)
                return self._lists[key]
        return self._subtree(self._condition(test, wanted), depth)

    def _bounded(self, work: Callable[[], NodeId | Anything]) -> NodeId | Anything:
        """Works on a test of the filter within its budget, which nested tests share."""
        if self._budget.is_in_a_test:
            return work()
        unused, rewrites = len(self.unused), len(self.rewrites)
        try:
            with self._budget.share_of_a_test():
                return work()
        except TooMuchWorkError:
            del self.unused[unused:], self.rewrites[rewrites:]
            return _TOO_MUCH_WORK

    def _condition(self, test: Test, wanted: Truths) -> Condition:
        """What must hold for the operands if the test has a wanted truth value."""
        try:
            match test:
                case IsNull(value):
                    return Member(value, null_outcomes(wanted))
                case In(value, members):
                    return self._membership(value, members, wanted)
                case Between(value, low, high):
                    return _between(value, low, high, wanted)
                case Compare(operator, left, right):
                    test = comparison(operator, folded(left), folded(right))
                    if isinstance(test.right, Literal):
                        return self._comparison(test.operator, test.left, test.right, wanted)
                    return pair_condition(test.operator, test.left, test.right, wanted)
        except InexpressibleError as error:
            return Anything(str(error))

    def _comparison(self, operator: Comparison, left: Operand, literal: Literal, wanted: Truths) -> Condition:
        hive_type = type_of(left)
        if hive_type is None:
            return unknown_operand(left)
        if literal.value is not None and mismatch(hive_type, literal.type) is not None:
            target = common_type(hive_type, literal.type)
            value = None if target is None else converted(left, target)
            constant = None if target is None else converted(literal, target)
            if target is None or value is None or not isinstance(constant, Literal):
                raise InexpressibleError(mismatch(hive_type, literal.type) or "")
            before, after = Compare(operator, left, literal), Compare(operator, value, constant)
            self._note("comparison type", lambda: describe(before), lambda: describe(after))
            left, literal, hive_type = value, constant, target
        return Member(left, comparison_outcomes(operator, hive_type, literal, wanted))

    def _membership(
        self, value: Operand, members: tuple[Operand, ...] | LiteralList, wanted: Truths
    ) -> Condition:
        literals = _literals(members)
        if len(literals) == len(members) and type_of(value) is not None:
            tested, before = value, type_of(value)
            value, literals = in_common_type(value, literals)
            hive_type = type_of(value)
            assert hive_type is not None, "it is known before and after a conversion"
            if isinstance(tested, Call) and before != hive_type and is_in_64_bits(before):
                raise InexpressibleError("Hive may truncate the constants of this IN to 64 bits")
            return Member(value, membership_outcomes(hive_type, literals, wanted))
        if isinstance(value, Call) and value.name == STRUCT:
            return struct_membership(value, members, wanted)
        return unknown_operand(value, *members)

    def _subtree(self, condition: Condition, depth: int, *, inverted: bool = False) -> NodeId | Anything:
        """The node for a condition; Anything if there is none."""
        match condition:
            case Anything():
                return condition
            case Member(operand, outcomes):
                return self._member(operand, outcomes, depth, inverted=inverted)
            case ColumnPair() | ColumnDifference():
                return self.builder.leaf(condition)
            case Asked(kind, columns, question):
                return self._question(kind, columns, question)
            case AllOf(parts):
                known: list[NodeId] = []
                useless: list[Anything] = []
                for part in parts:
                    found = self._subtree(part, depth, inverted=inverted)
                    if found == self.builder.never:
                        return self.builder.never
                    if isinstance(found, Anything):
                        useless.append(found)
                    else:
                        known.append(found)
                return self.builder.conjunction(known) if known or not useless else useless[0]
            case AnyOf(parts):
                possible: list[NodeId] = []
                for part in parts:
                    found = self._subtree(part, depth, inverted=inverted)
                    if isinstance(found, Anything):
                        return found
                    possible.append(found)
                return self.builder.disjunction(possible)

    def _member(
        self, operand: Operand, outcomes: Outcomes, depth: int, *, inverted: bool = False
    ) -> NodeId | Anything:
        self._budget.take_step()
        if outcomes.is_full:
            return self.builder.always
        if depth > _MAX_DEPTH:
            return _TOO_DEEP
        match operand:
            case Column():
                return self._column(operand, outcomes, inverted)
            case Literal(hive_type, value, is_cut):
                if is_cut or (value is not None and hive_type.kind is None):
                    return Anything("the term references no column")
                encoded = None if value is None else encode_value(hive_type, value)
                return self.builder.always if outcomes.has(encoded) else self.builder.never
            case Call():
                return self._call(operand, outcomes, depth)
            case Opaque(_, reason):
                return Anything(reason)
        return self.predicate(operand, Truths.among(outcomes), depth + 1)

    def _question(self, kind: str, columns: Sequence[Column], question: bytes) -> NodeId | Anything:
        try:
            asked = tuple((column.name, column.type) for column in columns)
            return self.builder.leaf(KindQuestion(kind, question, asked))
        except ValueError as error:
            # For example, a column of a type whose stored values Hive alters.
            return Anything(str(error))

    def _column(self, column: Column, outcomes: Outcomes, inverted: bool) -> NodeId:
        stored, rule = stored_outcomes(column, outcomes)
        if rule is not None:
            self._note(rule, lambda: member_text(column, outcomes), lambda: member_text(column, stored))
        is_of_its_type = inverted and column.type.kind in _OF_SEVERAL_WIDTHS
        in_any_type = ANYTHING if is_of_its_type else stored
        return self.builder.leaf(Membership(column.name, column.type, stored, in_any_type))

    def _call(self, call: Call, outcomes: Outcomes, depth: int) -> NodeId | Anything:
        constant = folded(call)
        if not isinstance(constant, Call):
            return self._member(constant, outcomes, depth + 1)
        call = replace(call, arguments=tuple(map(folded, call.arguments)))
        # Even if no outcome is wanted: vectorised Hive may return values outside the call's type, such as
        # 2^31 for an int, and only the function's rule knows for which arguments.
        found = registry.invert(call, outcomes)
        if found is None:
            for argument in call.arguments:
                if isinstance(argument, Opaque):
                    return Anything(argument.reason)
            return Anything(f"no rule bounds the results of {shorten(call.name)} over a range of values")
        rule, condition = found
        self._note(rule, lambda: member_text(call, outcomes), lambda: condition_text(condition))
        return self._subtree(condition, depth + 1, inverted=True)

    def _unknown(self, term: str, reason: str) -> NodeId:
        self.unused.append(Unused(term, reason))
        return self.builder.leaf(Unknown(reason))

    def _note(self, rule: str, before: Callable[[], str], after: Callable[[], str]) -> None:
        if self._trace:
            self.rewrites.append(Rewrite(rule, before(), after()))


def _between(value: Operand, low: Operand, high: Operand, wanted: Truths) -> Condition:
    are_constants = all(isinstance(end, Literal) and end.value is not None for end in (low, high))
    if wanted & Truths.NULL and not are_constants:
        # With a NULL end, Hive's BETWEEN is NULL even where AND would be FALSE.
        return Anything("a bound of BETWEEN may be NULL")
    if not are_compared_alike(value, low, high):
        return Anything("Hive may convert the bounds of this BETWEEN to one type")
    tests = (Compare(Comparison.GTEQ, value, low), Compare(Comparison.LTEQ, value, high))
    return Member(And(tests), wanted.outcomes())


def _flatten(group: And | Or) -> list[Predicate]:
    """The terms of nested groups of one kind as a flat list, in order."""
    flat: list[Predicate] = []
    waiting: list[Predicate] = [group]
    while waiting:
        term = waiting.pop()
        if isinstance(term, type(group)):
            waiting.extend(reversed(term.terms))
        else:
            flat.append(term)
    return flat


def _literals(members: tuple[Operand, ...] | LiteralList) -> Sequence[Literal]:
    if isinstance(members, LiteralList):
        return members
    return [literal for member in members if isinstance(literal := folded(member), Literal)]
