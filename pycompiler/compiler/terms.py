"""Building an expression from the leaves up, simplified on the way."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NewType

from pycompiler.compiler.contradiction import is_contradiction
from pycompiler.expression.model import Group, Leaf, Never, Node, Operator, Unknown

Term = NewType("Term", int)
"""A subtree of one `TermBuilder`; equal subtrees are the same term."""

_MAX_REASONS: Final = 3


class TermBuilder:
    """Makes terms, and remembers them, so that equal ones are the same. Nothing here recurses."""

    def __init__(self) -> None:
        self._nodes: list[Leaf | Unknown | Never | Operator] = []
        self._children: list[tuple[Term, ...]] = []
        self._known: dict[object, Term] = {}
        self.never: Final = self.leaf(Never())

    def leaf(self, node: Leaf | Unknown | Never) -> Term:
        """A term without children."""
        return self._intern(node, node, ())

    def conjunction(self, terms: Iterable[Term]) -> Term:
        """AND. What is unknown adds nothing to what is known; a contradiction keeps no file."""
        distinct = self._flatten(Operator.AND, terms)
        known = [term for term in distinct if not isinstance(self._nodes[term], Unknown)]
        leaves = [node for term in known if isinstance(node := self._nodes[term], Leaf)]
        if self.never in known or is_contradiction(leaves):
            return self.never
        if not known:
            return self._all_unknown(distinct)
        return self._group(Operator.AND, known)

    def disjunction(self, terms: Iterable[Term]) -> Term:
        """OR. It is unknown as soon as one of its terms is."""
        distinct = self._flatten(Operator.OR, terms)
        for term in distinct:
            if isinstance(self._nodes[term], Unknown):
                return term
        possible = [term for term in distinct if term != self.never]
        return self._group(Operator.OR, possible) if possible else self.never

    def post_order(self, root: Term) -> tuple[Node, ...]:
        """Writes a term out as the nodes of a HudiExpression."""
        # Root first and the last child before the first, turned round at the end.
        nodes: list[Node] = []
        waiting = [root]
        while waiting:
            term = waiting.pop()
            node, children = self._nodes[term], self._children[term]
            nodes.append(Group(node, len(children)) if isinstance(node, Operator) else node)
            waiting.extend(children)
        return tuple(reversed(nodes))

    def _flatten(self, operator: Operator, terms: Iterable[Term]) -> list[Term]:
        flat: dict[Term, None] = {}
        for term in terms:
            # Groups are made flat, so one level is all there is.
            inner = self._children[term] if self._nodes[term] is operator else (term,)
            flat.update(dict.fromkeys(inner))
        return list(flat)

    def _group(self, operator: Operator, terms: list[Term]) -> Term:
        if len(terms) == 1:
            return terms[0]
        return self._intern((operator, frozenset(terms)), operator, tuple(terms))

    def _all_unknown(self, terms: list[Term]) -> Term:
        reasons = dict.fromkeys(
            node.reason for term in terms if isinstance(node := self._nodes[term], Unknown)
        )
        return self.leaf(Unknown("; ".join(list(filter(None, reasons))[:_MAX_REASONS])))

    def _intern(
        self, key: object, node: Leaf | Unknown | Never | Operator, children: tuple[Term, ...]
    ) -> Term:
        term = self._known.get(key)
        if term is None:
            term = self._known[key] = Term(len(self._nodes))
            self._nodes.append(node)
            self._children.append(children)
        return term
