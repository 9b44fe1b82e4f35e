"""An expression as text, as lines and as plain data, for people and for `--json`. Never read back."""

from __future__ import annotations

from typing import Any, Final

from pycompiler.encoding import decode_value
from pycompiler.expression.model import (
    MEMBERSHIPS,
    NULL_TESTS,
    Group,
    HudiExpression,
    Leaf,
    Node,
    Operator,
    Unknown,
)
from pycompiler.types import HiveType, ValueKind

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
}
_MAX_VALUES: Final = 5
_MAX_STRING: Final = 80
_MAX_TEXT: Final = 2000


def to_text(expression: HudiExpression, max_length: int = _MAX_TEXT) -> str:
    """Writes an expression as one line, cut to `max_length` characters."""
    texts: list[tuple[str, bool]] = []
    for node in expression.nodes:
        if not isinstance(node, Group):
            texts.append((node_text(node), False))
            continue
        parts = [f"({text})" if is_group else text for text, is_group in texts[len(texts) - node.arity :]]
        del texts[len(texts) - node.arity :]
        # Cut on the way, so that a deep tree does not cost the square of its size.
        texts.append((_cut(f" {node_text(node)} ".join(parts), max_length), True))
    text, _ = texts.pop()
    return _cut(text, max_length)


def to_lines(expression: HudiExpression) -> list[str]:
    """Writes an expression as an indented tree, one line a node."""
    subtrees: list[list[tuple[int, str]]] = []
    for node in expression.nodes:
        lines = [(0, node_text(node))]
        if isinstance(node, Group):
            for child in subtrees[len(subtrees) - node.arity :]:
                lines.extend((depth + 1, line) for depth, line in child)
            del subtrees[len(subtrees) - node.arity :]
        subtrees.append(lines)
    return [f"{'  ' * depth}{line}" for depth, line in subtrees.pop()]


def to_data(expression: HudiExpression) -> dict[str, Any]:
    """Gives nested dicts: `op`, and `children`, or `column`, `type` and `values` (hex), or `reason`."""
    done: list[dict[str, Any]] = []
    for node in expression.nodes:
        match node:
            case Group():
                children = done[len(done) - node.arity :]
                del done[len(done) - node.arity :]
                done.append({"op": node.operator.name, "children": children})
            case Leaf():
                values = [value.hex() for value in node.values]
                done.append(
                    {
                        "op": node.operator.name,
                        "column": node.column,
                        "type": str(node.type),
                        "values": values,
                    }
                )
            case Unknown():
                done.append({"op": "UNKNOWN", "reason": node.reason})
            case _:
                done.append({"op": "NEVER"})
    return done.pop()


def node_text(node: Node) -> str:
    """Writes one node, without its children."""
    match node:
        case Group():
            return node.operator.name.lower()
        case Leaf() if node.operator in NULL_TESTS:
            return f"{node.column} {_SYMBOLS[node.operator]}"
        case Leaf():
            shown = [value_text(node.type, value) for value in node.values[:_MAX_VALUES]]
            more = len(node.values) - len(shown)
            values = ", ".join(shown) + (f", … {more} more" if more else "")
            values = f"({values})" if node.operator in MEMBERSHIPS else values
            return f"{node.column} {_SYMBOLS[node.operator]} {values}"
        case Unknown():
            return f"any [{node.reason}]" if node.reason else "any"
    return "none"


def value_text(hive_type: HiveType, data: bytes) -> str:
    """Writes an encoded value or bound as a person would type it."""
    value = decode_value(hive_type, data)
    assert not isinstance(value, bytes)
    match hive_type.kind:
        case ValueKind.STRING:
            escaped = _cut(str(value), _MAX_STRING).replace("\\", "\\\\").replace("'", "\\'")
            return f"'{escaped}'"
        case ValueKind.DATE | ValueKind.TIMESTAMP:
            unit = "days" if hive_type.kind is ValueKind.DATE else "microseconds"
            return f"{value} {unit}" if isinstance(value, int) else f"'{value}'"
        case ValueKind.BOOLEAN:
            return str(value).lower()
        case ValueKind.DECIMAL:
            return f"{value:f}"
    return str(value)


def _cut(text: str, max_length: int) -> str:
    return text if len(text) <= max_length else text[: max_length - 1] + "…"
