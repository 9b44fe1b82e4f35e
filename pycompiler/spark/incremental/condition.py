"""Reads a Spark condition into the predicate tree, from the plan that Spark runs.

The plan is typed and folded: Spark has converted both sides of a comparison to one type, so a column beside a
constant is a comparison of values. Text comparisons are not read, because Hive and Spark differ on some of
them. Everything not named here is `Opaque`.
"""

import math
from collections.abc import Collection, Iterator
from decimal import Decimal
from typing import Any, Final

from pycompiler.compile.predicate import build
from pycompiler.compile.predicate.model import (
    BOOLEAN,
    And,
    Call,
    Column,
    Comparison,
    In,
    Literal,
    LiteralValue,
    Not,
    Opaque,
    Operand,
    Or,
    Predicate,
)
from pycompiler.compile.predicate.text import shorten
from pycompiler.compile.values.calendar import SECOND_MICROS
from pycompiler.compile.values.numbers import nearest_float
from pycompiler.compile.values.types import HiveType, UnknownTypeError, ValueKind

_COMPARISONS: Final = {
    "EqualTo": Comparison.EQ,
    "EqualNullSafe": Comparison.NULL_SAFE_EQ,
    "LessThan": Comparison.LT,
    "LessThanOrEqual": Comparison.LTEQ,
    "GreaterThan": Comparison.GT,
    "GreaterThanOrEqual": Comparison.GTEQ,
}
_CONNECTIVES: Final[dict[str, type[And] | type[Or]]] = {"And": And, "Or": Or}
_TYPES: Final = frozenset(
    {"boolean", "tinyint", "smallint", "int", "bigint", "float", "double", "decimal", "string", "date"}
    | {"timestamp"}
)
_FIRST_SURE_MOMENT: Final = -2_177_452_800 * SECOND_MICROS
"""1901. Spark shifts what old writers stored before 1900 by less than a day, and later values not at all, so
comparisons with moments from here on are unaffected."""
_WILDCARDS: Final = frozenset("%_\\")
_REPLACEMENT: Final = "\ufffd"
"""Py4J's replacement for bytes that are not UTF-8."""


def filter_of(plan: Any, withheld: Collection[str]) -> Predicate | None:
    """The condition of a plan that only filters a relation.

    Args:
        plan: An optimized plan, a Java object.
        withheld: Columns, in lower case, that must not be used: what Spark reads differs from what their
            files contain.

    Returns:
        The condition; None for other kinds of plans.
    """
    reader = _Reader(withheld)
    terms: list[Predicate] = []
    while (name := _name(plan)) in ("Filter", "Project"):
        if name == "Filter":
            terms.append(reader.condition(plan.condition()))
        elif any(_name(column) != "AttributeReference" for column in _all_of(plan.projectList())):
            return None
        plan = plan.child()
    return And(tuple(terms)) if name == "LogicalRelation" and terms else None


