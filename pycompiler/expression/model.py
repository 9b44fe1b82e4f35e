"""HudiExpression: which files a filter can match, as a predicate over column statistics.

The expression is a flat post-order list (docs/format.md, section 2): a node follows its children, the last
node is the root. Nothing here recurses, so no depth is too great.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, TypeAlias

from pycompiler.values.encoding import are_encoded
from pycompiler.values.range_set import RangeSet
from pycompiler.values.types import HiveType

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
    RANGES = 20
    EQ_COLUMN = 30
    NE_COLUMN = 31
    LT_COLUMN = 32
    LTEQ_COLUMN = 33
    TERM = 40
    QUESTION = 50


GROUPS: Final = frozenset({Operator.AND, Operator.OR})
COMPARISONS: Final = frozenset(
    {Operator.EQ, Operator.NE, Operator.LT, Operator.LTEQ, Operator.GT, Operator.GTEQ}
)
MEMBERSHIPS: Final = frozenset({Operator.IN, Operator.NOT_IN})
NULL_TESTS: Final = frozenset({Operator.IS_NULL, Operator.IS_NOT_NULL})
PAIRS: Final = frozenset({Operator.EQ_COLUMN, Operator.NE_COLUMN, Operator.LT_COLUMN, Operator.LTEQ_COLUMN})
ALL_OUTCOMES: Final = 0b111
"""Every truth value, as `HiveTerm.outcomes`."""

COLUMN_SEPARATOR: Final = ","
"""Between the names of columns that a record is about together."""
_SHOWN_OTHERWISE: Final = frozenset({"varchar", "char", "timestamp"})
"""Types of which Hive shows other values than the stored ones: cut, without padding, in the reader's zone."""

ReadColumn: TypeAlias = tuple[str, HiveType]
"""A column's lower-case name (the fields of a struct are joined by dots), and the type that it is read as."""


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
        if not are_encoded(self.type, self.values):
            raise ValueError(f"a value of {self.operator.name} is not an encoded {self.type}")

    @property
    def columns(self) -> tuple[ReadColumn, ...]:
        """The columns whose statistics decide."""
        return ((self.column, self.type),)


@dataclass(frozen=True, slots=True)
class Ranges:
    """A value of one column lies in a set.

    Attributes:
        column: Lower-case name; the fields of a struct are joined by dots.
        type: Type that the ends of the ranges are encoded for and that the column is read as.
        ranges: The set; an empty one holds no value of the type. NaN is in no set, and may match.
    """

    column: str
    type: HiveType
    ranges: RangeSet

    def __post_init__(self) -> None:
        if not self.column:
            raise ValueError("RANGES without a column")
        if self.type.kind is None:
            raise ValueError(f"RANGES of {self.type}, which has no encoding")
        if not are_encoded(self.type, [cut.value for cut in self.ranges.cuts]):
            raise ValueError(f"an end of a range is not an encoded {self.type}")

    @property
    def columns(self) -> tuple[ReadColumn, ...]:
        """The columns whose statistics decide."""
        return ((self.column, self.type),)


@dataclass(frozen=True, slots=True)
class ColumnPair:
    """A comparison of two columns in the same row.

    Attributes:
        operator: EQ_COLUMN, NE_COLUMN, LT_COLUMN or LTEQ_COLUMN.
        column: Lower-case name of the left side.
        type: Type that the left side is read as.
        other_column: Lower-case name of the right side.
        other_type: Type that the right side is read as, of the same encoding as `type`.
    """

    operator: Operator
    column: str
    type: HiveType
    other_column: str
    other_type: HiveType

    def __post_init__(self) -> None:
        if self.operator not in PAIRS:
            raise ValueError(f"not a comparison of columns: {self.operator.name}")
        if not self.column or not self.other_column:
            raise ValueError(f"{self.operator.name} without two columns")
        if self.type.kind is None or self.type.kind is not self.other_type.kind:
            raise ValueError(f"{self.operator.name} of {self.type} and {self.other_type}: not one encoding")

    @property
    def columns(self) -> tuple[ReadColumn, ...]:
        """The columns whose statistics decide."""
        return ((self.column, self.type), (self.other_column, self.other_type))


