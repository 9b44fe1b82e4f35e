"""HudiExpression: a filter as a predicate over column statistics, which decides what files may match.

The expression is a flat post-order list (docs/inside/formats.md, section 2): a node follows its children,
and the root is last. Nothing here recurses, so any depth is fine.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, TypeAlias

from pycompiler.compile.values.encoding import are_encoded
from pycompiler.compile.values.range_set import RangeSet
from pycompiler.compile.values.types import MOMENTS, HiveType, ValueKind

FORMAT_VERSION: Final = 1
"""The format version written, and the newest one read."""


class Operator(IntEnum):
    """Node operators with their codes in the IDL; docs/inside/formats.md defines what each keeps."""

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
    DIFFERENCE = 34
    TERM = 40
    QUESTION = 50


GROUPS: Final = frozenset({Operator.AND, Operator.OR})
COMPARISONS: Final = frozenset(
    {Operator.EQ, Operator.NE, Operator.LT, Operator.LTEQ, Operator.GT, Operator.GTEQ}
)
MEMBERSHIPS: Final = frozenset({Operator.IN, Operator.NOT_IN})
NULL_TESTS: Final = frozenset({Operator.IS_NULL, Operator.IS_NOT_NULL})
PAIRS: Final = frozenset({Operator.EQ_COLUMN, Operator.NE_COLUMN, Operator.LT_COLUMN, Operator.LTEQ_COLUMN})
DIFFERENCE_TYPE: Final = HiveType("bigint")
"""The type as which differences of columns are encoded."""
ALL_OUTCOMES: Final = 0b111
"""All truth values, for `HiveTerm.outcomes`."""

COLUMN_SEPARATOR: Final = ","
"""Joins the names of columns that one record covers together."""
_ALTERED_WHEN_READ: Final = frozenset({"varchar", "char", "timestamp"})
"""Types whose stored values Hive alters: it truncates, strips padding, or applies the reader's zone."""

ReadColumn: TypeAlias = tuple[str, HiveType]
"""A column's lower-case name (struct fields joined by dots), and the type that it is read as."""


@dataclass(frozen=True, slots=True)
class Group:
    """AND or OR over the `arity` subtrees before it."""

    operator: Operator
    arity: int

    def __post_init__(self) -> None:
        if self.operator not in GROUPS or self.arity < 1:
            raise ValueError(f"not a group: {self.operator.name} of {self.arity} nodes")


@dataclass(frozen=True, slots=True)
class Leaf:
    """A test of one column.

    Attributes:
        operator: A comparison, IN, NOT_IN, IS_NULL or IS_NOT_NULL.
        values: Literals encoded as `type`: one for a comparison, ascending and distinct for IN and NOT_IN,
            none for null tests.
    """

    operator: Operator
    column: str
    type: HiveType
    values: tuple[bytes, ...] = ()

    def __post_init__(self) -> None:
        if not self.column:
            raise ValueError("a leaf needs a column")
        if self.operator in NULL_TESTS:
            well_formed = not self.values
        elif self.operator in MEMBERSHIPS:
            well_formed = bool(self.values) and all(
                a < b for a, b in zip(self.values, self.values[1:], strict=False)
            )
        else:
            well_formed = self.operator in COMPARISONS and len(self.values) == 1
        if not well_formed:
            count = len(self.values)
            raise ValueError(f"{self.operator.name} cannot have these {count} values: wrong number or order")
        if not are_encoded(self.type, self.values):
            raise ValueError(f"a value of {self.operator.name} is not an encoded {self.type}")

    @property
    def columns(self) -> tuple[ReadColumn, ...]:
        """The columns whose statistics the leaf reads."""
        return ((self.column, self.type),)


@dataclass(frozen=True, slots=True)
class Ranges:
    """A test whether a column's value lies in a set.

    Attributes:
        ranges: The set, encoded as `type`; empty if no value passes. NaN is in no set, and may match.
    """

    column: str
    type: HiveType
    ranges: RangeSet

    def __post_init__(self) -> None:
        if not self.column:
            raise ValueError("RANGES needs a column")
        if self.type.kind is None:
            raise ValueError(f"RANGES cannot test {self.type}, which has no encoding")
        if not are_encoded(self.type, [cut.value for cut in self.ranges.cuts]):
            raise ValueError(f"an end of a range is not an encoded {self.type}")

    @property
    def columns(self) -> tuple[ReadColumn, ...]:
        """The columns whose statistics the leaf reads."""
        return ((self.column, self.type),)


@dataclass(frozen=True, slots=True)
class ColumnPair:
    """A comparison of two columns in the same row; their types have the same encoding."""

    operator: Operator
    column: str
    type: HiveType
    other_column: str
    other_type: HiveType

    def __post_init__(self) -> None:
        if self.operator not in PAIRS:
            raise ValueError(f"not a comparison of columns: {self.operator.name}")
        if not self.column or not self.other_column:
            raise ValueError(f"{self.operator.name} needs two columns")
        if self.type.kind is None or self.type.kind is not self.other_type.kind:
            raise ValueError(f"{self.operator.name}: {self.type} and {self.other_type} differ in encoding")

    @property
    def columns(self) -> tuple[ReadColumn, ...]:
        """The columns whose statistics the leaf reads."""
        return ((self.column, self.type), (self.other_column, self.other_type))


