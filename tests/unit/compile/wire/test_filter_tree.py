from decimal import Decimal

import pytest

from pycompiler.compile.predicate.errors import MalformedFilterError
from pycompiler.compile.predicate.model import (
    And,
    Between,
    Call,
    Column,
    Compare,
    Comparison,
    Constant,
    In,
    IsNull,
    Literal,
    LiteralValue,
    Not,
    Opaque,
    Or,
    Predicate,
)
from pycompiler.compile.values.types import HiveType
from pycompiler.compile.wire.filter_tree import from_filter_tree
from pycompiler.thrift_gen import ttypes
from pycompiler.thrift_gen.ttypes import (
    DecimalLiteral,
    FilterNode,
    FilterNodeKind,
    FilterTree,
    TimestampLiteral,
)

from .thrift_filters import call, column, constant, integer, tree

INT, BOOLEAN = HiveType.parse("int"), HiveType.parse("boolean")
A = Column("a", INT)
ONE, TWO = constant(integer(1)), constant(integer(2))
STRUCT = column("p", "struct<f:int>")
FIELD = FilterNode(kind=FilterNodeKind.FIELD, name="F", arity=1, type="int")


def number(value: int) -> Literal:
    return Literal(INT, value)


def compare(operator: Comparison, value: int = 1) -> Compare:
    return Compare(operator, A, number(value))


UNDERSTOOD: list[tuple[FilterTree, Predicate]] = [
    *((tree(column(), ONE, call(operator.value, 2)), compare(operator)) for operator in Comparison),
    *((tree(ONE, column(), call(operator.value, 2)), compare(operator.mirrored)) for operator in Comparison),
    (tree(column(), ONE, TWO, call("in", 3)), In(A, (number(1), number(2)))),
    (tree(column(), ONE, TWO, call("between", 3)), Between(A, number(1), number(2))),
    (tree(column(), call("isnull", 1)), IsNull(A)),
    (tree(column(), call("isnotnull", 1)), Not(IsNull(A))),
    (tree(column("A"), call("ISNULL", 1)), IsNull(A)),
    (tree(column(), ONE, call("=", 2), call("not", 1)), Not(compare(Comparison.EQ))),
    (
        tree(
            column(),
            ONE,
            call("=", 2),
            column(),
            TWO,
            call("<", 2),
            column(),
            call("isnull", 1),
            call("and", 3),
        ),
        And((compare(Comparison.EQ), compare(Comparison.LT, 2), IsNull(A))),
    ),
    (tree(column(), call("isnull", 1), call("or", 1)), Or((IsNull(A),))),
    (tree(column("ok", "boolean")), Compare(Comparison.EQ, Column("ok", BOOLEAN), Literal(BOOLEAN, True))),
    (tree(constant(ttypes.Literal(type="boolean", booleanValue=True))), Constant(True)),
    (tree(constant(ttypes.Literal(type="boolean", booleanValue=False))), Constant(False)),
    (tree(constant(ttypes.Literal(type="void"))), Constant(None)),
    (tree(STRUCT, FIELD, call("isnull", 1)), IsNull(Column("p.f", INT))),
    (tree(column(), column("b"), call("<", 2)), Compare(Comparison.LT, A, Column("b", INT))),
    (tree(column(), column("b"), call("in", 2)), In(A, (Column("b", INT),))),
    (tree(ONE, column(), TWO, call("between", 3)), Between(number(1), A, number(2))),
    (tree(column(), ONE, call("=", 2), call("isnull", 1)), IsNull(compare(Comparison.EQ))),
    (
        tree(column(), call("CAST", 1, "bigint"), ONE, call("=", 2)),
        Compare(Comparison.EQ, Call("cast", HiveType.parse("bigint"), (A,)), number(1)),
    ),
    (
        tree(column(), call("upper", 1, "string"), call("isnull", 1)),
        IsNull(Call("upper", HiveType.parse("string"), (A,))),
    ),
    (
        tree(column(), call("isprime", 1)),
        Compare(Comparison.EQ, Call("isprime", BOOLEAN, (A,)), Literal(BOOLEAN, True)),
    ),
]


@pytest.mark.parametrize(("thrift", "expected"), UNDERSTOOD)
def test_what_is_understood_is_read(thrift: FilterTree, expected: Predicate) -> None:
    assert from_filter_tree(thrift) == expected


def test_a_test_knows_its_node() -> None:
    """The handler finds the expression to evaluate by the index."""
    nodes = [
        column(),
        call("year", 1, "int"),
        ONE,
        call("=", 2),
        column(),
        call("isprime", 1),
        call("and", 2),
    ]
    predicate = from_filter_tree(tree(*nodes))
    assert isinstance(predicate, And)
    assert [term.node_index for term in predicate.terms if isinstance(term, Compare)] == [3, 5]


OPAQUE: list[tuple[FilterTree, str, str]] = [
    (tree(column()), "a", "a value of type int is used as a condition"),
    (tree(FilterNode(kind=FilterNodeKind.OPAQUE, name="a dynamic value")), "?", "a dynamic value"),
    (tree(column(), FilterNode(kind=FilterNodeKind.OPAQUE, name="rand", arity=1)), "?", "rand"),
    (tree(column(), FilterNode(kind=77, arity=1)), "?", "unknown kind of filter node 77"),
]


