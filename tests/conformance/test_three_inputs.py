"""SQL text, and the tree that HiveServer2 sends for it, become the same predicate.

The trees are those of Hive's type checker (functions.json), node by node.
"""

import pytest

from pycompiler.compile.compiler.compile import compile_predicate
from pycompiler.compile.expression.model import HiveTerm, HudiExpression, Leaf, Unknown
from pycompiler.compile.expression.model import Operator as ExpressionOperator
from pycompiler.compile.sql.from_sql import Dialect, from_sql
from pycompiler.compile.values.types import HiveType
from pycompiler.compile.wire.filter_tree import from_filter_tree
from pycompiler.compile.wire.search_argument import from_search_argument
from pycompiler.thrift_gen import ttypes
from pycompiler.thrift_gen.ttypes import DecimalLiteral, FilterNode, FilterNodeKind, FilterTree

SCHEMA = {
    name: HiveType.parse(text)
    for name, text in {
        "i": "int",
        "j": "int",
        "bi": "bigint",
        "d": "double",
        "f": "float",
        "m": "decimal(10,2)",
        "s": "string",
        "v": "varchar(5)",
        "dt": "date",
        "ts": "timestamp",
        "b": "boolean",
        "st": "struct<x:int,y:string>",
    }.items()
}


def column(name: str) -> list[FilterNode]:
    return [FilterNode(kind=FilterNodeKind.COLUMN, name=name, type=str(SCHEMA[name]))]


def field(of: str, name: str, type_name: str) -> list[FilterNode]:
    return [*column(of), FilterNode(kind=FilterNodeKind.FIELD, name=name, type=type_name, arity=1)]


def literal(type_name: str, **value: object) -> list[FilterNode]:
    constant = ttypes.Literal(type=type_name, **value)
    return [FilterNode(kind=FilterNodeKind.LITERAL, type=type_name, literal=constant)]


def whole(value: int, type_name: str = "int") -> list[FilterNode]:
    return literal(type_name, integerValue=value)


def text(value: str, type_name: str = "string") -> list[FilterNode]:
    return literal(type_name, stringValue=value.encode())


def decimal(unscaled: int, scale: int, type_name: str) -> list[FilterNode]:
    return literal(type_name, decimalValue=DecimalLiteral(unscaled.to_bytes(16, "big", signed=True), scale))


def call(name: str, *arguments: list[FilterNode], returns: str = "boolean") -> list[FilterNode]:
    node = FilterNode(kind=FilterNodeKind.FUNCTION, name=name, arity=len(arguments), type=returns)
    return [*(inner for argument in arguments for inner in argument), node]