@dataclass(frozen=True, slots=True)
class ColumnDifference:
    """A test whether one column minus another of the same row lies in a set.

    Attributes:
        type: An integer type, of which `other_type` is then one too; or date or timestamp, as then
            `other_type` is.
        differences: The set, encoded as bigint; days for dates and timestamps, of which the time is dropped.
    """

    column: str
    type: HiveType
    other_column: str
    other_type: HiveType
    differences: RangeSet

    def __post_init__(self) -> None:
        if not self.column or not self.other_column:
            raise ValueError("DIFFERENCE needs two columns")
        kinds = {self.type.kind, self.other_type.kind}
        if kinds != {ValueKind.INTEGER} and not kinds <= MOMENTS:
            raise ValueError(f"DIFFERENCE cannot subtract {self.other_type} from {self.type}")
        if not are_encoded(DIFFERENCE_TYPE, [cut.value for cut in self.differences.cuts]):
            raise ValueError("an end of a range of DIFFERENCE is not an encoded bigint")

    @property
    def is_of_days(self) -> bool:
        """Whether dates or timestamps are subtracted."""
        return self.type.kind in MOMENTS

    @property
    def columns(self) -> tuple[ReadColumn, ...]:
        """The columns whose statistics the leaf reads."""
        return ((self.column, self.type), (self.other_column, self.other_type))


@dataclass(frozen=True, slots=True)
class HiveTerm:
    """A term of the filter that Hive evaluates itself if its columns have few possible values in a file.

    Attributes:
        index: The term's index in the nodes of the FilterTree, 0 or more.
        outcomes: Truth values that keep a file: the sum of 1 (TRUE), 2 (FALSE) and 4 (NULL); at least one.
        columns: The columns that the term reads, at least one, distinct.
    """

    index: int
    outcomes: int
    columns: tuple[ReadColumn, ...]

    def __post_init__(self) -> None:
        if self.index < 0 or not 0 < self.outcomes <= ALL_OUTCOMES:
            raise ValueError(f"not a term: index {self.index}, outcomes {self.outcomes}")
        names = [name for name, _ in self.columns]
        if not names or not all(names) or len(set(names)) != len(names):
            raise ValueError(f"a term needs distinct columns with names, not {names}")


@dataclass(frozen=True, slots=True)
class KindQuestion:
    """A question to an index kind: may the file have a matching row, with a value in each column?

    Attributes:
        kind: Name of the index kind.
        question: The question, in the kind's own format.
        asked: The columns that the kind's records cover, at least one, distinct, in the kind's order. Hive
            must read their types' values exactly as stored.
    """

    kind: str
    question: bytes
    asked: tuple[ReadColumn, ...]

    def __post_init__(self) -> None:
        names = [name for name, _ in self.asked]
        if not self.kind or not names or len(set(names)) != len(names):
            raise ValueError(f"a question to the kind {self.kind!r} cannot cover the columns {names}")
        for name, read_as in self.asked:
            if not name or COLUMN_SEPARATOR in name:
                raise ValueError(f"a question cannot cover the column {name!r}")
            if read_as.kind is None or read_as.name in _ALTERED_WHEN_READ:
                raise ValueError(f"a question cannot cover values of type {read_as}")

    @property
    def subject(self) -> ReadColumn:
        """The name in the kind's records in place of a column, and its type."""
        return subject_of(self.asked)

    @property
    def columns(self) -> tuple[ReadColumn, ...]:
        """The columns whose statistics the leaf reads: those asked about, then the subject if it differs."""
        return self.asked if len(self.asked) == 1 else (*self.asked, self.subject)


def subject_of(columns: Sequence[ReadColumn]) -> ReadColumn:
    """The name that stands for columns covered together, such as `lat,lon`, and its struct type."""
    if len(columns) == 1:
        return columns[0]
    fields = ",".join(f"{name}:{hive_type}" for name, hive_type in columns)
    return COLUMN_SEPARATOR.join(name for name, _ in columns), HiveType.parse(f"struct<{fields}>")


@dataclass(frozen=True, slots=True)
class Unknown:
    """Keeps every file; `reason` says why."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class Never:
    """Keeps no file: the filter is TRUE for no row."""


ColumnTest: TypeAlias = Leaf | Ranges | ColumnPair | ColumnDifference | HiveTerm | KindQuestion
"""A node that reads the statistics of its `columns`."""

Node: TypeAlias = Group | ColumnTest | Unknown | Never


@dataclass(frozen=True, slots=True)
class HudiExpression:
    """An expression: nodes in post-order, and the fingerprint of the source filter.

    Raises:
        ValueError: The nodes are not exactly one tree.
    """

    nodes: tuple[Node, ...]
    fingerprint: bytes = b""

    def __post_init__(self) -> None:
        waiting = 0
        for node in self.nodes:
            arity = node.arity if isinstance(node, Group) else 0
            if arity > waiting:
                raise ValueError(f"a node has {arity} children, but only {waiting} subtrees precede it")
            waiting += 1 - arity
        if waiting != 1:
            raise ValueError(f"the node list holds {waiting} trees instead of one")

    @property
    def root(self) -> Node:
        """The last node, which decides."""
        return self.nodes[-1]

    def columns(self) -> frozenset[str]:
        """Names of the columns whose statistics are read."""
        return frozenset(column for leaf in self.leaves() for column, _ in leaf.columns)

    def leaves(self) -> Iterator[ColumnTest]:
        """The nodes that read statistics, from left to right."""
        return (node for node in self.nodes if not isinstance(node, Group | Unknown | Never))


def group(operator: Operator, children: Iterable[tuple[Node, ...]]) -> tuple[Node, ...]:
    """Joins subtrees, each given as post-order nodes, by AND or OR."""
    subtrees = list(children)
    return (*(node for subtree in subtrees for node in subtree), Group(operator, len(subtrees)))