class _Reader:
    def __init__(self, withheld: Collection[str]) -> None:
        self._withheld = withheld

    def condition(self, node: Any) -> Predicate:
        """Reads an expression in the place of a condition."""
        name = _name(node)
        if name in _CONNECTIVES:
            return _CONNECTIVES[name](tuple(self.condition(term) for term in _chain(node, name)))
        children = list(_all_of(node.children()))
        match name, children:
            case "Not", [term]:
                return Not(self.condition(term))
            case (("IsNull" | "IsNotNull"), [child]):
                value = self._operand(child)
                if isinstance(value, Column):
                    is_null = build.null_test(value)
                    return is_null if name == "IsNull" else Not(is_null)
            case "StartsWith", [child, beginning]:
                return self._begins(node, child, beginning)
            case "In", [child, *members]:
                return self._in(node, child, [_literal(member) for member in members])
            case "InSet", [child]:
                hive_type = _type(child.dataType())
                if hive_type is not None:
                    members = [_value(value, hive_type) for value in _all_of(node.hset().toSeq())]
                    return self._in(node, child, members)
            case _, [left, right] if name in _COMPARISONS:
                sides = self._operand(left), self._operand(right)
                if {type(side) for side in sides} <= {Column, Literal}:
                    return build.comparison(_COMPARISONS[name], *sides)
            case (("AttributeReference" | "Literal" | "GetStructField"), _):
                return build.condition(self._operand(node))
        return _opaque(node)

    def _operand(self, node: Any) -> Operand:
        match _name(node):
            case "Literal":
                return _literal(node) or _opaque(node)
            case "AttributeReference" | "GetStructField":
                hive_type, path = _type(node.dataType()), self._path(node)
                if hive_type is not None and path is not None:
                    return Column(path, hive_type)
        return _opaque(node)

    def _path(self, node: Any) -> str | None:
        """The name of a column, or the dotted name of a struct field."""
        if _name(node) == "GetStructField":
            parent = self._path(node.child())
            name = node.extractFieldName()
            return None if parent is None or "." in name else f"{parent}.{name.lower()}"
        if _name(node) != "AttributeReference":
            return None
        name = node.name().lower()
        return None if "." in name or name in self._withheld else name

    def _in(self, node: Any, child: Any, members: list[Literal | None]) -> Predicate:
        value = self._operand(child)
        known = tuple(member for member in members if member is not None)
        if not isinstance(value, Column) or not known or len(known) < len(members):
            return _opaque(node)
        return In(value, known)

    def _begins(self, node: Any, child: Any, beginning: Any) -> Predicate:
        value, prefix = self._operand(child), _literal(beginning)
        text = None if prefix is None else prefix.value
        if not isinstance(value, Column) or not isinstance(text, str) or _WILDCARDS & {*text}:
            return _opaque(node)
        return build.condition(Call("like", BOOLEAN, (value, Literal(value.type, f"{text}%"))))


def _literal(node: Any) -> Literal | None:
    hive_type = _type(node.dataType()) if _name(node) == "Literal" else None
    return None if hive_type is None else _value(node.value(), hive_type)


def _value(raw: Any, hive_type: HiveType) -> Literal | None:
    """A constant from Spark's internal form; None if its value is uncertain."""
    if raw is None:
        return Literal(hive_type, None)
    value: LiteralValue
    match hive_type.kind:
        case ValueKind.DECIMAL:
            value = Decimal(raw.toString())
        case ValueKind.STRING:
            text: str = raw.toString()
            if _REPLACEMENT in text:
                return None
            value = text
        case ValueKind.FLOAT:
            # Py4J passes a float as text, which parses to another double.
            is_single = hive_type.name == "float" and math.isfinite(raw)
            value = nearest_float(Decimal(repr(raw))) if is_single else float(raw)
        case ValueKind.TIMESTAMP:
            value = int(raw)
            if value < _FIRST_SURE_MOMENT:
                return None
        case _:
            value = raw
    return Literal(hive_type, value)


def _type(data_type: Any) -> HiveType | None:
    """The Hive type with the same values; None if there is none."""
    try:
        found = HiveType.parse(data_type.simpleString())
    except UnknownTypeError:
        return None
    return found if found.name in _TYPES else None


def _chain(node: Any, connective: str) -> list[Any]:
    """The terms of `a AND b AND c …`, which Spark nests; without recursion."""
    terms, waiting = [], [node]
    while waiting:
        term = waiting.pop()
        if _name(term) == connective:
            waiting += [term.right(), term.left()]
        else:
            terms.append(term)
    return terms


def _opaque(node: Any) -> Opaque:
    return Opaque(shorten(node.sql()), "no counterpart of this Spark expression is known")


def _name(node: Any) -> str:
    name: str = node.getClass().getSimpleName()
    return name


def _all_of(sequence: Any) -> Iterator[Any]:
    for position in range(sequence.size()):
        yield sequence.apply(position)
