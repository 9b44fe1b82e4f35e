from decimal import Decimal

import pytest

from pycompiler.compile.compiler.compile import Unused, compile_predicate
from pycompiler.compile.expression.evaluator import evaluate
from pycompiler.compile.expression.model import Unknown
from pycompiler.compile.expression.render import to_text
from pycompiler.compile.predicate.model import (
    And,
    Between,
    Call,
    Column,
    Compare,
    Comparison,
    In,
    Literal,
    LiteralValue,
    Not,
    Opaque,
    Or,
    Predicate,
)
from pycompiler.compile.values.types import HiveType
from tests.contents import one_row


def column(type_name: str, name: str = "a") -> Column:
    return Column(name, HiveType.parse(type_name))


def literal(type_name: str, value: LiteralValue | None) -> Literal:
    return Literal(HiveType.parse(type_name), value)


def equals(column_type: str, literal_type: str, value: LiteralValue) -> Compare:
    return Compare(Comparison.EQ, column(column_type), literal(literal_type, value))


def is_unknown(predicate: Predicate) -> bool:
    return isinstance(compile_predicate(predicate).expression.root, Unknown)


AGREE = [
    ("int", "bigint", 1),
    ("bigint", "tinyint", 1),
    ("decimal(10,2)", "decimal(3,1)", Decimal("1.5")),
    ("string", "varchar(3)", "a"),
    ("varchar(3)", "string", "a"),
    ("varchar(3)", "varchar(9)", "a"),
    ("char(3)", "string", "a"),
    ("char(3)", "char(9)", "a"),
]
DISAGREE = [
    ("int", "string", "1"),
    ("string", "int", 1),
    ("string", "char(3)", "a"),
    ("varchar(3)", "char(3)", "a"),
    ("boolean", "int", 1),
    ("int", "boolean", True),
    ("date", "int", 1),
    ("binary", "string", "a"),
]


@pytest.mark.parametrize(("column_type", "literal_type", "value"), AGREE)
def test_types_of_one_family_are_compared(column_type: str, literal_type: str, value: LiteralValue) -> None:
    assert not is_unknown(equals(column_type, literal_type, value))


@pytest.mark.parametrize(("column_type", "literal_type", "value"), DISAGREE)
def test_where_types_differ_nothing_is_known(
    column_type: str, literal_type: str, value: LiteralValue
) -> None:
    test = equals(column_type, literal_type, value)
    null = literal("void", None)
    member, with_null = In(test.left, (test.right,)), In(test.left, (test.right, null))
    for predicate in (test, Not(test), member, Not(member), with_null):
        assert is_unknown(predicate), predicate
        assert compile_predicate(predicate).unused[0].reason


def test_one_end_of_another_type_spoils_a_between() -> None:
    """Hive's vectorised BETWEEN converts all three sides to one common type: 2**53 + 1 is then 2**53."""
    assert is_unknown(Between(column("bigint"), literal("bigint", 1), literal("double", 5.0)))
    assert is_unknown(Between(column("bigint"), literal("double", 1.0), literal("bigint", 5)))


@pytest.mark.parametrize(
    ("column_type", "literal_types", "fits"),
    [
        ("decimal(10,2)", ["decimal(4,3)", "decimal(4,3)"], True),
        ("decimal(38,10)", ["decimal(1,0)", "decimal(12,10)"], True),
        ("decimal(38,10)", ["decimal(12,11)"], False),
        ("decimal(38,18)", ["decimal(38,0)"], False),
        # Each fits beside the column, and not beside the other.
        ("decimal(10,2)", ["decimal(30,0)"], True),
        ("decimal(10,2)", ["decimal(20,20)"], True),
        ("decimal(10,2)", ["decimal(30,0)", "decimal(20,20)"], False),
    ],
)
def test_decimals_that_hive_rounds_to_a_common_type_are_unknown(
    column_type: str, literal_types: list[str], fits: bool
) -> None:
    """Row mode finds 3 IN (2.99999999999) in a decimal(38,10) column, which no bound of the values shows."""
    values = [literal(name, Decimal(number)) for number, name in enumerate(literal_types, start=1)]
    member = In(column(column_type), tuple(values))
    for predicate in (member, Not(member), Not(Not(member))):
        assert is_unknown(predicate) is not fits, f"{column_type} IN {literal_types}"


@pytest.mark.parametrize(
    ("value", "member", "negated"), [(0, True, True), (1, True, False), (2, False, True)]
)
def test_the_null_in_an_in_of_decimals_may_be_zero_or_no_value(
    value: int, member: bool, negated: bool
) -> None:
    """In vectors it is; elsewhere the IN is TRUE or NULL."""
    test = In(column("decimal(10,2)"), (literal("decimal(1,0)", Decimal(1)), literal("void", None)))
    known = one_row(HiveType.parse("decimal(10,2)"), Decimal(value))
    assert evaluate(compile_predicate(test).expression, [{"a": known}]) == [member]
    assert evaluate(compile_predicate(Not(test)).expression, [{"a": known}]) == [negated]


def test_a_constant_beyond_the_encoding_is_unknown() -> None:
    assert is_unknown(Compare(Comparison.LT, column("timestamp"), literal("timestamp", 2**63)))


def test_unused_terms_are_reported_once_and_those_of_other_readings_not_at_all() -> None:
    opaque = Opaque("f(a)", "no")
    compiled = compile_predicate(And((opaque, Not(opaque))), also=[Opaque("?", "not this one")])
    assert compiled.unused == (Unused("f(a)", "no"),)
    assert compiled.expression.root == Unknown("no; not this one")


@pytest.mark.parametrize("depth", [5_000, 20_000])
def test_no_depth_is_too_great_for_the_compiler(depth: int) -> None:
    first, second = equals("int", "int", 1), equals("int", "int", 2)
    nots: Predicate = first
    for _ in range(depth):
        nots = Not(nots)
    assert to_text(compile_predicate(nots).expression) == "a = 1"
    chain: Predicate = first
    for _ in range(depth):
        chain = And((chain, first))
    assert to_text(compile_predicate(chain).expression) == "a = 1"
    mixed: Predicate = first
    for level in range(depth):
        other = Compare(Comparison.NE, column("int", f"c{level}"), literal("int", level))
        mixed = And((mixed, other)) if level % 2 else Or((mixed, other))
    expression = compile_predicate(Or((mixed, second))).expression
    assert evaluate(expression, [{}]) == [True]
    assert len(expression.nodes) < 1_000, "what is too deep is left out"


def test_a_day_against_a_time_just_after_its_midnight_is_kept_either_way() -> None:
    day = one_row(HiveType("date"), 18_628)
    midnight = Literal(HiveType("timestamp"), 18_628 * 86_400_000_000, is_cut=True)
    for operator in Comparison:
        test = Compare(operator, Call("cast", HiveType("timestamp"), (column("date"),)), midnight)
        for predicate in (test, Not(test)):
            (vote,) = evaluate(compile_predicate(predicate).expression, [{"a": day}])
            assert vote or operator in (Comparison.EQ, Comparison.NULL_SAFE_EQ), f"{predicate} loses the day"
