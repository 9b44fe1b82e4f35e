"""Building an expression from the leaves up, simplified on the way."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import product
from math import prod
from typing import Final, NewType, TypeAlias

from pycompiler.compiler.membership import Membership
from pycompiler.expression.model import (
    ColumnPair,
    Group,
    HiveTerm,
    KindQuestion,
    Never,
    Node,
    Operator,
    Unknown,
)
from pycompiler.values.outcomes import Outcomes
from pycompiler.values.types import HiveType

Subtree = NewType("Subtree", int)
"""A subtree of one `ExpressionBuilder`; equal subtrees are the same term."""

Leaf: TypeAlias = Membership | ColumnPair | HiveTerm | KindQuestion | Unknown | Never

MAX_DISTRIBUTED: Final = 64
"""Most conjunctions that an AND over ORs is written out as."""
MAX_WRITTEN_OUT: Final = 4_096
"""How large all that is written out in one filter may be together, in nodes and ends of ranges."""
_MAX_REASONS: Final = 3


class ExpressionBuilder:
    """Makes terms, and remembers them, so that equal ones are the same. Nothing here recurses on depth."""

    def __init__(self) -> None:
        self._nodes: list[Leaf | Operator] = []
        self._children: list[tuple[Subtree, ...]] = []
        self._columns: list[frozenset[str]] = []
        self._sizes: list[int] = []
        self._room = MAX_WRITTEN_OUT
        self._known: dict[object, Subtree] = {}
        self.never: Final = self.leaf(Never())
        self.always: Final = self.leaf(Unknown("the filter is true for every row"))

    def leaf(self, node: Leaf) -> Subtree:
        """A term without children."""
        if isinstance(node, Membership):
            if node.is_impossible:
                return self.never
            if node.outcomes.is_full:
                return self.always
        return self._intern(node, node, ())

    def conjunction(self, terms: Iterable[Subtree]) -> Subtree:
        """AND. What is unknown adds nothing to what is known.

        What one column must be by several terms is intersected: it is one value in a row. If nothing is left,
        no row passes.
        """
        distinct = self._flatten(Operator.AND, terms)
        known = self._merge(Operator.AND, [term for term in distinct if not self._is_unknown(term)])
        if self.never in known:
            return self.never
        if not known:
            return self._all_unknown(distinct)
        return self._distribute(known) or self._group(Operator.AND, known)

    def disjunction(self, terms: Iterable[Subtree]) -> Subtree:
        """OR. It is unknown as soon as one of its terms is; what a column may be by several is united."""
        distinct = self._flatten(Operator.OR, terms)
        merged = self._merge(Operator.OR, [term for term in distinct if term != self.never])
        for term in merged:
            if self._is_unknown(term):
                return term
        return self._group(Operator.OR, merged) if merged else self.never

    def post_order(self, root: Subtree) -> tuple[Node, ...]:
        """Writes a term out as the nodes of a HudiExpression."""
        # Root first and the last child before the first, turned round at the end.
        nodes: list[Node] = []
        waiting = [root]
        while waiting:
            term = waiting.pop()
            node, children = self._nodes[term], self._children[term]
            match node:
                case Operator():
                    nodes.append(Group(node, len(children)))
                case Membership():
                    nodes.extend(reversed(node.nodes()))
                case _:
                    nodes.append(node)
            waiting.extend(children)
        return tuple(reversed(nodes))

    def _is_unknown(self, term: Subtree) -> bool:
        return isinstance(self._nodes[term], Unknown)

    def _flatten(self, operator: Operator, terms: Iterable[Subtree]) -> list[Subtree]:
        flat: dict[Subtree, None] = {}
        for term in terms:
            # Groups are made flat, so one level is all there is.
            inner = self._children[term] if self._nodes[term] is operator else (term,)
            flat.update(dict.fromkeys(inner))
        return list(flat)

    def _merge(self, operator: Operator, terms: Sequence[Subtree]) -> list[Subtree]:
        """Makes one membership of all those of one column, at the place of the first."""
        columns: defaultdict[tuple[str, HiveType], list[Membership]] = defaultdict(list)
        places: dict[Subtree | tuple[str, HiveType], None] = {}
        for term in terms:
            match self._nodes[term]:
                case Membership(column, hive_type) as membership:
                    columns[column, hive_type].append(membership)
                    places[column, hive_type] = None
                case _:
                    places[term] = None
        join = Outcomes.all_of if operator is Operator.AND else Outcomes.any_of

        def joined(place: tuple[str, HiveType]) -> Subtree:
            parts = columns[place]
            in_any_type = join([part.in_any_type for part in parts])
            return self.leaf(Membership(*place, join([part.outcomes for part in parts]), in_any_type))

        merged = (joined(place) if isinstance(place, tuple) else place for place in places)
        return list(dict.fromkeys(merged))

    def _distribute(self, terms: Sequence[Subtree]) -> Subtree | None:
        """Writes `a AND (b OR c)` as `(a AND b) OR (a AND c)` where a and b are about one column.

        Then what the column must be is intersected, so that the expression keeps a file only if one choice of
        all ORs can hold in it; the number of choices, and what they come to, is bounded.
        """
        uses = Counter(column for term in terms for column in self._columns[term])
        sharing = [
            term
            for term in terms
            if self._nodes[term] is Operator.OR and any(uses[column] > 1 for column in self._columns[term])
        ]
        columns = frozenset().union(*(self._columns[term] for term in sharing))
        rest = [term for term in terms if term not in sharing]
        beside = [term for term in rest if self._columns[term] & columns]
        if not sharing or not self._has_room(sharing, beside):
            return None
        choices = product(*(self._children[term] for term in sharing))
        written = self.disjunction(self.conjunction([*beside, *choice]) for choice in choices)
        return self.conjunction([*(term for term in rest if term not in beside), written])

    def _has_room(self, sharing: Sequence[Subtree], beside: Sequence[Subtree]) -> bool:
        """Whether every choice of the ORs, beside the rest, may be written out; if so, takes the room."""
        choices = prod(len(self._children[term]) for term in sharing)
        size = choices * sum(self._sizes[term] for term in beside) + sum(
            choices // len(self._children[term]) * self._sizes[term] for term in sharing
        )
        if choices > MAX_DISTRIBUTED or size > self._room:
            return False
        self._room -= size
        return True

    def _group(self, operator: Operator, terms: list[Subtree]) -> Subtree:
        if len(terms) == 1:
            return terms[0]
        return self._intern((operator, frozenset(terms)), operator, tuple(terms))

    def _all_unknown(self, terms: list[Subtree]) -> Subtree:
        reasons = dict.fromkeys(
            node.reason for term in terms if isinstance(node := self._nodes[term], Unknown)
        )
        if len(reasons) > 1:
            reasons.pop(self._reason(self.always), None)
        return self.leaf(Unknown("; ".join(list(filter(None, reasons))[:_MAX_REASONS])))

    def _reason(self, term: Subtree) -> str:
        node = self._nodes[term]
        return node.reason if isinstance(node, Unknown) else ""

    def _intern(self, key: object, node: Leaf | Operator, children: tuple[Subtree, ...]) -> Subtree:
        term = self._known.get(key)
        if term is None:
            term = self._known[key] = Subtree(len(self._nodes))
            self._nodes.append(node)
            self._children.append(children)
            own = {node.column} if isinstance(node, Membership) else set()
            self._columns.append(frozenset(own.union(*(self._columns[child] for child in children))))
            ends = len(node.outcomes.values.cuts) if isinstance(node, Membership) else 0
            self._sizes.append(1 + ends + sum(self._sizes[child] for child in children))
        return term
