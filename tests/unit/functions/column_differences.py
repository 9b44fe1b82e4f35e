"""An independent implementation of Hive's sums and differences of columns, and random tests of these."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from hypothesis import strategies as st

from pycompiler.expression.evaluator import FileStatistics
from pycompiler.expression.statistics import ColumnStatistics
from pycompiler.predicate.model import (
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
from pycompiler.values.encoding import encode_value
from pycompiler.values.types import INTEGER_BITS, HiveType

Row: TypeAlias = Mapping[str, int | None]
Case: TypeAlias = tuple[Predicate, Sequence[Row], FileStatistics]
"""A predicate, the rows of a file, and the file's statistics."""

_INT, _DATE = HiveType("int"), HiveType("date")
_POOLS: Mapping[str, Sequence[int]] = {
    **{
        name: sorted({-(1 << bits - 1), 1 - (1 << bits - 1), -100, -1, 0, 1, 100, (1 << bits - 1) - 1})
        for name, bits in INTEGER_BITS.items()
    },
    # From 0000-12-31 to 10000-01-01.
    "date": [-719_163, -719_162, -1, 0, 1, 30, 18_000, 2_932_896, 2_932_897],
}
_CONSTANTS = (-(2**31), -200, -1, 0, 1, 2, 30, 200, 2**31 - 1)


def truth(predicate: Predicate, row: Row, *, in_vectors: bool) -> bool | None:
    """What Hive's row mode, or its vectorised mode, makes of a test; None is NULL."""
    match predicate:
        case Not(term):
            found = truth(term, row, in_vectors=in_vectors)
            return None if found is None else not found
        case IsNull(value):
            return _value(value, row, in_vectors) is None
        case Compare(operator, left, right):
            a, b = _value(left, row, in_vectors), _value(right, row, in_vectors)
            if operator is Comparison.NULL_SAFE_EQ:
                return a == b
            if a is None or b is None:
                return None
            order = (a > b) - (a < b)
            wanted = {"=": (0,), "!=": (-1, 1), "<": (-1,), "<=": (-1, 0), ">": (1,), ">=": (0, 1)}
            return order in wanted[operator.value]
    raise AssertionError(predicate)


def _value(operand: Operand, row: Row, in_vectors: bool) -> int | None:
    match operand:
        case Column(name):
            return row[name]
        case Literal(_, int(number)):
            return number
        case Call(name, result, (left, right)):
            a, b = _value(left, row, in_vectors), _value(right, row, in_vectors)
            if a is None or b is None:
                return None
            # Vectors have 64 bits, whatever the type.
            half = 1 << (63 if in_vectors else INTEGER_BITS.get(result.name, 32) - 1)
            exact = a + b if name in ("+", "date_add") else a - b
            return (exact + half) % (2 * half) - half
    raise AssertionError(operand)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Conditions on two columns, either of which may be shifted, and files with rows at the ends of types."""
    names = draw(st.sampled_from([("date", "date"), *[("integer", "integer")] * 3]))
    integers = st.sampled_from(list(INTEGER_BITS))
    p, q = (
        Column(column, HiveType(draw(integers) if name == "integer" else name))
        for column, name in zip("pq", names, strict=True)
    )
    rows = draw(
        st.lists(
            st.fixed_dictionaries(
                {column.name: st.none() | st.sampled_from(_POOLS[column.type.name]) for column in (p, q)}
            ),
            min_size=1,
            max_size=2,
        )
    )
    return draw(_tests(p, q)), rows, {c.name: _statistics(c, [row[c.name] for row in rows]) for c in (p, q)}


@st.composite
def _tests(draw: st.DrawFn, p: Column, q: Column) -> Predicate:
    left, right = draw(_shifted(p)), draw(_shifted(q))
    of_dates = p.type == _DATE
    subtracted = Call("datediff", _INT, (left, right)) if of_dates else _sum("-", left, right)
    against = Literal(_INT, draw(st.sampled_from(_CONSTANTS)))
    tests: list[Predicate] = [IsNull(subtracted)]
    for operator in Comparison:
        tests += [Compare(operator, subtracted, against), Compare(operator, left, right)]
    test = draw(st.sampled_from(tests))
    return Not(test) if draw(st.booleans()) else test


@st.composite
def _shifted(draw: st.DrawFn, column: Column) -> Column | Call:
    number = Literal(_INT, draw(st.sampled_from(_CONSTANTS)))
    if draw(st.booleans()):
        return column
    if column.type == _DATE:
        return Call(draw(st.sampled_from(["date_add", "date_sub"])), _DATE, (column, number))
    operands = (number, column) if draw(st.booleans()) else (column, number)
    return _sum("+" if operands[0] is number else draw(st.sampled_from("+-")), *operands)


def _sum(name: str, left: Operand, right: Operand) -> Call:
    types = [hive_type for hive_type in map(type_of, (left, right)) if hive_type is not None]
    return Call(name, max(types, key=lambda hive_type: INTEGER_BITS[hive_type.name]), (left, right))


def _statistics(column: Column, values: Sequence[int | None]) -> ColumnStatistics:
    known = [encode_value(column.type, value) for value in values if value is not None]
    return ColumnStatistics(
        type=column.type,
        lower=min(known, default=None),
        upper=max(known, default=None),
        null_count=values.count(None),
        value_count=len(values),
        nan_count=None,
    )


def is_lost(case: Case, kept: bool) -> bool:
    """Whether a file is skipped although a mode of Hive finds a row of it."""
    predicate, rows, _ = case
    return not kept and any(
        truth(predicate, row, in_vectors=in_vectors) is True for row in rows for in_vectors in (False, True)
    )