@pytest.mark.parametrize(("thrift", "text", "reason"), OPAQUE)
def test_what_is_not_understood_is_opaque_and_says_why(thrift: FilterTree, text: str, reason: str) -> None:
    predicate = from_filter_tree(thrift)
    assert isinstance(predicate, Opaque)
    assert predicate.text == text
    assert reason in predicate.reason


LITERALS: list[tuple[ttypes.Literal, LiteralValue | None]] = [
    (ttypes.Literal(type="boolean", booleanValue=False), False),
    (ttypes.Literal(type="bigint", integerValue=-(2**63)), -(2**63)),
    (ttypes.Literal(type="double", doubleValue=-0.5), -0.5),
    (ttypes.Literal(type="string", stringValue="\U0001f600".encode()), "\U0001f600"),
    (ttypes.Literal(type="date", dateValue=-719_162), -719_162),
    (ttypes.Literal(type="timestamp", timestampValue=TimestampLiteral(-1, 999_999_999)), -1),
    (ttypes.Literal(type="timestamp", timestampValue=TimestampLiteral(1, 1_999)), 1_000_001),
    (
        ttypes.Literal(
            type="decimal(5,2)", decimalValue=DecimalLiteral((-150).to_bytes(2, "big", signed=True), 2)
        ),
        Decimal("-1.50"),
    ),
    (
        ttypes.Literal(
            type="decimal(38,0)", decimalValue=DecimalLiteral((10**38 - 1).to_bytes(16, "big"), 0)
        ),
        Decimal("9" * 38),
    ),
    (ttypes.Literal(type="int"), None),
]


@pytest.mark.parametrize(("thrift", "value"), LITERALS)
def test_literals_of_every_type_are_read_exactly(thrift: ttypes.Literal, value: LiteralValue | None) -> None:
    predicate = from_filter_tree(tree(column("c", thrift.type), constant(thrift), call("=", 2)))
    assert isinstance(predicate, Compare)
    assert isinstance(predicate.right, Literal)
    assert predicate.right.type == HiveType.parse(thrift.type)
    assert repr(predicate.right.value) == repr(value)


def test_a_timestamp_finer_than_microseconds_is_marked() -> None:
    for nanos, is_cut in ((1_000, False), (1_999, True)):
        literal = ttypes.Literal(type="timestamp", timestampValue=TimestampLiteral(1, nanos))
        predicate = from_filter_tree(tree(column("c", "timestamp"), constant(literal), call("=", 2)))
        assert isinstance(predicate, Compare) and isinstance(predicate.right, Literal)
        assert predicate.right.is_cut is is_cut, f"{nanos} ns"


MALFORMED_LITERALS = [
    ttypes.Literal(integerValue=1),
    ttypes.Literal(type="frobnicate", integerValue=1),
    ttypes.Literal(type="int", doubleValue=1.0),
    ttypes.Literal(type="int", integerValue=1, doubleValue=1.0),
    ttypes.Literal(type="binary", stringValue=b"a"),
    ttypes.Literal(type="string", stringValue=b"\xff"),
    ttypes.Literal(type="decimal(5,2)", decimalValue=DecimalLiteral()),
    ttypes.Literal(type="decimal(5,2)", decimalValue=DecimalLiteral(b"\x01" * 33, 0)),
    ttypes.Literal(type="decimal(5,2)", decimalValue=DecimalLiteral(b"\x01", 10**9)),
    ttypes.Literal(type="timestamp", timestampValue=TimestampLiteral(0, 10**9)),
    ttypes.Literal(type="timestamp", timestampValue=TimestampLiteral(None, 1)),
]
MALFORMED = [
    FilterTree(),
    tree(),
    tree(column(), column()),
    tree(column(), ONE, call("=", 3)),
    tree(column(), call("=", 1)),
    tree(column(), call("not", 0)),
    tree(call("and", 0)),
    tree(column(), call("in", 1)),
    tree(column(), ONE, call("between", 2)),
    tree(column(), call("isnull", -1)),
    tree(column(""), call("isnull", 1)),
    tree(column("a", "frobnicate"), call("isnull", 1)),
    tree(column(), call("", 1)),
    tree(FilterNode(kind=FilterNodeKind.LITERAL)),
    tree(column(), FilterNode(kind=FilterNodeKind.COLUMN, name="b", type="int", arity=1)),
    tree(FilterNode(kind=FilterNodeKind.FIELD, name="f", type="int")),
    *(tree(column(), constant(literal), call("=", 2)) for literal in MALFORMED_LITERALS),
]


@pytest.mark.parametrize("malformed", MALFORMED)
def test_what_is_malformed_is_refused(malformed: FilterTree) -> None:
    with pytest.raises(MalformedFilterError):
        from_filter_tree(malformed)


def test_a_struct_field_is_known_if_its_struct_is() -> None:
    thrift = tree(STRUCT, FIELD, call("isnull", 1))
    assert from_filter_tree(thrift, {"p": HiveType.parse("struct<f:int>")}) == IsNull(Column("p.f", INT))
    unknown = from_filter_tree(thrift, {"q": INT})
    assert isinstance(unknown, IsNull)
    assert isinstance(unknown.value, Opaque)