INT, J, BI, D, F, M, S, V, DT, TS, B = map(column, ("i", "j", "bi", "d", "f", "m", "s", "v", "dt", "ts", "b"))
PAIR = "struct<col1:int,col2:string>"
CASES: list[tuple[str, list[FilterNode]]] = [
    ("i = 1", call("=", INT, whole(1))),
    ("1 < i", call("<", whole(1), INT)),
    ("i <=> NULL", call("<=>", INT, literal("int"))),
    ("i < 1.5", call("<", INT, decimal(15, 1, "decimal(2,1)"))),
    ("d > 0.1", call(">", D, literal("double", doubleValue=0.1))),
    ("f > 0.1", call(">", F, literal("float", doubleValue=0.10000000149011612))),
    ("m = 1.50", call("=", M, decimal(15, 1, "decimal(2,1)"))),
    ("bi >= 3000000000", call(">=", BI, whole(3_000_000_000, "bigint"))),
    ("i < j", call("<", INT, J)),
    ("dt = '2021-01-01'", call("=", DT, text("2021-01-01"))),
    ("dt > DATE '2021-01-01'", call(">", DT, literal("date", dateValue=18_628))),
    (
        "ts <= TIMESTAMP '2021-01-01 00:00:00.5'",
        call(
            "<=",
            TS,
            literal("timestamp", timestampValue=ttypes.TimestampLiteral(1_609_459_200, 500_000_000)),
        ),
    ),
    ("v = 'abc'", call("=", V, text("abc", "varchar(5)"))),
    ("s IN ('a', 'b', NULL)", call("in", S, text("a"), text("b"), literal("string"))),
    ("s NOT IN ('a')", call("not", call("in", S, text("a")))),
    ("s IN ('5', 7)", call("or", call("in", S, text("5")), call("in", S, whole(7)))),
    ("dt IN ('2021-01-01', '2021-02-01')", call("in", DT, text("2021-01-01"), text("2021-02-01"))),
    (
        "(i, s) IN ((1, 'a'), (2, 'b'))",
        call(
            "in",
            call("struct", INT, S, returns=PAIR),
            call("struct", whole(1), text("a"), returns=PAIR),
            call("struct", whole(2), text("b"), returns=PAIR),
        ),
    ),
    ("i BETWEEN 1 AND 5", call("between", INT, whole(1), whole(5))),
    ("NOT i BETWEEN 1 AND j", call("not", call("between", INT, whole(1), J))),
    ("s IS NULL OR b", call("or", call("isnull", S), B)),
    ("s IS NOT NULL AND NOT b", call("and", call("isnotnull", S), call("not", B))),
    ("b IS TRUE", call("istrue", B)),
    ("b IS NOT TRUE", call("isnottrue", B)),
    ("(i = 1) IS FALSE", call("isfalse", call("=", INT, whole(1)))),
    ("b IS NOT FALSE", call("isnotfalse", B)),
    ("NOT (b IS FALSE)", call("not", call("isfalse", B))),
    ("st.x = 1", call("=", field("st", "x", "int"), whole(1))),
    ("year(dt) = 2021", call("=", call("year", DT, returns="int"), whole(2021))),
    (
        "month(ts) IN (1, 2)",
        call("in", call("month", TS, returns="int"), whole(1), whole(2)),
    ),
    ("i + 1 > 5", call(">", call("+", INT, whole(1), returns="int"), whole(5))),
    ("-m < 3", call("<", call("negative", M, returns="decimal(10,2)"), whole(3))),
    (
        "cast(i AS bigint) = 5",
        call("=", call("cast", INT, returns="bigint"), whole(5)),
    ),
    ("s LIKE 'a%'", call("like", S, text("a%"))),
    ("s NOT RLIKE '^a'", call("not", call("rlike", S, text("^a")))),
    (
        "substr(s, 1, 2) = 'ab'",
        call("=", call("substr", S, whole(1), whole(2), returns="string"), text("ab")),
    ),
    ("coalesce(i, 0) = 0", call("=", call("coalesce", INT, whole(0), returns="int"), whole(0))),
    (
        "if(i > 0, 'a', 'b') = 'a'",
        call("=", call("if", call(">", INT, whole(0)), text("a"), text("b"), returns="string"), text("a")),
    ),
    (
        "CASE WHEN i > 0 THEN 1 WHEN b THEN 2 ELSE 3 END = 2",
        call(
            "=",
            call("when", call(">", INT, whole(0)), whole(1), B, whole(2), whole(3), returns="int"),
            whole(2),
        ),
    ),
    (
        "CASE i WHEN 1 THEN 'a' END = 'a'",
        call("=", call("case", INT, whole(1), text("a"), returns="string"), text("a")),
    ),
]


@pytest.mark.parametrize("dialect", Dialect)
@pytest.mark.parametrize(("condition", "nodes"), CASES)
def test_sql_and_hives_tree_are_one_predicate(
    condition: str, nodes: list[FilterNode], dialect: Dialect
) -> None:
    of_sql = from_sql(condition, SCHEMA, dialect=dialect)
    of_tree = from_filter_tree(FilterTree(nodes=nodes), SCHEMA)
    assert of_sql == of_tree


@pytest.mark.parametrize(("condition", "nodes"), CASES)
def test_all_that_the_tree_adds_are_terms_for_hive(condition: str, nodes: list[FilterNode]) -> None:
    of_sql = compile_predicate(from_sql(condition, SCHEMA)).expression
    of_tree = compile_predicate(from_filter_tree(FilterTree(nodes=nodes), SCHEMA)).expression
    assert without_terms(of_tree) == list(of_sql.leaves())


def test_the_truth_of_a_number_is_left_to_hive() -> None:
    of_tree = from_filter_tree(FilterTree(nodes=call("istrue", INT)), SCHEMA)
    assert without_terms(compile_predicate(of_tree).expression) == []
    assert isinstance(compile_predicate(from_sql("i IS TRUE", SCHEMA)).expression.root, Unknown)


def test_a_search_argument_says_the_same_of_what_it_can_say() -> None:
    one, two = (ttypes.Literal(type="int", integerValue=value) for value in (1, 2))
    leaf = ttypes.PredicateLeaf(
        operator=ttypes.PredicateLeafOperator.IN, column="i", type="int", literalList=[one, two]
    )
    node = ttypes.SearchArgumentNode(operator=ttypes.SearchArgumentOperator.LEAF, leaf=0)
    of_argument = from_search_argument(ttypes.SearchArgument(leaves=[leaf], nodes=[node]), SCHEMA)
    assert compile_predicate(of_argument) == compile_predicate(from_sql("i IN (1, 2)", SCHEMA))


def without_terms(expression: HudiExpression) -> list[object]:
    """Leaves that column bounds decide."""
    return [leaf for leaf in expression.leaves() if not isinstance(leaf, HiveTerm)]


def test_there_are_leaves_to_compare() -> None:
    operators = {
        leaf.operator
        for condition, _ in CASES
        for leaf in compile_predicate(from_sql(condition, SCHEMA)).expression.leaves()
        if isinstance(leaf, Leaf)
    }
    assert {ExpressionOperator.EQ, ExpressionOperator.IN, ExpressionOperator.LT} <= operators
