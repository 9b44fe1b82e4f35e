import pytest

from pycompiler.compile.expression.model import HiveTerm, HudiExpression, Leaf, Operator
from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.types import HiveType
from pycompiler.compile.wire.expression import to_bytes
from pycompiler.compile.wire.request import compile_request
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
    LiteralList,
    PredicateLeaf,
    PredicateLeafOperator,
    SearchArgument,
    SearchArgumentOperator,
    TableSchema,
    TruthValue,
)

from .thrift_filters import argument, call, column, constant, equals, integer, node, packed

INT = HiveType("int")
EQUALS = [column(), constant(integer(1)), call("=", 2)]
LEAF = node(SearchArgumentOperator.LEAF, leaf=0)


def request(nodes: list[FilterNode] | None = None, leaves: SearchArgument | None = None) -> CompileRequest:
    return CompileRequest(
        protocolVersion=PROTOCOL_VERSION,
        fingerprint=b"\x01\x02",
        filter=None if nodes is None else FilterTree(nodes=nodes),
        searchArgument=leaves,
    )


def refusal(refused: CompileRequest) -> CompileError:
    with pytest.raises(CompileError) as caught:
        compile_request(refused)
    assert caught.value.message
    return caught.value


def test_the_answer_has_the_expression_its_fingerprint_and_its_description() -> None:
    response = compile_request(request(EQUALS))
    leaf = Leaf(Operator.EQ, "a", INT, (encode_value(INT, 1),))
    assert response.expression == to_bytes(HudiExpression((leaf,), b"\x01\x02"))
    assert response.description == "a = 1"
    assert response.unusedTerms == []


def test_both_readings_of_a_filter_are_used_and_what_they_share_stands_once() -> None:
    """The tree alone knows `a`, the SearchArgument alone `b`; `c` is in both."""
    tree = [
        *EQUALS,
        *(FilterNode(kind=FilterNodeKind.OPAQUE, name="not understood"), column("c"), constant(integer(3))),
        *(call("=", 2), call("and", 3)),
    ]
    nodes = [
        node(SearchArgumentOperator.CONSTANT, constant=TruthValue.YES_NO_NULL),
        LEAF,
        node(SearchArgumentOperator.LEAF, leaf=1),
        node(SearchArgumentOperator.AND, 3),
    ]
    response = compile_request(request(tree, argument([equals(3, "c"), equals(2, "b")], nodes)))
    assert response.description == "a = 1 and c = 3 and b = 2"
    assert [unused.reason for unused in response.unusedTerms] == ["not understood"], "the tree's terms only"


def test_a_search_argument_alone_will_do() -> None:
    assert compile_request(request(None, argument([equals(1)]))).description == "a = 1"


def test_a_filter_of_which_nothing_is_understood_keeps_everything_and_says_why() -> None:
    opaque = FilterNode(kind=FilterNodeKind.OPAQUE, name="a dynamic value")
    response = compile_request(request([column(), opaque, call("=", 2)]))
    assert [(unused.term, unused.reason) for unused in response.unusedTerms] == [
        ("a = [?]", "a dynamic value")
    ]
    assert response.description == "any [a dynamic value]"


def test_a_function_without_a_rule_is_left_to_hive() -> None:
    response = compile_request(request([column(), call("isprime", 1)]))
    term = HiveTerm(index=1, outcomes=1, columns=(("a", INT),))
    assert response.expression == to_bytes(HudiExpression((term,), b"\x01\x02"))
    assert response.unusedTerms == []


def test_columns_are_held_against_the_schema() -> None:
    refused = request(EQUALS)
    refused.schema = TableSchema(columns=[ColumnSchema(name="a", type="bigint")])
    reason = compile_request(refused).unusedTerms[0].reason
    assert reason == "a has type bigint in the table but int in the filter"
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


HALF = constant(Literal(type="string", stringValue=b"a" * 512 * 1024))
LISTS = {size: LiteralList(type="int", integerValues=list(range(size))) for size in (7_000, 10_000, 10_001)}
IN_LIST = [column(), packed(LISTS[7_000]), call("in", 2)]
NOT = node(SearchArgumentOperator.NOT, arity=1)


def leaf_of(**members: object) -> SearchArgument:
    """A SearchArgument of one IN."""
    return argument([PredicateLeaf(operator=PredicateLeafOperator.IN, column="a", type="int", **members)])


@pytest.mark.parametrize(
    ("message", "refused"),
    [
        (
            "an IN list of 10001 values",
            request([column(), *[constant(integer(1))] * 10_001, call("in", 10_002)]),
        ),
        ("an IN list of 10001 values", request([column(), packed(LISTS[10_001]), call("in", 2)])),
        (
            "an IN list of 10001 values",
            request([column(), packed(LISTS[10_000]), constant(integer(1)), call("in", 3)]),
        ),
        ("IN lists of 21000 values", request([*IN_LIST, *IN_LIST, *IN_LIST, call("or", 3)])),
        ("bytes of string literals", request([column("s", "string"), HALF, HALF, HALF, call("in", 4)])),
        (
            "bytes of string literals",
            request(
                [
                    column("s", "string"),
                    packed(LiteralList(type="string", stringValues=[HALF.literal.stringValue] * 3)),
                    call("in", 2),
                ]
            ),
        ),
        *(("levels", request([*EQUALS, *[call("not", 1)] * depth])) for depth in (5_000, 19_000)),
        ("nodes", request([*EQUALS, *[call("not", 1)] * 200_000])),
        *(
            ("levels", request(None, argument([equals(1)], [LEAF, *[NOT] * depth])))
            for depth in (5_000, 19_000)
        ),
        ("nodes", request(None, argument([equals(1)], [LEAF, *[NOT] * 200_000]))),
        ("an IN list of 10001 values", request(None, leaf_of(literalList=[integer(1)] * 10_001))),
        ("an IN list of 10001 values", request(None, leaf_of(packedLiterals=LISTS[10_001]))),
    ],
)
def test_a_filter_beyond_the_limits_is_refused_and_never_a_crash(
    message: str, refused: CompileRequest
) -> None:
    error = refusal(refused)
    assert error.code == CompileErrorCode.TOO_LARGE
    assert message in error.message


@pytest.mark.parametrize(
    "nodes",
    [
        [*EQUALS, *[call("not", 1)] * 998],
        [column(), packed(LISTS[10_000]), call("in", 2)],
        [column("s", "string"), HALF, HALF, call("in", 3)],
    ],
    ids=["depth", "members", "bytes"],
)
def test_the_largest_filter_that_is_allowed_is_compiled(nodes: list[FilterNode]) -> None:
    assert not compile_request(request(nodes)).unusedTerms
