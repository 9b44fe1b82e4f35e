from __future__ import annotations

import pytest

from pycompiler.compiler.request import compile_request
from pycompiler.expression.codec import from_bytes
from pycompiler.expression.model import HiveTerm
from pycompiler.expression.render import to_text
from pycompiler.predicate.limits import FilterLimits
from pycompiler.thrift_gen.constants import PROTOCOL_VERSION
from pycompiler.thrift_gen.ttypes import (
    ColumnSchema,
    CompileError,
    CompileErrorCode,
    CompileRequest,
    FilterNode,
    FilterNodeKind,
    FilterTree,
    Literal,
    PredicateLeaf,
    PredicateLeafOperator,
    SearchArgument,
    SearchArgumentNode,
    SearchArgumentOperator,
    TableSchema,
    TruthValue,
)
from pycompiler.values.types import HiveType


def int_column(name: str) -> FilterNode:
    return FilterNode(kind=FilterNodeKind.COLUMN, name=name, type="int")


def int_constant(value: int) -> FilterNode:
    return FilterNode(kind=FilterNodeKind.LITERAL, literal=Literal(type="int", integerValue=value))


def call(name: str, arity: int) -> FilterNode:
    return FilterNode(kind=FilterNodeKind.FUNCTION, name=name, arity=arity, type="boolean")


def int_leaf(name: str, value: int) -> PredicateLeaf:
    return PredicateLeaf(
        operator=PredicateLeafOperator.EQUALS,
        column=name,
        type="int",
        literal=Literal(type="int", integerValue=value),
    )


EQUALS = [int_column("a"), int_constant(1), call("=", 2)]
LEAF = SearchArgumentNode(operator=SearchArgumentOperator.LEAF, leaf=0)


def request(nodes: list[FilterNode] | None = None, argument: SearchArgument | None = None) -> CompileRequest:
    return CompileRequest(
        protocolVersion=PROTOCOL_VERSION,
        fingerprint=b"\x01\x02",
        filter=None if nodes is None else FilterTree(nodes=nodes),
        searchArgument=argument,
    )


def refusal(refused: CompileRequest, limits: FilterLimits | None = None) -> CompileError:
    with pytest.raises(CompileError) as caught:
        compile_request(refused) if limits is None else compile_request(refused, limits)
    assert caught.value.message
    return caught.value


def test_the_answer_has_the_expression_its_fingerprint_and_its_description() -> None:
    response = compile_request(request(EQUALS))
    expression = from_bytes(response.expression)
    assert expression.fingerprint == b"\x01\x02"
    assert to_text(expression) == response.description == "a = 1"
    assert response.unusedTerms == []


def test_both_readings_of_a_filter_are_used_and_what_they_share_stands_once() -> None:
    """The tree alone knows `a`, the SearchArgument alone `b`; `c` is in both."""
    tree = [
        *EQUALS,
        *(FilterNode(kind=FilterNodeKind.OPAQUE, name="not understood"), int_column("c"), int_constant(3)),
        *(call("=", 2), call("and", 3)),
    ]
    argument = SearchArgument(
        leaves=[int_leaf("c", 3), int_leaf("b", 2)],
        nodes=[
            SearchArgumentNode(operator=SearchArgumentOperator.CONSTANT, constant=TruthValue.YES_NO_NULL),
            SearchArgumentNode(operator=SearchArgumentOperator.LEAF, leaf=0),
            SearchArgumentNode(operator=SearchArgumentOperator.LEAF, leaf=1),
            SearchArgumentNode(operator=SearchArgumentOperator.AND, arity=3),
        ],
    )
    response = compile_request(request(tree, argument))
    assert response.description == "a = 1 and c = 3 and b = 2"
    assert [unused.reason for unused in response.unusedTerms] == ["not understood"], "the tree's terms only"


