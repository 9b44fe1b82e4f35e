"""Random columns, rows, predicates and statistics, drawn from small pools so that values meet literals."""

import math
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from pycompiler.compile.expression.evaluator import FileStatistics
from pycompiler.compile.expression.statistics import ColumnStatistics
from pycompiler.compile.predicate.model import (
    And,
    Between,
    Column,
    Compare,
    Comparison,
    Constant,
    In,
    IsNull,
    Literal,
    Not,
    Or,
    Predicate,
)
from pycompiler.compile.values.encoding import encode_value, truncate_lower, truncate_upper
from pycompiler.compile.values.types import HiveType, ValueKind

from .hive_rows import Mode, Row

PROPERTY = settings(max_examples=60)
"""The same examples in every run."""
THOROUGH = settings(PROPERTY, max_examples=250)

_HOUR = 3600 * 1_000_000
_MAX_OFFSET = 26 * _HOUR
_LONG = "a" * 63
_STRINGS = ["", " ", "a", "a ", "ab", "b", "\ud7ff", "\ue000", "\uffff", "\U00010000", "\U0001f600"]
_POOLS: dict[str, Sequence[Any]] = {
    "boolean": [False, True],
    "tinyint": [-128, -1, 0, 1, 2, 127],
    "smallint": [-(2**15), -1, 0, 1, 2, 2**15 - 1],
    "int": [-(2**31), -1, 0, 1, 2, 3, 2**31 - 1],
    "bigint": [-(2**63), -1, 0, 1, 2**53, 2**53 + 1, 2**63 - 1],
    "float": [math.nan, -math.inf, -1.5, -0.0, 0.0, 1.5, 3.4028234663852886e38, math.inf],
    "double": [math.nan, -math.inf, -1.0, -5e-324, -0.0, 0.0, 5e-324, 0.1, 1.0, math.inf],
    "decimal(10,2)": [
        Decimal(text) for text in ("-1.50", "-0.12", "-0.1", "0", "0.05", "1.5", "1.50", "12.34")
    ],
    "string": [*_STRINGS, _LONG + "é" + "b", _LONG + "é", _LONG + "z" + "z", "a" * 64],
    "varchar(2)": [*_STRINGS, "abc", "abd", "ac", "a\ue000b", "ab\U0001f600", "\ud7ff\ud7ffa"],
    "char(2)": [*_STRINGS, "a  b", "ab ", "abc", "a\tb", "a\t", "  ", "a\ue000"],
    "date": [-200_000, -141_428, -1, 0, 1, 18_000, 3_000_000],
    "timestamp": [-1, 0, 12 * _HOUR, 24 * _HOUR, 26 * _HOUR + 1, 60 * _HOUR, 90 * _HOUR],
}
_LITERAL_TYPES = {"varchar(2)": "string", "char(2)": "string", "tinyint": "int", "int": "bigint"}

# Types with rules of their own come up more often than the plain ones.
_TYPES = [
    HiveType.parse(name)
    for name in [*sorted(_POOLS), *["double", "string", "varchar(2)", "char(2)", "timestamp"] * 2]
]
columns = st.lists(
    st.builds(Column, st.sampled_from(["p", "q"]), st.sampled_from(_TYPES)),
    min_size=1,
    max_size=2,
    unique_by=lambda column: column.name,
) | st.sampled_from(_TYPES).map(lambda hive_type: [Column("p", hive_type), Column("q", hive_type)])
"""One or two columns, often two of one type, so that they are compared."""
modes = st.builds(
    Mode,
    nan_is_greatest=st.booleans(),
    in_compares_bits=st.booleans(),
    utf16=st.booleans(),
    cuts_literals=st.booleans(),
    offset_micros=st.sampled_from([-_MAX_OFFSET, 0, _MAX_OFFSET]),
    pads=st.booleans(),
)


def values(column: Column) -> st.SearchStrategy[Any]:
    """Non-NULL stored values of a column."""
    return st.sampled_from(_POOLS[str(column.type)])


def rows(drawn: Sequence[Column]) -> st.SearchStrategy[Row]:
    """Rows, with NULLs among them."""
    return st.fixed_dictionaries({column.name: st.none() | values(column) for column in drawn})


def files(drawn: Sequence[Column]) -> st.SearchStrategy[list[Row]]:
    """The rows of one file, at least one."""
    return st.lists(rows(drawn), min_size=1, max_size=3)


