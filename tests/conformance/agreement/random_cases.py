"""Draws expressions and statistics from a seed. The statistics are true of some rows, and often loose."""

import random
from decimal import Decimal
from typing import Final, TypeVar

from pycompiler.compile.expression.bloom import BloomFilter
from pycompiler.compile.expression.model import (
    ALL_OUTCOMES,
    COMPARISONS,
    MEMBERSHIPS,
    NULL_TESTS,
    PAIRS,
    ColumnDifference,
    ColumnPair,
    ColumnTest,
    HiveTerm,
    HudiExpression,
    Leaf,
    Never,
    Node,
    Operator,
    Ranges,
    Unknown,
    group,
)
from pycompiler.compile.expression.statistics import ColumnStatistics
from pycompiler.compile.values.encoding import Value, encode_value, truncate_lower, truncate_upper
from pycompiler.compile.values.range_set import End, Range, RangeSet
from pycompiler.compile.values.types import MOMENTS, HiveType, ValueKind
from tests.contents import contents_of

_HOUR: Final = 3600 * 1_000_000
_POOLS: Final[dict[ValueKind, list[Value]]] = {
    ValueKind.BOOLEAN: [False, True],
    ValueKind.INTEGER: [-(2**63), -129, -1, 0, 1, 2, 3, 127, 2**31, 2**63 - 1],
    ValueKind.FLOAT: [float("-inf"), -1.5, -0.0, 0.0, 5e-324, 0.5, 1.0, 1e300, float("inf")],
    ValueKind.DECIMAL: [
        Decimal(text) for text in ("-12.5", "-12", "-1", "0", "0.01", "1.5", "1.50", "99", "1E+20")
    ],
    ValueKind.STRING: [
        *(
            "",
            "A",
            "a",
            "a\x00",
            "ab",
            "b",
            "\x7f",
            "é",
            "\ud7ff",
            "\ue000",
            "\uffee",
            "\U00010000",
            "a\U00010000",
        ),
        *("a" * 64, "a" * 65, "a" * 70 + "b", "\U0010ffff" * 20),
    ],
    ValueKind.DATE: [-719_163, -719_162, -141_428, -1, 0, 1, 2, 18_000, 2_932_896, 2_932_897],
    ValueKind.TIMESTAMP: [
        *(-(2**63), -(2**63) + 36 * _HOUR, 2**63 - 1, 2**63 - 73 * _HOUR),
        *(hours * _HOUR + micros for hours in (0, 36, 72, 108) for micros in (-1, 0, 1)),
    ],
}
_TYPES: Final = {
    ValueKind.BOOLEAN: ["boolean"],
    ValueKind.INTEGER: ["int", "bigint", "smallint"],
    ValueKind.FLOAT: ["double", "float"],
    ValueKind.DECIMAL: ["decimal(10,2)", "decimal(12,2)", "decimal(38,18)"],
    ValueKind.STRING: ["string", "varchar(10)", "char(5)"],
    ValueKind.DATE: ["date"],
    ValueKind.TIMESTAMP: ["timestamp"],
}
_COLUMNS: Final = ("a", "b", "s.c")
_WITH_DIFFERENCES: Final = MOMENTS | {ValueKind.INTEGER}
_NAN: Final = b"NaN"
Part = TypeVar("Part")
FileStatistics = dict[str, ColumnStatistics]


