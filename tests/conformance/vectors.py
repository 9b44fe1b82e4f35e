"""Reading the vector files that Python and Java are both held to."""

from __future__ import annotations

import json
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

from pycompiler.encoding import Value
from pycompiler.expression.model import GROUPS, HudiExpression, Leaf, Never, Node, Operator, Unknown, group
from pycompiler.types import HiveType, ValueKind

DIRECTORY = Path(__file__).parent
_DAYS_PER_400_YEARS = 146_097


def load(name: str, section: str = "vectors") -> list[dict[str, Any]]:
    """Reads one section of a vector file.

    Raises:
        AssertionError: There are no vectors, so that a test over them would show nothing.
    """
    vectors: list[dict[str, Any]] = json.loads((DIRECTORY / name).read_text(encoding="utf-8"))[section]
    assert vectors, f"{name} has no {section}"
    return vectors


def vector_id(vector: dict[str, Any]) -> str:
    """The name that a test of this vector is listed under."""
    return str(vector.get("name", "-".join(map(str, vector.values()))))


def value_of(hive_type: HiveType, value: bool | int | float | str) -> Value:
    """Turns a vector's JSON value into what the encoder takes."""
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
    """Days since 1970 of YYYY-MM-DD, with any year: 400 years are a whole number of days."""
    year, month, day = text.rsplit("-", 2)
    cycles, year_of_cycle = divmod(int(year) - 2000, 400)
    moved = date(2000 + year_of_cycle, int(month), int(day))
    return moved.toordinal() - date(1970, 1, 1).toordinal() + cycles * _DAYS_PER_400_YEARS


def micros_of(text: str) -> int:
    """Microseconds since 1970 of YYYY-MM-DD HH:MM:SS[.f], floored."""
    day, time = text.split(" ")
    clock, _, fraction = time.partition(".")
    hours, minutes, seconds = map(int, clock.split(":"))
    whole = ((days_of(day) * 24 + hours) * 60 + minutes) * 60 + seconds
    return whole * 1_000_000 + int(fraction.ljust(6, "0")[:6])


def expression_of(tree: dict[str, Any], fingerprint: bytes = b"") -> HudiExpression:
    """Builds the expression that a vector's tree describes."""
    return HudiExpression(_nodes_of(tree), fingerprint)


def without_reasons(expression: HudiExpression) -> HudiExpression:
    """Takes the reasons out of an expression: a vector without one leaves the wording to the reader."""
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
    values = tuple(bytes.fromhex(value) for value in tree["values"])
    return (Leaf(operator, tree["column"], HiveType.parse(tree["type"]), values),)
