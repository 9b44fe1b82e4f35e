"""Expressions as text, lines or plain data, for display and `--json` only."""

from typing import Final

from pycompiler.compile.expression.model import (
    DIFFERENCE_TYPE,
    MEMBERSHIPS,
    NULL_TESTS,
    ColumnDifference,
    ColumnPair,
    Group,
    HiveTerm,
    HudiExpression,
    KindQuestion,
    Leaf,
    Node,
    Operator,
    Ranges,
    Unknown,
)
from pycompiler.compile.values.encoding import decode_value
from pycompiler.compile.values.range_set import Range, RangeSet
from pycompiler.compile.values.types import HiveType, ValueKind
from pycompiler.one_line import one_line

_SYMBOLS: Final = {
    Operator.EQ: "=",
    Operator.NE: "!=",
    Operator.LT: "<",
    Operator.LTEQ: "<=",
    Operator.GT: ">",
    Operator.GTEQ: ">=",
    Operator.IN: "in",
    Operator.NOT_IN: "not in",
    Operator.IS_NULL: "is null",
    Operator.IS_NOT_NULL: "is not null",
    Operator.EQ_COLUMN: "=",
    Operator.NE_COLUMN: "!=",
    Operator.LT_COLUMN: "<",
    Operator.LTEQ_COLUMN: "<=",
}
_MAX_SHOWN: Final = 5
_MAX_STRING: Final = 80
_MAX_TEXT: Final = 2000


def to_text(expression: HudiExpression, max_length: int = _MAX_TEXT) -> str:
    """Writes an expression on one line, cut to `max_length` characters."""
    texts: list[tuple[str, bool]] = []
    for node in expression.nodes:
        if not isinstance(node, Group):
            texts.append((node_text(node), False))
            continue
        parts = [f"({text})" if is_group else text for text, is_group in texts[len(texts) - node.arity :]]
        del texts[len(texts) - node.arity :]
        # Cut at each step: otherwise a deep tree costs quadratic time.
        texts.append((_cut(f" {node_text(node)} ".join(parts), max_length), True))
    text, _ = texts.pop()
    return _cut(text, max_length)


def node_text(node: Node) -> str:
    """Writes one node, without its children."""
    match node:
        case Group():
            return node.operator.name.lower()
        case Leaf() if node.operator in NULL_TESTS:
            return f"{node.column} {_SYMBOLS[node.operator]}"
        case Leaf():
            values = _listed(
                [value_text(node.type, value) for value in node.values[:_MAX_SHOWN]], len(node.values)
            )
            values = f"({values})" if node.operator in MEMBERSHIPS else values
            return f"{node.column} {_SYMBOLS[node.operator]} {values}"
        case Ranges():
            return f"{node.column} in {ranges_text(node.type, node.ranges)}"
        case ColumnPair():
            return f"{node.column} {_SYMBOLS[node.operator]} {node.other_column}"
        case ColumnDifference():
            ranges = ranges_text(DIFFERENCE_TYPE, node.differences)
            a, b = node.column, node.other_column
            return f"datediff({a}, {b}) in {ranges}" if node.is_of_days else f"{a} - {b} in {ranges}"
        case HiveTerm():
            return f"hive(term {node.index} over {', '.join(name for name, _ in node.columns)})"
        case KindQuestion():
            names = ", ".join(name for name, _ in node.asked)
            return f"{one_line(node.kind)}({names}) may match {len(node.question)} bytes"
        case Unknown():
            return f"any [{one_line(node.reason)}]" if node.reason else "any"
    return "none"


def ranges_text(hive_type: HiveType, values: RangeSet) -> str:
    """Writes a set of encoded values, such as `{[1, 5), [7, ∞)}`; a single value as `[7]`."""
    ranges = values.ranges
    return f"{{{_listed([_range_text(hive_type, range_) for range_ in ranges[:_MAX_SHOWN]], len(ranges))}}}"


def value_text(hive_type: HiveType, data: bytes) -> str:
    """Writes an encoded value or bound as a person would type it."""
    value = decode_value(hive_type, data)
    assert not isinstance(value, bytes)
    match hive_type.kind:
        case ValueKind.STRING:
            escaped = one_line(_cut(str(value), _MAX_STRING)).replace("\\", "\\\\").replace("'", "\\'")
            return f"'{escaped}'"
        case ValueKind.DATE | ValueKind.TIMESTAMP:
            unit = "days" if hive_type.kind is ValueKind.DATE else "microseconds"
            return f"{value} {unit}" if isinstance(value, int) else f"'{value}'"
        case ValueKind.BOOLEAN:
            return str(value).lower()
        case ValueKind.DECIMAL:
            return f"{value:f}"
    return str(value)


def _range_text(hive_type: HiveType, range_: Range) -> str:
    low, high = range_.low, range_.high
    if range_.is_point and low is not None:
        return f"[{value_text(hive_type, low.value)}]"
    left = "(-∞" if low is None else f"{'[' if low.included else '('}{value_text(hive_type, low.value)}"
    right = "∞)" if high is None else f"{value_text(hive_type, high.value)}{']' if high.included else ')'}"
    return f"{left}, {right}"


def _listed(shown: list[str], count: int) -> str:
    more = f", … {count - len(shown)} more" if count > len(shown) else ""
    return ", ".join(shown) + more


def _cut(text: str, max_length: int) -> str:
    return text if len(text) <= max_length else text[: max_length - 1] + "…"
