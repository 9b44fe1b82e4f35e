from __future__ import annotations

from decimal import Decimal

import pytest

from pycompiler.expression.model import (
    ColumnPair,
    ColumnTest,
    Group,
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
from pycompiler.expression.render import to_text, value_text
from pycompiler.values.encoding import Value, encode_value
from pycompiler.values.range_set import EMPTY, FULL, End, Range, RangeSet
from pycompiler.values.types import HiveType

INT = HiveType.parse("int")
STRING = HiveType.parse("string")


def leaf(operator: Operator, column: str, type_name: str, *values: Value) -> Leaf:
    read_as = HiveType.parse(type_name)
    return Leaf(operator, column, read_as, tuple(sorted(encode_value(read_as, value) for value in values)))


def ranges(*spans: tuple[int | None, str, int | None]) -> Ranges:
    """Ranges of an int; the text in the middle has the bracket of each end."""
    return Ranges(
        "a", INT, RangeSet.of(Range(end(low, ends[0]), end(high, ends[1])) for low, ends, high in spans)
    )


def end(value: int | None, bracket: str) -> End | None:
    return None if value is None else End(encode_value(INT, value), bracket in "[]")


A1, A2 = leaf(Operator.EQ, "a", "int", 1), leaf(Operator.EQ, "a", "int", 2)
SX, SY = leaf(Operator.EQ, "s", "string", "x"), leaf(Operator.EQ, "s", "string", "y")
S_NULL = leaf(Operator.IS_NULL, "s", "string")


def any_of(*subtrees: tuple[Node, ...]) -> tuple[Node, ...]:
    return group(Operator.OR, subtrees)


def all_of(*subtrees: tuple[Node, ...]) -> tuple[Node, ...]:
    return group(Operator.AND, subtrees)


@pytest.mark.parametrize(
    ("test", "text"),
    [
        (A1, "a = 1"),
        (leaf(Operator.NE, "q", "decimal(10,2)", Decimal("1E+2")), "q != 100"),
        (leaf(Operator.LT, "d", "date", 10_593), "d < '1999-01-02'"),
        (leaf(Operator.GT, "t", "timestamp", 1_577_923_200_000_000), "t > '2020-01-02 00:00:00'"),
        (leaf(Operator.GTEQ, "x", "double", -0.5), "x >= -0.5"),
        (leaf(Operator.EQ, "ok", "boolean", True), "ok = true"),
        (leaf(Operator.EQ, "s", "string", "it's a \\"), r"s = 'it\'s a \\'"),
        (leaf(Operator.NOT_IN, "a", "int", 2, 1), "a not in (1, 2)"),
        (leaf(Operator.IN, "a", "int", *range(1, 8)), "a in (1, 2, 3, 4, 5, … 2 more)"),
        (leaf(Operator.IS_NULL, "a", "int"), "a is null"),
        (leaf(Operator.IS_NOT_NULL, "a", "int"), "a is not null"),
        (ranges((1, "[)", 5), (7, "[)", None)), "a in {[1, 5), [7, ∞)}"),
        (ranges((None, "()", 1), (1, "(]", 5), (7, "[]", 7)), "a in {(-∞, 1), (1, 5], [7]}"),
        (Ranges("a", INT, FULL), "a in {(-∞, ∞)}"),
        (Ranges("x", HiveType.parse("double"), EMPTY), "x in {}"),
        (Ranges("s", STRING, RangeSet.above(b"b'", included=False)), r"s in {('b\'', ∞)}"),
        (ranges(*((n, "[]", n) for n in range(1, 9))), "a in {[1], [2], [3], [4], [5], … 3 more}"),
        (ColumnPair(Operator.EQ_COLUMN, "a", INT, "b", INT), "a = b"),
        (ColumnPair(Operator.NE_COLUMN, "a", INT, "s.b", INT), "a != s.b"),
        (ColumnPair(Operator.LT_COLUMN, "a", INT, "b", INT), "a < b"),
        (ColumnPair(Operator.LTEQ_COLUMN, "a", INT, "b", INT), "a <= b"),
        (HiveTerm(12, 1, (("a", INT), ("b", STRING))), "hive(term 12 over a, b)"),
    ],
)
def test_a_test_is_shown_as_a_condition(test: ColumnTest, text: str) -> None:
    assert to_text(HudiExpression((test,))) == text


@pytest.mark.parametrize(
    ("nodes", "text"),
    [
        (all_of(any_of((A1,), (A2,)), any_of((SX,), (SY,))), "(a = 1 or a = 2) and (s = 'x' or s = 'y')"),
        (all_of((A1,), any_of((SX,), (SY,))), "a = 1 and (s = 'x' or s = 'y')"),
        ((Never(),), "none"),
        ((Unknown("a reason"),), "any [a reason]"),
        ((Unknown(),), "any"),
    ],
)
def test_an_expression_is_shown_as_a_condition(nodes: tuple[Node, ...], text: str) -> None:
    assert to_text(HudiExpression(nodes)) == text


def test_long_text_is_cut() -> None:
    numbers = ((leaf(Operator.EQ, "a", "int", number),) for number in range(1000))
    text = to_text(HudiExpression(any_of(*numbers)), max_length=50)
    assert len(text) == 50
    assert text.startswith("a = 0 or a = 1")
    assert text.endswith("…")


def test_a_deep_expression_is_shown_without_a_crash() -> None:
    nodes: list[Node] = [S_NULL]
    for _ in range(5_000):
        nodes += [S_NULL, Group(Operator.OR, 2)]
    assert to_text(HudiExpression(tuple(nodes))).endswith("…")


def test_a_bound_cut_inside_a_character_can_be_shown() -> None:
    assert value_text(STRING, b"a\xf0\x9f") == r"'a\\xf0\\x9f'"


def test_dates_that_python_does_not_have_are_shown_as_counts() -> None:
    far = (10**9 + 2**63).to_bytes(8, "big")
    assert value_text(HiveType.parse("date"), far) == "1000000000 days"