def predicates(drawn: Sequence[Column]) -> st.SearchStrategy[Predicate]:
    """Predicates over the columns, with NULL literals and constants among them."""
    leaves = st.sampled_from(list(drawn)).flatmap(lambda column: _tests(column, drawn, nulls=True))
    leaves |= st.builds(Constant, st.sampled_from([True, False, None]))

    def groups(inner: st.SearchStrategy[Predicate]) -> st.SearchStrategy[Predicate]:
        terms = st.lists(inner, min_size=1, max_size=3).map(tuple)
        return st.builds(And, terms) | st.builds(Or, terms) | st.builds(Not, inner)

    return st.recursive(leaves, groups, max_leaves=4)


def single_tests(drawn: Sequence[Column]) -> st.SearchStrategy[Predicate]:
    """Single tests of a column against constants, or of two against each other, and their opposites."""
    if len(drawn) > 1:
        test: st.SearchStrategy[Predicate] = st.builds(
            Compare, st.sampled_from(Comparison), *map(st.sampled_from, (drawn[:1], drawn[1:]))
        )
    else:
        test = _tests(drawn[0], drawn, nulls=False)
    return test | st.builds(Not, test)


def _tests(column: Column, drawn: Sequence[Column], nulls: bool) -> st.SearchStrategy[Predicate]:
    # Mostly constants, and columns of the same type among them.
    alike = [other for other in drawn if other.type == column.type]
    operand = _literals(column, nulls) | _literals(column, nulls) | st.sampled_from(alike)
    members = st.lists(operand, min_size=1, max_size=4).map(tuple)
    the_column = st.just(column)
    return (
        st.builds(Compare, st.sampled_from(Comparison), the_column, operand)
        | st.builds(Compare, st.sampled_from(Comparison), operand, the_column)
        | st.builds(In, the_column, members)
        | st.builds(Between, the_column, operand, operand)
        | st.builds(IsNull, the_column)
    )


def _literals(column: Column, nulls: bool) -> st.SearchStrategy[Literal]:
    name = str(column.type)
    literal_type = st.sampled_from([column.type, HiveType.parse(_LITERAL_TYPES.get(name, name))])
    pool = values(column)
    return st.builds(Literal, literal_type, pool | st.none() if nulls else pool)


def statistics(drawn: Sequence[Column], stored: Sequence[Row]) -> FileStatistics:
    """Collects what an index would know about a file."""
    return {column.name: _column_statistics(column, [row[column.name] for row in stored]) for column in drawn}


def _column_statistics(column: Column, stored: Sequence[Any]) -> ColumnStatistics:
    present = [value for value in stored if value is not None]
    is_float = column.type.kind is ValueKind.FLOAT
    numbers = [value for value in present if not (is_float and math.isnan(value))]
    bounds = sorted(encode_value(column.type, value) for value in numbers)
    is_cut = column.type.kind is ValueKind.STRING
    return ColumnStatistics(
        type=HiveType.parse("string") if is_cut else column.type,
        lower=truncate_lower(bounds[0]) if bounds else None,
        upper=truncate_upper(bounds[-1]) if bounds else None,
        null_count=len(stored) - len(present),
        value_count=len(stored),
        nan_count=len(present) - len(numbers) if is_float else None,
    )


@st.composite
def degraded(draw: st.DrawFn, known: FileStatistics) -> FileStatistics:
    """Takes knowledge away: drops columns, parts of them, and loosens bounds."""
    left: dict[str, ColumnStatistics] = {}
    for name, column in known.items():
        if draw(st.integers(0, 9)) == 0:
            continue
        known_parts: dict[str, Any] = {
            part: None if draw(st.integers(0, 9)) == 0 else getattr(column, part)
            for part in ("lower", "upper", "null_count", "value_count", "nan_count")
        }
        column = ColumnStatistics(column.type, **known_parts)
        if column.type.kind is ValueKind.STRING and draw(st.booleans()):
            column = loosened(column)
        left[name] = column
    return left


def loosened(column: ColumnStatistics) -> ColumnStatistics:
    """Moves bounds of strings apart."""
    lower = column.lower[:-1] if column.lower else column.lower
    upper = column.upper + b"\x00" if column.upper is not None else None
    return replace(column, lower=lower, upper=upper)