@dataclass(frozen=True, slots=True)
class HiveTerm:
    """A term of the filter that Hive itself evaluates where its columns have one value in a file.

    Attributes:
        index: Position of the term in the nodes of the FilterTree, 0 or more.
        outcomes: Truth values that keep a file, the sum of 1 TRUE, 2 FALSE, 4 NULL; at least one.
        columns: The columns that the term reads, at least one, without repeats.
    """

    index: int
    outcomes: int
    columns: tuple[ReadColumn, ...]

    def __post_init__(self) -> None:
        if self.index < 0 or not 0 < self.outcomes <= ALL_OUTCOMES:
            raise ValueError(f"not a term: index {self.index}, outcomes {self.outcomes}")
        names = [name for name, _ in self.columns]
        if not names or not all(names) or len(set(names)) != len(names):
            raise ValueError(f"a term over the columns {names}")


@dataclass(frozen=True, slots=True)
class KindQuestion:
    """A question to an index kind: a row that it asks for is in the file, and has a value in each column.

    Attributes:
        kind: Name of the index kind.
        question: What the kind is asked, in its own format.
        asked: The columns that its records are about, at least one, in the kind's order, without repeats; of
            types whose values Hive shows as they are stored.
    """

    kind: str
    question: bytes
    asked: tuple[ReadColumn, ...]

    def __post_init__(self) -> None:
        names = [name for name, _ in self.asked]
        if not self.kind or not names or len(set(names)) != len(names):
            raise ValueError(f"a question to the kind {self.kind!r} about the columns {names}")
        for name, read_as in self.asked:
            if not name or COLUMN_SEPARATOR in name:
                raise ValueError(f"a question about the column {name!r}")
            if read_as.kind is None or read_as.name in _SHOWN_OTHERWISE:
                raise ValueError(f"a question about values of {read_as}")

    @property
    def subject(self) -> ReadColumn:
        """What the kind's records name in the place of a column."""
        return subject_of(self.asked)

    @property
    def columns(self) -> tuple[ReadColumn, ...]:
        """The columns whose statistics decide: those asked about, then the subject if it is none of them."""
        return self.asked if len(self.asked) == 1 else (*self.asked, self.subject)


def subject_of(columns: Sequence[ReadColumn]) -> ReadColumn:
    """What records about some columns together name in the place of a column: as `lat,lon`, and a struct."""
    if len(columns) == 1:
        return columns[0]
    fields = ",".join(f"{name}:{hive_type}" for name, hive_type in columns)
    return COLUMN_SEPARATOR.join(name for name, _ in columns), HiveType.parse(f"struct<{fields}>")


@dataclass(frozen=True, slots=True)
class Unknown:
    """Keeps every file; `reason` says why nothing better is known."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class Never:
    """Keeps no file: the filter is TRUE for no row."""


ColumnTest: TypeAlias = Leaf | Ranges | ColumnPair | HiveTerm | KindQuestion
"""A node that looks at statistics: those of its `columns`."""

Node: TypeAlias = Group | ColumnTest | Unknown | Never


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
                raise MalformedExpressionError(f"a node needs {arity} children, but there are {waiting}")
            waiting += 1 - arity
        if waiting != 1:
            raise MalformedExpressionError(f"{waiting} trees where there must be one")

    @property
    def root(self) -> Node:
        """The node that decides."""
        return self.nodes[-1]

    def columns(self) -> frozenset[str]:
        """Names of the columns whose statistics are looked at."""
        return frozenset(column for leaf in self.leaves() for column, _ in leaf.columns)

    def leaves(self) -> Iterator[ColumnTest]:
        """The nodes that look at statistics, from left to right."""
        return (node for node in self.nodes if not isinstance(node, Group | Unknown | Never))


def group(operator: Operator, children: Iterable[tuple[Node, ...]]) -> tuple[Node, ...]:
    """Puts AND or OR above subtrees, each given as its post-order nodes."""
    subtrees = list(children)
    return (*(node for subtree in subtrees for node in subtree), Group(operator, len(subtrees)))