def test_a_search_argument_alone_will_do() -> None:
    argument = SearchArgument(leaves=[int_leaf("a", 1)], nodes=[LEAF])
    assert compile_request(request(None, argument)).description == "a = 1"


def test_a_filter_of_which_nothing_is_understood_keeps_everything_and_says_why() -> None:
    opaque = FilterNode(kind=FilterNodeKind.OPAQUE, name="a dynamic value")
    response = compile_request(request([int_column("a"), opaque, call("=", 2)]))
    assert [(unused.term, unused.reason) for unused in response.unusedTerms] == [
        ("a = [?]", "a dynamic value")
    ]
    assert response.description == "any [a dynamic value]"


def test_a_function_without_a_rule_is_left_to_hive() -> None:
    response = compile_request(request([int_column("a"), call("isprime", 1)]))
    term = from_bytes(response.expression).root
    assert term == HiveTerm(index=1, outcomes=1, columns=(("a", HiveType.parse("int")),))
    assert response.unusedTerms == []


def test_columns_are_held_against_the_schema() -> None:
    refused = request(EQUALS)
    refused.schema = TableSchema(columns=[ColumnSchema(name="a", type="bigint")])
    assert compile_request(refused).unusedTerms[0].reason == "a is bigint in the table and int in the filter"
    refused.schema = TableSchema(columns=[ColumnSchema(name="a", type="int")])
    assert compile_request(refused).description == "a = 1"


@pytest.mark.parametrize("version", [None, 0, 2])
def test_another_protocol_version_is_refused(version: int | None) -> None:
    refused = request(EQUALS)
    refused.protocolVersion = version
    assert refusal(refused).code == CompileErrorCode.UNSUPPORTED_VERSION


@pytest.mark.parametrize(
    "refused",
    [
        request(),
        request([]),
        request([*EQUALS, *EQUALS]),
        request(EQUALS, SearchArgument()),
        request(EQUALS, SearchArgument(leaves=[], nodes=[LEAF])),
    ],
)
def test_a_malformed_request_is_refused(refused: CompileRequest) -> None:
    assert refusal(refused).code == CompileErrorCode.INVALID_REQUEST


def test_a_schema_without_names_or_types_is_refused() -> None:
    for schema in (
        ColumnSchema(name="a"),
        ColumnSchema(type="int"),
        ColumnSchema(name="a", type="frobnicate"),
    ):
        refused = request(EQUALS)
        refused.schema = TableSchema(columns=[schema])
        assert refusal(refused).code == CompileErrorCode.INVALID_REQUEST


@pytest.mark.parametrize("depth", [5_000, 19_000, 200_000])
def test_depth_is_refused_and_never_a_crash(depth: int) -> None:
    assert refusal(request([*EQUALS, *[call("not", 1)] * depth])).code == CompileErrorCode.TOO_LARGE
    nots = SearchArgumentNode(operator=SearchArgumentOperator.NOT, arity=1)
    argument = SearchArgument(leaves=[int_leaf("a", 1)], nodes=[LEAF, *[nots] * depth])
    assert refusal(request(None, argument)).code == CompileErrorCode.TOO_LARGE


def test_the_deepest_that_is_allowed_is_compiled() -> None:
    response = compile_request(request([*EQUALS, *[call("not", 1)] * 998]))
    assert response.description == "a = 1"


def test_lists_and_strings_beyond_the_limits_are_refused() -> None:
    limits = FilterLimits(max_in_values=2, max_literal_bytes=3)
    members = [int_column("a"), int_constant(1), int_constant(2), int_constant(3), call("in", 4)]
    assert refusal(request(members), limits).code == CompileErrorCode.TOO_LARGE
    text = FilterNode(kind=FilterNodeKind.LITERAL, literal=Literal(type="string", stringValue=b"four"))
    column = FilterNode(kind=FilterNodeKind.COLUMN, name="s", type="string")
    assert refusal(request([column, text, call("=", 2)]), limits).code == CompileErrorCode.TOO_LARGE
