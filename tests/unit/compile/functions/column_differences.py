"""An independent implementation of Hive's sums and differences of columns, and random tests of these."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from hypothesis import strategies as st

from pycompiler.compile.expression.evaluator import FileStatistics
from pycompiler.compile.predicate.model import (
    Call,
    Column,
    Compare,
    Comparison,
    IsNull,
    Literal,
    Not,
    Operand,
    Predicate,
    type_of,
)
from pycompiler.compile.values.types import INTEGER_BITS, HiveType
from tests.drawing.collected import statistics

Row: TypeAlias = Mapping[str, int | None]
"""Values as they are stored; those of a timestamp are microseconds in UTC."""


@dataclass(frozen=True)
class Case:
    """A condition on the rows of a file.

    Attributes:
        predicate: The condition.
        rows: The rows.
        statistics: The file's statistics.
        offset: By how many microseconds the zone of Hive's JVM is ahead of UTC.
    """

    predicate: Predicate
    rows: Sequence[Row]
    statistics: FileStatistics
    offset: int

    @property
    def is_found(self) -> bool:
        """Whether a mode of Hive finds one of the rows."""
        return any(
            _Reading(row, self.offset, in_vectors).truth(self.predicate) is True
            for row in self.rows
            for in_vectors in (False, True)
        )


_INT, _DATE, _TIMESTAMP = HiveType("int"), HiveType("date"), HiveType("timestamp")
_HOUR = 3600 * 1_000_000
_DAY = 24 * _HOUR
_ZONES = (-18 * _HOUR, 0, 18 * _HOUR)
"""Offsets from UTC: the greatest that java.time allows, and none."""
_POOLS: Mapping[str, Sequence[int]] = {
    **{
        name: sorted({-(1 << bits - 1), 1 - (1 << bits - 1), -100, -1, 0, 1, 100, (1 << bits - 1) - 1})
        for name, bits in INTEGER_BITS.items()
    },
    # From 0000-12-31 to 10000-01-01.
    "date": [-719_163, -719_162, -1, 0, 1, 30, 18_000, 2_932_896, 2_932_897],
    "timestamp": [
        *(
            day * _DAY + time
            for day in (-719_162, -1, 0, 1, 30, 18_000, 2_932_896)
            for time in range(0, _DAY, 6 * _HOUR)
        ),
        *(-719_162 * _DAY - 1, -1),
        2_932_897 * _DAY,
    ],
}
_CONSTANTS = (-(2**31), -200, -1, 0, 1, 2, 30, 200, 2**31 - 1)


@dataclass(frozen=True)
class _Reading:
    """A row, as Hive's row mode or its vectorised mode reads it."""

    row: Row
    offset: int
    in_vectors: bool

    def truth(self, predicate: Predicate) -> bool | None:
        """What a test is; None is NULL."""
        match predicate:
            case Not(term):
                found = self.truth(term)
                return None if found is None else not found
            case IsNull(value):
                return self._value(value) is None
            case Compare(operator, left, right):
                a, b = self._value(left), self._value(right)
                if operator is Comparison.NULL_SAFE_EQ:
                    return a == b
                if a is None or b is None:
                    return None
                order = (a > b) - (a < b)
                wanted = {"=": (0,), "!=": (-1, 1), "<": (-1,), "<=": (-1, 0), ">": (1,), ">=": (0, 1)}
                return order in wanted[operator.value]
        raise AssertionError(predicate)

    def _value(self, operand: Operand) -> int | None:
        match operand:
            case Column(name):
                stored = self.row[name]
                return stored if stored is None or operand.type != _TIMESTAMP else stored + self.offset
            case Literal(_, int(number)):
                return number
            case Call("cast" | "to_date", _, (inner,)):
                return self._day(inner)
            case Call("datediff", _, (left, right)):
                return self._sum(operand, self._day(left), self._day(right))
            case Call(name, _, (left, right)):
                first = self._day(left) if name.startswith("date_") else self._value(left)
                return self._sum(operand, first, self._value(right))
        raise AssertionError(operand)

    def _day(self, operand: Operand) -> int | None:
        value = self._value(operand)
        return value if value is None or type_of(operand) != _TIMESTAMP else value // _DAY

    def _sum(self, call: Call, a: int | None, b: int | None) -> int | None:
        if a is None or b is None:
            return None
        # Vectors have 64 bits, whatever the type.
        half = 1 << (63 if self.in_vectors else INTEGER_BITS.get(call.type.name, 32) - 1)
        exact = a + b if call.name in ("+", "date_add") else a - b
        return (exact + half) % (2 * half) - half


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Conditions on two columns, either of which may be shifted, and files with rows at the ends of types."""
    moments = st.sampled_from(["date", "timestamp"])
    of_days = draw(st.sampled_from([True, True, False, False, False]))
    names = draw(st.tuples(moments, moments)) if of_days else ("integer", "integer")
    integers = st.sampled_from(list(INTEGER_BITS))
    p, q = (
        Column(column, HiveType(draw(integers) if name == "integer" else name))
        for column, name in zip("pq", names, strict=True)
    )
    rows = draw(
        st.lists(
            st.fixed_dictionaries(
                {column.name: st.sampled_from([None, *_POOLS[column.type.name]]) for column in (p, q)}
            ),
            min_size=1,
            max_size=2,
        )
    )
    constants = st.sampled_from(_CONSTANTS)
    a, b = rows[0]["p"], rows[0]["q"]
    if of_days and a is not None and b is not None:
        days = a // (_DAY if p.type == _TIMESTAMP else 1) - b // (_DAY if q.type == _TIMESTAMP else 1)
        constants = st.integers(days - 1, days + 1)
    return Case(draw(_tests(p, q, constants)), rows, statistics((p, q), rows), draw(st.sampled_from(_ZONES)))


@st.composite
def _tests(draw: st.DrawFn, p: Column, q: Column, constants: st.SearchStrategy[int]) -> Predicate:
    left, right = draw(_shifted(p)), draw(_shifted(q))
    of_days = p.type in (_DATE, _TIMESTAMP)
    subtracted = Call("datediff", _INT, (left, right)) if of_days else _sum("-", left, right)
    against = Literal(_INT, draw(constants))
    tests: list[Predicate] = [IsNull(subtracted)]
    for operator in Comparison:
        tests.append(Compare(operator, subtracted, against))
        if not of_days or type_of(left) == type_of(right):  # else Hive converts one of them
            tests.append(Compare(operator, left, right))
    test = draw(st.sampled_from(tests))
    return Not(test) if draw(st.booleans()) else test


@st.composite
def _shifted(draw: st.DrawFn, column: Column) -> Column | Call:
    number = Literal(_INT, draw(st.sampled_from(_CONSTANTS)))
    if draw(st.booleans()):
        return column
    if column.type in (_DATE, _TIMESTAMP):
        name = draw(st.sampled_from(["date_add", "date_sub", "to_date", "cast"]))
        return Call(name, _DATE, (column, number) if name.startswith("date_") else (column,))
    operands = (number, column) if draw(st.booleans()) else (column, number)
    return _sum("+" if operands[0] is number else draw(st.sampled_from("+-")), *operands)


def _sum(name: str, left: Operand, right: Operand) -> Call:
    types = [hive_type for hive_type in map(type_of, (left, right)) if hive_type is not None]
    return Call(name, max(types, key=lambda hive_type: INTEGER_BITS[hive_type.name]), (left, right))
