import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from pycompiler import __version__
from pycompiler.compile.expression.model import HudiExpression, Leaf, Operator
from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.types import HiveType
from pycompiler.compile.wire.expression import to_bytes
from pycompiler.thrift_gen.constants import (
    EXPRESSION_FORMAT_VERSION,
    PLAN_FORMAT_VERSION,
    PROTOCOL_VERSION,
)
from pycompiler.thrift_gen.ttypes import (
    ColumnSchema,
    CompileError,
    CompileErrorCode,
    CompileResponse,
    PartitionPlan,
    ScanRange,
)

from .filters import equals, is_in
from .harness import Service

pytestmark = pytest.mark.slow

BIGINT = HiveType("bigint")


def assert_answers(response: CompileResponse, value: int) -> None:
    leaf = Leaf(Operator.EQ, "a", BIGINT, (encode_value(BIGINT, value),))
    # With its fingerprint: an answer must belong to the question.
    assert response.expression == to_bytes(HudiExpression((leaf,), str(value).encode()))


def test_a_request_that_names_partition_columns_is_planned(service: Service) -> None:
    asked = equals(42)
    asked.partitionColumns = ["A"]
    with service.client() as client:
        planned, unplanned = client.compile(asked), client.compile(equals(42))
    assert (planned.description, planned.unusedTerms) == ("a = 42", [])
    key = b"\2" + encode_value(BIGINT, 42)
    assert planned.partitionPlan == PartitionPlan(
        formatVersion=PLAN_FORMAT_VERSION,
        columns=[ColumnSchema("a", "bigint")],
        scans=[ScanRange(start=key, stop=key[:-1] + bytes([key[-1] + 1]))],
        filters=[],
        text="Get(X42)",
    )
    assert unplanned.partitionPlan is None


@pytest.mark.parametrize("columns", [["b"], ["b", "a"], ["a", "a"]], ids=str)
def test_columns_that_make_no_key_are_not_planned(service: Service, columns: list[str]) -> None:
    asked = equals(42)
    asked.partitionColumns = columns
    with service.client() as client:
        response = client.compile(asked)
    assert response.partitionPlan is None
    assert_answers(response, 42)


def test_the_service_tells_its_versions(service: Service) -> None:
    with service.client() as client:
        info = client.describe()
    versions = info.version, info.protocolVersion, info.expressionFormatVersion
    assert versions == (__version__, PROTOCOL_VERSION, EXPRESSION_FORMAT_VERSION)


def test_many_clients_at_once_each_get_their_own_answers(service: Service) -> None:
    together = threading.Barrier(16)

    def ask(number: int) -> None:
        with service.client() as client:
            together.wait()
            for call in range(40):
                value = number * 1000 + call
                assert_answers(client.compile(equals(value)), value)

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(ask, range(16)))


def test_a_connection_is_used_again_after_an_error(service: Service) -> None:
    other_version = equals(1)
    other_version.protocolVersion = PROTOCOL_VERSION + 1
    with service.client() as client:
        with pytest.raises(CompileError) as refused:
            client.compile(other_version)
        assert refused.value.code == CompileErrorCode.UNSUPPORTED_VERSION
        assert_answers(client.compile(equals(2)), 2)


def test_a_connection_is_used_again_after_a_request_that_is_too_large(service: Service) -> None:
    with service.client() as client:
        with pytest.raises(CompileError) as refused:
            client.compile(is_in(range(100_000)))
        assert refused.value.code == CompileErrorCode.TOO_LARGE
        assert_answers(client.compile(equals(1)), 1)


def test_a_call_without_a_request_is_invalid(service: Service) -> None:
    with service.client() as client, pytest.raises(CompileError) as refused:
        client.compile(None)
    assert refused.value.code == CompileErrorCode.INVALID_REQUEST
