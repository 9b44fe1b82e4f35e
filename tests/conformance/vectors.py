"""Reads the vector files that Python and Java share."""

import json
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

from pycompiler.compile.expression.bloom import BloomFilter
from pycompiler.compile.expression.model import (
    GROUPS,
    PAIRS,
    ColumnDifference,
    ColumnPair,
    HiveTerm,
    HudiExpression,
    KindQuestion,
    Leaf,
    Never,
    Node,
    Operator,
    Ranges,
    Unknown,
    group,
)
from pycompiler.compile.expression.statistics import ColumnStatistics
from pycompiler.compile.values.encoding import Value
from pycompiler.compile.values.range_set import End, Range, RangeSet
from pycompiler.compile.values.types import HiveType, ValueKind
from tests.contents import OCTETS, contents_of

DIRECTORY = Path(__file__).parent
_DAYS_PER_400_YEARS = 146_097


def load(name: str, section: str = "vectors") -> list[dict[str, Any]]:
    """Reads one section of a vector file.

    Raises:
        AssertionError: There are no vectors, so a test over them would prove nothing.
    """
    vectors: list[dict[str, Any]] = json.loads((DIRECTORY / name).read_text(encoding="utf-8"))[section]
    assert vectors, f"{name} has no {section}"
    return vectors


def vector_id(vector: dict[str, Any]) -> str:
    """The vector's name in test ids."""
    return str(vector.get("name", "-".join(map(str, vector.values()))))


def value_of(hive_type: HiveType, value: bool | int | float | str) -> Value:
    """Converts a vector's JSON value for the encoder."""
    match hive_type.kind:
        case ValueKind.FLOAT:
            return float(value)
        case ValueKind.DECIMAL:
            return Decimal(str(value))
        case ValueKind.DATE:
            return days_of(str(value))
        case ValueKind.TIMESTAMP:
            return micros_of(str(value))
    return value


def days_of(text: str) -> int:
    """Converts YYYY-MM-DD to days since 1970, for any year: 400 years are a whole number of days."""
    year, month, day = text.rsplit("-", 2)
    cycles, year_of_cycle = divmod(int(year) - 2000, 400)
    moved = date(2000 + year_of_cycle, int(month), int(day))
    return moved.toordinal() - date(1970, 1, 1).toordinal() + cycles * _DAYS_PER_400_YEARS


def micros_of(text: str) -> int:
    """Converts YYYY-MM-DD HH:MM:SS[.f] to microseconds since 1970, rounded down."""
    day, time = text.split(" ")
    clock, _, fraction = time.partition(".")
    hours, minutes, seconds = map(int, clock.split(":"))
    whole = ((days_of(day) * 24 + hours) * 60 + minutes) * 60 + seconds
    return whole * 1_000_000 + int(fraction.ljust(6, "0")[:6])


def expression_of(tree: dict[str, Any], fingerprint: bytes = b"") -> HudiExpression:
    """Builds the expression that a vector's tree describes."""
    return HudiExpression(_nodes_of(tree), fingerprint)


def statistics_of(column: dict[str, Any]) -> ColumnStatistics:
    """Builds a vector's statistics of a column in a file; sets and filters are optional."""
    values, bloom = column.get("value_set"), column.get("bloom")
    return ColumnStatistics(
        type=HiveType.parse(column["type"]),
        lower=_bytes_of(column.get("lower")),
        upper=_bytes_of(column.get("upper")),
        null_count=column.get("null_count"),
        value_count=column.get("value_count"),
        nan_count=column.get("nan_count"),
        contents=contents_of(
            None if values is None else [bytes.fromhex(value) for value in values],
            None if bloom is None else BloomFilter(bytes.fromhex(bloom)),
            _bytes_of(column.get("contents", {}).get(OCTETS)),
        ),
    )


def _bytes_of(text: str | None) -> bytes | None:
    return None if text is None else bytes.fromhex(text)


def without_reasons(expression: HudiExpression) -> HudiExpression:
    """Removes reasons from an expression, because vectors may leave the wording to the reader."""
    nodes = tuple(Unknown() if isinstance(node, Unknown) else node for node in expression.nodes)
    return HudiExpression(nodes, expression.fingerprint)


def _nodes_of(tree: dict[str, Any]) -> tuple[Node, ...]:
    operator = Operator[tree["op"]]
    if operator in GROUPS:
        return group(operator, [_nodes_of(child) for child in tree["children"]])
    if operator is Operator.NEVER:
        return (Never(),)
    if operator is Operator.UNKNOWN:
        return (Unknown(tree.get("reason", "")),)
    if operator is Operator.TERM:
        columns = tuple((column["name"], HiveType.parse(column["type"])) for column in tree["term_columns"])
        return (HiveTerm(tree["term"], tree["outcomes"], columns),)
    if operator is Operator.QUESTION:
        asked = tuple((column["name"], HiveType.parse(column["type"])) for column in tree["term_columns"])
        return (KindQuestion(tree["kind"], bytes.fromhex(tree["question"]), asked),)
    column, read_as = tree["column"], HiveType.parse(tree["type"])
    if operator in PAIRS:
        return (
            ColumnPair(operator, column, read_as, tree["other_column"], HiveType.parse(tree["other_type"])),
        )
    values = tuple(bytes.fromhex(value) for value in tree["values"])
    if operator is Operator.DIFFERENCE:
        other, other_type = tree["other_column"], HiveType.parse(tree["other_type"])
        differences = _ranges_of(values, bytes.fromhex(tree["bounds"]))
        return (ColumnDifference(column, read_as, other, other_type, differences),)
    if operator is Operator.RANGES:
        return (Ranges(column, read_as, _ranges_of(values, bytes.fromhex(tree["bounds"]))),)
    return (Leaf(operator, column, read_as, values),)


def _ranges_of(values: tuple[bytes, ...], bounds: bytes) -> RangeSet:
    ranges = [
        Range(
            End(low, bool(flags & 2)) if flags & 1 else None,
            End(high, bool(flags & 8)) if flags & 4 else None,
        )
        for low, high, flags in zip(values[::2], values[1::2], bounds, strict=True)
    ]
    ranges_of_set = RangeSet.of(ranges)
    assert list(ranges_of_set.ranges) == ranges, "the ranges of a vector are ascending and apart"
    return ranges_of_set
