"""Answers a CompileRequest with a CompileResponse."""

from pycompiler.compile.compiler.compile import compile_predicate
from pycompiler.compile.expression.render import to_text
from pycompiler.compile.predicate.errors import FilterTooLargeError, MalformedFilterError
from pycompiler.compile.predicate.model import Predicate
from pycompiler.compile.predicate.schema import Schema
from pycompiler.compile.predicate.text import describe_filter
from pycompiler.compile.values.types import HiveType
from pycompiler.compile.wire.expression import to_bytes
from pycompiler.compile.wire.filter_tree import from_filter_tree
from pycompiler.compile.wire.literals import read_type
from pycompiler.compile.wire.plan import requested_plan
from pycompiler.compile.wire.search_argument import from_search_argument
from pycompiler.thrift_gen.constants import PROTOCOL_VERSION
from pycompiler.thrift_gen.ttypes import (
    CompileError,
    CompileErrorCode,
    CompileRequest,
    CompileResponse,
    Rewrite,
    TableSchema,
    UnusedTerm,
)


def compile_request(request: CompileRequest) -> CompileResponse:
    """Compiles the filter of a request.

    The typed tree and the SearchArgument are two readings of one filter. Each compiles to an expression that
    keeps every file with a matching row, and so does their conjunction. The answer has a plan if the request
    names partition columns.

    Raises:
        CompileError: The request has another protocol version, is malformed, or exceeds a limit.
    """
    if request.protocolVersion != PROTOCOL_VERSION:
        message = f"protocol version {request.protocolVersion} is not supported; use {PROTOCOL_VERSION}"
        raise CompileError(CompileErrorCode.UNSUPPORTED_VERSION, message)
    try:
        schema = _schema(request.schema)
        first, *also = _readings(request, schema)
    except MalformedFilterError as error:
        raise CompileError(CompileErrorCode.INVALID_REQUEST, str(error)) from error
    except FilterTooLargeError as error:
        raise CompileError(CompileErrorCode.TOO_LARGE, str(error)) from error
    explain = bool(request.explain)
    compiled = compile_predicate(first, also=also, fingerprint=request.fingerprint or b"", trace=explain)
    response = CompileResponse(
        expression=to_bytes(compiled.expression),
        unusedTerms=[UnusedTerm(unused.term, unused.reason) for unused in compiled.unused],
        description=to_text(compiled.expression),
    )
    if request.partitionColumns:
        response.partitionPlan = requested_plan(request.partitionColumns, schema, compiled.expression)
    if explain:
        response.understood = describe_filter(first)
        response.rewrites = [Rewrite(step.rule, step.before, step.after) for step in compiled.rewrites]
    return response


def _schema(thrift: TableSchema | None) -> Schema | None:
    """Reads the table's columns; None if the request has no schema to check columns against."""
    if thrift is None:
        return None
    schema: dict[str, HiveType] = {}
    for column in thrift.columns or []:
        if not column.name:
            raise MalformedFilterError("a column of the schema has no name")
        schema[column.name.lower()] = read_type(column.type)
    return schema


def _readings(request: CompileRequest, schema: Schema | None) -> list[Predicate]:
    readings = []
    if request.filter is not None:
        readings.append(from_filter_tree(request.filter, schema))
    if request.searchArgument is not None:
        readings.append(from_search_argument(request.searchArgument, schema))
    if not readings:
        raise MalformedFilterError("the request has neither a filter tree nor a SearchArgument")
    return readings