class RandomCases:
    """Draws cases. All columns of a case are of one kind, so that they can be compared.

    Only dates and timestamps are mixed: the days of both can be subtracted.
    """

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def case(self, files: int) -> tuple[HudiExpression, list[FileStatistics]]:
        """Draws an expression, and statistics of files to evaluate it over."""
        kind = self._random.choice(list(ValueKind))
        return HudiExpression(self._tree(kind, depth=2)), [self._file(kind) for _ in range(files)]

    def test(self, kind: ValueKind) -> ColumnTest:
        """Draws a test of columns of a kind."""
        choose = self._random
        operator = choose.choice([*COMPARISONS, *MEMBERSHIPS, *NULL_TESTS, *PAIRS, *[Operator.RANGES] * 4])
        column, read_as = choose.choice(_COLUMNS), self._type(kind)
        if operator is Operator.RANGES:
            if kind in _WITH_DIFFERENCES and choose.random() < 0.5:
                return self._difference(column, read_as, kind)
            return self._ranges(column, read_as, kind)
        if operator in PAIRS:
            return ColumnPair(operator, column, read_as, choose.choice(_COLUMNS), self._type(kind))
        if operator in NULL_TESTS:
            if choose.random() < 0.3:
                columns = tuple((name, self._type(kind)) for name in choose.sample(_COLUMNS, 2))
                return HiveTerm(choose.randrange(100), choose.randint(1, ALL_OUTCOMES), columns)
            return Leaf(operator, column, read_as)
        count = choose.randint(1, 4) if operator in MEMBERSHIPS else 1
        return Leaf(operator, column, read_as, tuple(sorted({self._value(kind) for _ in range(count)})))

    def _tree(self, kind: ValueKind, depth: int) -> tuple[Node, ...]:
        draw = self._random.random()
        if depth and draw < 0.4:
            children = [self._tree(kind, depth - 1) for _ in range(self._random.randint(1, 3))]
            return group(self._random.choice([Operator.AND, Operator.OR]), children)
        if draw > 0.97:
            return (Unknown("drawn") if draw > 0.98 else Never(),)
        return (self.test(kind),)

    def _ranges(self, column: str, read_as: HiveType, kind: ValueKind) -> Ranges:
        drawn = RangeSet.of(self._range(kind) for _ in range(self._random.randint(1, 4)))
        if drawn.is_empty and kind is not ValueKind.FLOAT:
            drawn = RangeSet.point(self._value(kind))
        return Ranges(column, read_as, drawn)

    def _difference(self, column: str, read_as: HiveType, kind: ValueKind) -> ColumnDifference:
        drawn = RangeSet.of(self._range(ValueKind.INTEGER) for _ in range(self._random.randint(1, 4)))
        other = self._type(self._kind_beside(kind))
        return ColumnDifference(column, read_as, self._random.choice(_COLUMNS), other, drawn)

    def _range(self, kind: ValueKind) -> Range:
        low, high = sorted([self._value(kind), self._value(kind)])
        if self._random.random() < 0.3:
            high = low
        return Range(self._end(low), self._end(high))

    def _end(self, value: bytes) -> End | None:
        return None if self._random.random() < 0.1 else End(value, self._random.random() < 0.6)

    def _type(self, kind: ValueKind) -> HiveType:
        names = _TYPES[kind]
        return HiveType.parse(names[0] if self._random.random() < 0.7 else self._random.choice(names))

    def _value(self, kind: ValueKind) -> bytes:
        return encode_value(HiveType.parse(_TYPES[kind][0]), self._random.choice(_POOLS[kind]))

    def _file(self, kind: ValueKind) -> FileStatistics:
        return {
            name: self._statistics(self._kind_beside(kind))
            for name in _COLUMNS
            if self._random.random() < 0.95
        }

    def _kind_beside(self, kind: ValueKind) -> ValueKind:
        is_mixed = kind in MOMENTS and self._random.random() < 0.3
        return self._random.choice(sorted(MOMENTS, key=str)) if is_mixed else kind

    def _statistics(self, kind: ValueKind) -> ColumnStatistics:
        """Draws statistics of up to 4 rows with few distinct values, partly loosened or left out."""
        choose = self._random
        some = [self._value(kind) for _ in range(choose.randint(1, 3))]
        nothing = [None] * choose.choice([0, 0, 1, 8])
        nan = [_NAN] * (kind is ValueKind.FLOAT and choose.random() < 0.2)
        rows = choose.choices([*some, *nothing, *nan], k=choose.randint(0, 4))
        values = sorted({row for row in rows if row is not None and row != _NAN})
        spread = sorted([*values, *(self._value(kind) for _ in range(choose.choice([0, 0, 2])))])
        lower, upper = (truncate_lower(spread[0]), truncate_upper(spread[-1])) if values else (None, None)
        return ColumnStatistics(
            type=self._type(kind),
            lower=self._maybe(lower),
            upper=self._maybe(upper),
            null_count=self._maybe(rows.count(None)),
            value_count=self._maybe(len(rows)),
            nan_count=self._maybe(rows.count(_NAN) if kind is ValueKind.FLOAT else None),
            contents=contents_of(
                values if choose.random() < 0.2 else None,
                BloomFilter.of(values, 0.01) if choose.random() < 0.2 else None,
            ),
        )

    def _maybe(self, part: Part) -> Part | None:
        return None if self._random.random() < 0.1 else part
