"""Filters to compile, as Hive's storage handler sends them."""

from collections.abc import Sequence

from pycompiler.thrift_gen.constants import PROTOCOL_VERSION
from pycompiler.thrift_gen.ttypes import (
    ColumnSchema,
    CompileRequest,
    FilterNode,
    FilterNodeKind,
    Literal,
    LiteralList,
    PredicateLeaf,
    PredicateLeafOperator,
    TableSchema,
)

from ...unit.compile.wire.thrift_filters import argument, call, column, constant, integer, tree

_COLUMNS = {**{f"c{i}": "int" for i in range(50)}, "s": "string", "v": "varchar(20)", "d": "date"}
_OPERATORS = ("=", "<", ">", "!=", ">=")


def terms(count: int, connective: str) -> CompileRequest:
    """Comparisons of integer columns, joined by AND or OR."""
    nodes = []
    for i in range(count):
        nodes += [_column(f"c{i % 50}"), constant(integer(i)), call(_OPERATORS[i % 5], 2)]
    return _request([*nodes, call(connective, count)])


def functions() -> CompileRequest:
    """Five terms with a function each."""
    nodes = []
    for year in range(5):
        nodes += [_column("d"), call("year", 1, "int"), constant(integer(2000 + 2 * year)), call("=", 2)]
    return _request([*nodes, call("or", 5)])


def listed(name: str, count: int) -> CompileRequest:
    """`name IN (…)` of values in one list."""
    if _COLUMNS[name] == "int":
        literals = LiteralList(type="int", integerValues=[3 * i for i in range(count)])
    else:
        literals = LiteralList(type="string", stringValues=[b"key%08d" % i for i in range(count)])
    members = FilterNode(kind=FilterNodeKind.LITERAL_LIST, type=literals.type, literals=literals)
    return _membership(PredicateLeaf(column=name, packedLiterals=literals), [members])


def one_by_one(name: str, count: int) -> CompileRequest:
    """`name IN (…)` of the same values, each as a single literal."""
    is_integer = _COLUMNS[name] == "int"
    literals = [integer(3 * i) if is_integer else _text(b"key%08d" % i) for i in range(count)]
    return _membership(PredicateLeaf(column=name, literalList=literals), [*map(constant, literals)])


def _membership(leaf: PredicateLeaf, members: Sequence[FilterNode]) -> CompileRequest:
    """An IN as Hive sends it: its SearchArgument repeats the members."""
    leaf.operator, leaf.type = PredicateLeafOperator.IN, _COLUMNS[leaf.column]
    request = _request([_column(leaf.column), *members, call("in", len(members) + 1)])
    request.searchArgument = argument([leaf])
    return request


def alternating(levels: int) -> CompileRequest:
    """Alternating ANDs and ORs, each over a comparison and the level below."""
    nodes = [_column("c0"), constant(integer(0)), call("=", 2)]
    for i in range(levels):
        nodes += [_column(f"c{(i + 1) % 7}"), constant(integer(i)), call("<" if i % 2 else ">", 2)]
        nodes.append(call("and" if i % 2 else "or", 2))
    return _request(nodes)


def nested_ors(levels: int, trees: int) -> CompileRequest:
    """An AND of trees of ORs of ANDs over the same columns, which would be huge if multiplied out."""
    nodes: list[FilterNode] = []
    for bound in range(trees):
        nodes += _or_of_ands(levels, 1, bound)
    return _request([*nodes, call("and", trees)])


def _or_of_ands(levels: int, place: int, bound: int) -> list[FilterNode]:
    if levels == 0:
        return [_column(f"c{place % 7}"), constant(integer(bound + 5)), call("<", 2)]
    branches: list[FilterNode] = []
    for bit in (0, 1):
        branches += [_column(f"c{place % 7}"), constant(integer(bound)), call(">", 2)]
        branches += [*_or_of_ands(levels - 1, 2 * place + bit, bound), call("and", 2)]
    return [*branches, call("or", 2)]


def nested_choices(levels: int) -> CompileRequest:
    """`nvl(nvl(nvl(…, c1), c2), c3) = 1`: the compiler asks each level for its values and for NULL."""
    nodes = [_column("c0")]
    for level in range(1, levels):
        nodes += [_column(f"c{level % 7}"), call("nvl", 2, "int")]
    return _request([*nodes, constant(integer(1)), call("=", 2)])


def nested(levels: int) -> CompileRequest:
    """NOT over NOT over a comparison."""
    return _request(
        [_column("c0"), constant(integer(0)), call("=", 2), *(call("not", 1) for _ in range(levels))]
    )


def long_literal(size: int) -> CompileRequest:
    """`s = '…'` with a constant of the given number of bytes."""
    return _request([_column("s"), constant(_text(b"x" * size)), call("=", 2)])


def _request(nodes: Sequence[FilterNode]) -> CompileRequest:
    return CompileRequest(
        protocolVersion=PROTOCOL_VERSION,
        fingerprint=b"f" * 32,
        filter=tree(*nodes),
        schema=TableSchema([ColumnSchema(name, hive_type) for name, hive_type in _COLUMNS.items()]),
    )


def _column(name: str) -> FilterNode:
    return column(name, _COLUMNS[name])


def _text(value: bytes) -> Literal:
    return Literal(type="string", stringValue=value)
