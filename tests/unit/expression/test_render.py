from __future__ import annotations

import json

import pytest

from pycompiler.compiler.compile import compile_predicate
from pycompiler.expression.model import Group, HudiExpression, Leaf, Node, Operator
from pycompiler.expression.render import to_data, to_lines, to_text, value_text
from pycompiler.predicate.from_sql import from_sql
from pycompiler.types import HiveType

SCHEMA = {
    name: HiveType.parse(text)
    for name, text in {
        "a": "int",
        "s": "string",
        "d": "date",
        "t": "timestamp",
        "q": "decimal(10,2)",
        "ok": "boolean",
        "x": "double",
    }.items()
}


def compiled(text: str) -> HudiExpression:
    return compile_predicate(from_sql(text, SCHEMA)).expression


@pytest.mark.parametrize(
    ("where", "text"),
    [
        ("a = 1", "a = 1"),
        ("a IS NULL", "a is null"),
        ("a IS NOT NULL", "a is not null"),
        ("a NOT IN (2, 1)", "a not in (1, 2)"),
        ("a IN (1, 2, 3, 4, 5, 6, 7)", "a in (1, 2, 3, 4, 5, … 2 more)"),
        (r"s = 'it\'s a \\'", r"s = 'it\'s a \\'"),
        ("d < DATE '1999-01-02'", "d < '1999-01-02'"),
        ("t > TIMESTAMP '2020-01-03 12:00:00'", "t > '2020-01-02 00:00:00'"),
        ("q != 100", "q != 100"),
        ("ok", "ok = true"),
        ("x >= -0.5", "x >= -0.5"),
        ("(a = 1 OR a = 2) AND (s = 'x' OR s = 'y')", "(a = 1 or a = 2) and (s = 'x' or s = 'y')"),
        ("a = 1 AND (s = 'x' OR s = 'y')", "a = 1 and (s = 'x' or s = 'y')"),
        ("FALSE", "none"),
        ("TRUE", "any [the filter is true for every row]"),
    ],
)
def test_an_expression_is_shown_as_a_condition(where: str, text: str) -> None:
    assert to_text(compiled(where)) == text


def test_a_tree_is_shown_one_line_a_node() -> None:
    assert to_lines(compiled("a = 1 OR (a > 5 AND s IS NULL)")) == [
        "or",
        "  a = 1",
        "  and",
        "    a > 5",
        "    s is null",
    ]


def test_plain_data_goes_into_json() -> None:
    data = to_data(compiled("a = 1 AND s IS NULL"))
    assert json.loads(json.dumps(data)) == {
        "op": "AND",
        "children": [
            {"op": "EQ", "column": "a", "type": "int", "values": ["8000000000000001"]},
            {"op": "IS_NULL", "column": "s", "type": "string", "values": []},
        ],
    }


def test_long_text_is_cut() -> None:
    text = to_text(compiled(" OR ".join(f"a = {number}" for number in range(1000))), max_length=50)
    assert len(text) == 50
    assert text.startswith("a = 0 or a = 1")
    assert text.endswith("…")


def test_a_deep_expression_is_shown_without_a_crash() -> None:
    leaf = Leaf(Operator.IS_NULL, "a", HiveType.parse("int"))
    nodes: list[Node] = [leaf]
    for _ in range(5_000):
        nodes += [leaf, Group(Operator.OR, 2)]
    assert to_text(HudiExpression(tuple(nodes))).endswith("…")


def test_a_bound_cut_inside_a_character_can_be_shown() -> None:
    assert value_text(HiveType.parse("string"), b"a\xf0\x9f") == r"'a\\xf0\\x9f'"


def test_dates_that_python_does_not_have_are_shown_as_counts() -> None:
    far = (10**9 + 2**63).to_bytes(8, "big")
    assert value_text(HiveType.parse("date"), far) == "1000000000 days"
