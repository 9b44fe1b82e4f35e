"""The PredicateCompiler service's methods: the compiler behind Thrift's error codes."""

from __future__ import annotations

import logging

from pycompiler import __version__
from pycompiler.compiler.request import compile_request
from pycompiler.expression.codec import from_bytes
from pycompiler.planner.message import requested_plan, size_of
from pycompiler.service.limits import ServiceLimits
from pycompiler.thrift_gen.constants import EXPRESSION_FORMAT_VERSION, PROTOCOL_VERSION
from pycompiler.thrift_gen.ttypes import (
    CompileError,
    CompileErrorCode,
    CompileRequest,
    CompileResponse,
    CompilerInfo,
)

log = logging.getLogger(__name__)

# Room for Thrift's own bytes around the parts of a response.
_ENVELOPE_BYTES = 64


class CompilerHandler:
    """Answers compile() and describe(). Raises nothing but CompileError."""

    def __init__(self, limits: ServiceLimits) -> None:
        self._limits = limits

    def compile(self, request: CompileRequest | None) -> CompileResponse:
        """Compiles one filter; see `pycompiler.compiler.request.compile_request`.

        Plans it, too, if the request names partition columns; see `pycompiler.planner.message`.

        Raises:
            CompileError: The request is refused, or the compiler failed (INTERNAL; the traceback is logged).
        """
        if request is None:
            raise CompileError(CompileErrorCode.INVALID_REQUEST, "the call has no request")
        try:
            response = compile_request(request)
            if request.partitionColumns:
                response.partitionPlan = requested_plan(request, from_bytes(response.expression))
        except CompileError:
            raise
        except Exception as error:
            log.exception("the compiler failed")
            raise CompileError(CompileErrorCode.INTERNAL, f"{type(error).__name__}: {error}") from error
        size = _size(response)
        if size > self._limits.max_frame_bytes:
            message = f"the response has {size} bytes, the limit is {self._limits.max_frame_bytes}"
            raise CompileError(CompileErrorCode.TOO_LARGE, message)
        return response

    def describe(self) -> CompilerInfo:
        """Says which versions are spoken here."""
        return CompilerInfo(
            version=__version__,
            protocolVersion=PROTOCOL_VERSION,
            expressionFormatVersion=EXPRESSION_FORMAT_VERSION,
        )


def _size(response: CompileResponse) -> int:
    """An upper bound of the bytes that the response takes on the wire."""
    texts = [response.description or ""]
    for unused in response.unusedTerms or []:
        texts += [unused.term or "", unused.reason or ""]
    plan = 0 if response.partitionPlan is None else size_of(response.partitionPlan)
    return (
        plan + len(response.expression or b"") + sum(len(text.encode()) + _ENVELOPE_BYTES for text in texts)
    )
