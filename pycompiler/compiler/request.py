"""The service's one question: CompileRequest in, CompileResponse out."""

from __future__ import annotations

from pycompiler.compiler.compile import compile_predicate
from pycompiler.expression.codec import to_bytes
from pycompiler.expression.render import to_text
from pycompiler.predicate.errors import FilterTooLargeError, MalformedFilterError
from pycompiler.predicate.from_filter_tree import from_filter_tree
from pycompiler.predicate.from_sarg import from_search_argument
from pycompiler.predicate.limits import DEFAULT_LIMITS, FilterLimits
from pycompiler.predicate.model import Predicate
from pycompiler.predicate.schema import read_schema
from pycompiler.predicate.text import describe_filter
from pycompiler.thrift_gen.constants import PROTOCOL_VERSION
from pycompiler.thrift_gen.ttypes import (
    CompileError,
    CompileErrorCode,
    CompileRequest,
    CompileResponse,
    Rewrite,
    UnusedTerm,
)


def compile_request(request: CompileRequest, limits: FilterLimits = DEFAULT_LIMITS) -> CompileResponse:
    """Compiles the filter of a request.

    The typed tree and the SearchArgument are two readings of one filter. Each is compiled to an expression
    that keeps every file with a matching row, so their conjunction does.

    Raises:
        CompileError: The request has another protocol version, is malformed, or exceeds a limit.
    """
    if request.protocolVersion != PROTOCOL_VERSION:
        message = f"protocol version {request.protocolVersion}, this compiler speaks {PROTOCOL_VERSION}"
        raise CompileError(CompileErrorCode.UNSUPPORTED_VERSION, message)
    try:
        first, *also = _readings(request, limits)
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
    if explain:
        response.understood = describe_filter(first)
        response.rewrites = [Rewrite(step.rule, step.before, step.after) for step in compiled.rewrites]
    return response


def _readings(request: CompileRequest, limits: FilterLimits) -> list[Predicate]:
    schema = read_schema(request.schema)
    readings = []
    if request.filter is not None:
        readings.append(from_filter_tree(request.filter, schema, limits))
    if request.searchArgument is not None:
        readings.append(from_search_argument(request.searchArgument, schema, limits))
    if not readings:
        raise MalformedFilterError("neither a filter tree nor a SearchArgument")
    return readings
