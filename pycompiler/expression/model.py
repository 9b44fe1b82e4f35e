"""HudiExpression: which files a filter can match, as a predicate over column statistics.

The expression is a flat post-order list (docs/format.md, section 2): a node follows its children, the last
node is the root. Nothing here recurses, so no depth is too great.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from pycompiler.encoding import is_encoded
from pycompiler.types import HiveType

FORMAT_VERSION: Final = 1
"""The format version that is written, and the newest that is read."""


class Operator(IntEnum):
    """Node operators with their codes in the IDL; docs/format.md says what each keeps."""

    AND = 1
    OR = 2
    UNKNOWN = 3
    NEVER = 4
    EQ = 10
    NE = 11
    LT = 12
    LTEQ = 13
    GT = 14
    GTEQ = 15
    IN = 16
    NOT_IN = 17
    IS_NULL = 18
    IS_NOT_NULL = 19


GROUPS: Final = frozenset({Operator.AND, Operator.OR})
COMPARISONS: Final = frozenset(
    {Operator.EQ, Operator.NE, Operator.LT, Operator.LTEQ, Operator.GT, Operator.GTEQ}
)
MEMBERSHIPS: Final = frozenset({Operator.IN, Operator.NOT_IN})
NULL_TESTS: Final = frozenset({Operator.IS_NULL, Operator.IS_NOT_NULL})


@dataclass(frozen=True, slots=True)
class Group:
    """AND or OR over the `arity` subtrees before it."""

    operator: Operator
    arity: int

    def __post_init__(self) -> None:
        if self.operator not in GROUPS or self.arity < 1:
            raise ValueError(f"not a group: {self.operator.name} over {self.arity}")


@dataclass(frozen=True, slots=True)
class Leaf:
    """A test of one column.

    Attributes:
        operator: A comparison, IN, NOT_IN, IS_NULL or IS_NOT_NULL.
        column: Lower-case name; the fields of a struct are joined by dots.
        type: Type that `values` are encoded for and that the column is read as.
        values: Encoded literals: one for a comparison, ascending without repeats for IN and NOT_IN, none for
            null tests.
    """

    operator: Operator
    column: str
    type: HiveType
    values: tuple[bytes, ...] = ()

    def __post_init__(self) -> None:
        if not self.column:
            raise ValueError("a leaf without a column")
        if self.operator in NULL_TESTS:
            well_formed = not self.values
        elif self.operator in MEMBERSHIPS:
            well_formed = bool(self.values) and all(
                a < b for a, b in zip(self.values, self.values[1:], strict=False)
            )
        else:
            well_formed = self.operator in COMPARISONS and len(self.values) == 1
        if not well_formed:
            raise ValueError(f"{self.operator.name} does not go with {len(self.values)} values in this order")
        if not all(is_encoded(self.type, value) for value in self.values):
            raise ValueError(f"a value of {self.operator.name} is no encoded {self.type}")


@dataclass(frozen=True, slots=True)
class Unknown:
    """Keeps every file; `reason` says why nothing better is known."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class Never:
    """Keeps no file: the filter is TRUE for no row."""


Node = Group | Leaf | Unknown | Never


class MalformedExpressionError(ValueError):
    """The nodes are not one well-formed tree."""


@dataclass(frozen=True, slots=True)
class HudiExpression:
    """An expression: nodes in post-order, and the fingerprint of the filter that it was compiled from.

    Raises:
        MalformedExpressionError: The nodes are not exactly one tree.
    """

    nodes: tuple[Node, ...]
    fingerprint: bytes = b""

    def __post_init__(self) -> None:
        waiting = 0
        for node in self.nodes:
            arity = node.arity if isinstance(node, Group) else 0
            if arity > waiting:
                raise MalformedExpressionError(f"a node wants {arity} children where there are {waiting}")
            waiting += 1 - arity
        if waiting != 1:
            raise MalformedExpressionError(f"{waiting} trees where there must be one")

    @property
    def root(self) -> Node:
        """The node that decides."""
        return self.nodes[-1]

    def columns(self) -> frozenset[str]:
        """Names of the columns whose statistics are looked at."""
        return frozenset(leaf.column for leaf in self.leaves())

    def leaves(self) -> Iterator[Leaf]:
        """The column tests, from left to right."""
        return (node for node in self.nodes if isinstance(node, Leaf))


def group(operator: Operator, children: Iterable[tuple[Node, ...]]) -> tuple[Node, ...]:
    """Puts AND or OR above subtrees, each given as its post-order nodes."""
    subtrees = list(children)
    return (*(node for subtree in subtrees for node in subtree), Group(operator, len(subtrees)))
