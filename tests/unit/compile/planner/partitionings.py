"""Random partitionings and filters, and which partitions have a matching row."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from typing import Any, Final, TypeAlias

from pycompiler.compile.planner.keys import EncodedValue, KeyLayout, key_columns
from pycompiler.compile.planner.plans import FilterPlan, union
from pycompiler.compile.planner.sorted_partitions import SortedPartitions
from pycompiler.compile.predicate.model import (
    BOOLEAN,
    And,
    Call,
    Column,
    Compare,
    In,
    Literal,
    LiteralValue,
    Or,
    Predicate,
)
from pycompiler.compile.predicate.model import Operand as ModelOperand
from pycompiler.compile.predicate.walk import operands_of, walk
from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.types import HiveType
from tests.drawing.edges import EDGES, are_in_one_order
from tests.drawing.grammar import Grammar
from tests.drawing.reading import read_plain, replaced
from tests.drawing.sql import Sql
from tests.drawing.tables import Table, is_nan
from tests.drawing.values import Constants, Operand
from tests.planning import plan_predicate
from tests.unit.compile.compiler.hive_rows import Mode, Row, truth

_EPOCH: Final = date(1970, 1, 1)
_HOUR: Final = 3600 * 1_000_000
POOLS: Final[Mapping[str, Sequence[LiteralValue]]] = {
    name: [
        value for value in values if not is_nan(value) and (name != "string" or are_in_one_order(str(value)))
    ]
    for name, values in EDGES.items()
}
"""Values of partition columns, by type."""
EXACT: Final = frozenset({"boolean", "tinyint", "int", "bigint", "decimal(10,2)", "string", "date"})
"""Types whose stored values Hive shows unchanged and compares in one way."""
MODES: Final = [
    Mode(nan_is_greatest=True, in_compares_bits=False, utf16=False, cuts_literals=False, offset_micros=0),
    Mode(
        nan_is_greatest=False, in_compares_bits=True, utf16=True, cuts_literals=True, offset_micros=26 * _HOUR
    ),
    Mode(
        nan_is_greatest=True,
        in_compares_bits=False,
        utf16=True,
        cuts_literals=True,
        offset_micros=-26 * _HOUR,
    ),
]
_DATA: Final = Column("d", HiveType("int"))
_STRING: Final = HiveType("string")
_INT: Final = HiveType("int")
_DEPTH: Final = -1
"""Where conditions begin, so that they are deeper than others."""

Shown: TypeAlias = Callable[[Any], Any]
"""A function of a value that is not NULL."""


@dataclass(frozen=True)
class Term:
    """A value that a filter tests: for the planner, and as the column that the oracle's rows have of it.

    It is not exact if a key does not say what it is in all rows, or the compiler less than it could.
    """

    planned: ModelOperand
    seen: Column
    pool: Sequence[Any]
    is_exact: bool = True


@dataclass(frozen=True)
class Filter:
    """A filter as it is planned, and over the columns of the oracle's rows.

    It is exact if its plan has to be, in a table and over terms that are.
    """

    planned: Predicate
    seen: Predicate
    is_exact: bool


@dataclass(frozen=True)
class Partitioning:
    """A table: the values of each partition, and what `d` is in its rows."""

    layout: KeyLayout
    terms: tuple[Term, ...]
    rows: dict[str, list[Row]]
    catalogue: SortedPartitions
    is_exact: bool

    def matching(self, predicate: Predicate, mode: Mode) -> set[str]:
        """The partitions that have a row for which the filter is TRUE."""
        return {
            path
            for path, rows in self.rows.items()
            if any(truth(predicate, row, mode) is True for row in rows)
        }


def partitionings(random: Random) -> Iterator[Partitioning]:
    """Partitionings without end: one to three columns of any types, a few partitions, some of NULL."""
    while True:
        yield _partitioning(random)


def _partitioning(random: Random) -> Partitioning:
    types = random.choices(list(POOLS), k=random.choice([1, 2, 2, 3]))
    if random.random() < 0.4:
        # The plans of their filters must be exact.
        types = random.choices(sorted(EXACT), k=len(types))
    columns = [Column(f"p{place}", HiveType.parse(name)) for place, name in enumerate(types)]
    layout = KeyLayout(key_columns((column.name, column.type) for column in columns))
    made: dict[tuple[EncodedValue, ...], tuple[Any, ...]] = {}
    for _ in range(random.randint(1, 9)):
        values = tuple(None if random.random() < 0.15 else random.choice(POOLS[name]) for name in types)
        made[tuple(_encoded(column.type, value) for column, value in zip(columns, values, strict=True))] = (
            values
        )
    terms = [Term(column, column, POOLS[str(column.type)]) for column in columns]
    calls = [call for column in columns for call in _calls(column)]
    rows = {
        f"partition{number}": [
            _row(columns, values, calls, random.choice([None, 0, 1, 2]))
            for _ in range(random.choice([1, 1, 2]))
        ]
        for number, values in enumerate(made.values())
    }
    catalogue = SortedPartitions.of(layout, zip(rows, made, strict=True))
    all_terms = (*terms, *terms, *(term for term, _, _ in calls), Term(_DATA, _DATA, [0, 1, 2], False))
    return Partitioning(layout, all_terms, rows, catalogue, set(types) <= EXACT)


def _encoded(hive_type: HiveType, value: Any) -> EncodedValue:
    return None if value is None else encode_value(hive_type, value)


_Calls: TypeAlias = list[tuple[Term, Column, Shown]]


def _calls(column: Column) -> _Calls:
    def call(name: str, hive_type: HiveType, shown: Shown, pool: Sequence[Any], *more: Literal) -> None:
        seen = Column(f"{name}_{column.name}", hive_type)
        planned = Call(name, hive_type, (column, *more))
        made.append((Term(planned, seen, pool, name != "cast"), column, shown))

    made: _Calls = []
    match column.type.name:
        case "date":
            call("year", _INT, lambda day: (_EPOCH + timedelta(day)).year, [2012, 2013, 2014])
        case "string":
            ends = Literal(_INT, 1), Literal(_INT, 1)
            call("substr", _STRING, lambda text: text[:1], ["a", "b", ""], *ends)
            like = Literal(_STRING, "ab%")
            call("like", BOOLEAN, lambda text: text.startswith("ab"), [True, False], like)
        case "int":
            call("cast", _STRING, str, ["0", "9", "10", "255", "x"])
    return made


def _row(columns: Sequence[Column], values: Sequence[Any], calls: _Calls, data: int | None) -> Row:
    row = dict(zip((column.name for column in columns), values, strict=True)) | {"d": data}
    for term, column, shown in calls:
        value = row[column.name]
        row[term.seen.name] = None if value is None else shown(value)
    return row


def random_filter(random: Random, terms: Sequence[Term]) -> Filter:
    """A filter over some terms of a table."""
    planned = {term.seen: term.planned for term in terms}
    operands = [
        Operand(Sql((term.seen.name,)), term.seen.type, tuple(dict.fromkeys(term.pool))) for term in terms
    ]
    grammar = Grammar(random, operands, (), constants=Constants(plain=True), pairs=True)
    text = grammar.comparison(_DEPTH).text
    seen = read_plain(text, Table(tuple(planned), ()))
    filter_ = replaced(seen, lambda operand: planned[operand] if isinstance(operand, Column) else operand)
    return Filter(filter_, seen, are_in_one_order(text) and all(map(_is_exact, walk(filter_))))


def _is_exact(test: ModelOperand) -> bool:
    """Whether the compiler claims all that follows from a test."""
    operands = operands_of(test)
    terms = [operand for operand in operands if isinstance(operand, Column | Call)]
    match test:
        case Compare(_, Column() as left, Column() as right):
            return left != right
        case In(Column(_, HiveType(name="decimal"))):
            # In vectors, a NULL among decimals can become 0.
            return len(terms) < 2 and not any(member == Literal(terms[0].type, None) for member in operands)
    return len(terms) < 2


def composed(random: Random, predicate: Predicate, layout: KeyLayout) -> FilterPlan:
    """The plan of a filter, put together from those of its parts, in any order of AND and OR."""
    if not isinstance(predicate, And | Or):
        return plan_predicate(predicate, layout)
    plans = [composed(random, term, layout) for term in predicate.terms]
    while len(plans) > 1:
        first = plans.pop(random.randrange(len(plans)))
        second = plans.pop(random.randrange(len(plans)))
        either = union(layout, [*first.members, *second.members])
        plans.append(first.and_(second) if isinstance(predicate, And) else either)
    return plans[0]
