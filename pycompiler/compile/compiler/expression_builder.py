"""Builds a simplified expression bottom-up."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import product
from math import prod
from typing import Final, NewType, TypeAlias

from pycompiler.compile.compiler.column_leaf import TRUE_FOR_EVERY_ROW, Membership
from pycompiler.compile.expression.model import (
    ColumnDifference,
    ColumnPair,
    Group,
    HiveTerm,
    KindQuestion,
    Never,
    Node,
    Operator,
    Unknown,
)
from pycompiler.compile.values.outcomes import Outcomes
from pycompiler.compile.values.types import HiveType

NodeId = NewType("NodeId", int)
"""A subtree of one `ExpressionBuilder`; equal subtrees have equal numbers."""

Terminal: TypeAlias = Membership | ColumnPair | ColumnDifference | HiveTerm | KindQuestion | Unknown | Never

MAX_DISTRIBUTED: Final = 64
"""Most conjunctions that an AND over ORs is expanded to."""
MAX_WRITTEN_OUT: Final = 4_096
"""Most nodes and range ends that expansions may add to one filter."""
_MAX_REASONS: Final = 3


class ExpressionBuilder:
    """Creates terms, interned so that equal ones are identical. Nothing recurses on depth."""

    def __init__(self) -> None:
        self._nodes: list[Terminal | Operator] = []
        self._children: list[tuple[NodeId, ...]] = []
        self._columns: list[frozenset[str]] = []
        self._sizes: list[int] = []
        self._room = MAX_WRITTEN_OUT
        self._known: dict[object, NodeId] = {}
        self.never: Final = self.leaf(Never())
        self.always: Final = self.leaf(TRUE_FOR_EVERY_ROW)

    def leaf(self, node: Terminal) -> NodeId:
        """A term without children."""
        if isinstance(node, Membership):
            if node.is_impossible:
                return self.never
            if node.outcomes.is_full:
                return self.always
        return self._intern(node, node, ())

    def conjunction(self, terms: Iterable[NodeId]) -> NodeId:
        """AND of terms; unknown terms are dropped if any term is known.

        Memberships of the same column are intersected, because they apply to one value of a row. An empty
        intersection matches no row.
        """
        distinct = self._flatten(Operator.AND, terms)
        known = self._merge(Operator.AND, [term for term in distinct if not self._is_unknown(term)])
        if self.never in known:
            return self.never
        if not known:
            return self._all_unknown(distinct)
        return self._distribute(known) or self._group(Operator.AND, known)

    def disjunction(self, terms: Iterable[NodeId]) -> NodeId:
        """OR of terms, unknown if any term is; memberships of the same column are united."""
        distinct = self._flatten(Operator.OR, terms)
        merged = self._merge(Operator.OR, [term for term in distinct if term != self.never])
        for term in merged:
            if self._is_unknown(term):
                return term
        return self._group(Operator.OR, merged) if merged else self.never

    def post_order(self, root: NodeId) -> tuple[Node, ...]:
        """The term as the nodes of a HudiExpression."""
        # Built root first and last child first, then reversed.
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

    def _is_unknown(self, term: NodeId) -> bool:
        return isinstance(self._nodes[term], Unknown)

    def _flatten(self, operator: Operator, terms: Iterable[NodeId]) -> list[NodeId]:
        flat: dict[NodeId, None] = {}
        for term in terms:
            # Groups are kept flat, so there is only one level.
            inner = self._children[term] if self._nodes[term] is operator else (term,)
            flat.update(dict.fromkeys(inner))
        return list(flat)

    def _merge(self, operator: Operator, terms: Sequence[NodeId]) -> list[NodeId]:
        """Merges the memberships of each column into one, at the place of the first."""
        columns: defaultdict[tuple[str, HiveType], list[Membership]] = defaultdict(list)
        places: dict[NodeId | tuple[str, HiveType], None] = {}
        for term in terms:
            match self._nodes[term]:
                case Membership(column, hive_type) as membership:
                    columns[column, hive_type].append(membership)
                    places[column, hive_type] = None
                case _:
                    places[term] = None
        join = Outcomes.all_of if operator is Operator.AND else Outcomes.any_of

        def joined(place: tuple[str, HiveType]) -> NodeId:
            parts = columns[place]
            in_any_type = join([part.in_any_type for part in parts])
            return self.leaf(Membership(*place, join([part.outcomes for part in parts]), in_any_type))

        merged = (joined(place) if isinstance(place, tuple) else place for place in places)
        return list(dict.fromkeys(merged))

    def _distribute(self, terms: Sequence[NodeId]) -> NodeId | None:
        """Expands `a AND (b OR c)` to `(a AND b) OR (a AND c)` if a and b test the same column.

        Then memberships of the column intersect, so that the expression keeps a file only if some combination
        of the ORs' choices may hold in it. The number and total size of the combinations are limited.
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

    def _has_room(self, sharing: Sequence[NodeId], beside: Sequence[NodeId]) -> bool:
        """Whether all combinations of the ORs with the rest fit the limits; if so, reserves the space."""
        choices = prod(len(self._children[term]) for term in sharing)
        size = choices * sum(self._sizes[term] for term in beside) + sum(
            choices // len(self._children[term]) * self._sizes[term] for term in sharing
        )
        if choices > MAX_DISTRIBUTED or size > self._room:
            return False
        self._room -= size
        return True

    def _group(self, operator: Operator, terms: list[NodeId]) -> NodeId:
        if len(terms) == 1:
            return terms[0]
        return self._intern((operator, frozenset(terms)), operator, tuple(terms))

    def _all_unknown(self, terms: list[NodeId]) -> NodeId:
        reasons = dict.fromkeys(
            node.reason for term in terms if isinstance(node := self._nodes[term], Unknown)
        )
        if len(reasons) > 1:
            reasons.pop(TRUE_FOR_EVERY_ROW.reason, None)
        return self.leaf(Unknown("; ".join(list(filter(None, reasons))[:_MAX_REASONS])))

    def _intern(self, key: object, node: Terminal | Operator, children: tuple[NodeId, ...]) -> NodeId:
        term = self._known.get(key)
        if term is None:
            term = self._known[key] = NodeId(len(self._nodes))
            self._nodes.append(node)
            self._children.append(children)
            own = {node.column} if isinstance(node, Membership) else set()
            self._columns.append(frozenset(own.union(*(self._columns[child] for child in children))))
            self._sizes.append(1 + _ends(node) + sum(self._sizes[child] for child in children))
        return term


def _ends(node: Terminal | Operator) -> int:
    """How many ends of ranges are written out with a node."""
    match node:
        case Membership():
            return len(node.outcomes.values.cuts)
        case ColumnDifference():
            return len(node.differences.cuts)
    return 0
