"""The methods of the PredicateCompiler service."""

import logging

from pycompiler.compile.wire.request import compile_request
from pycompiler.thrift_gen.constants import EXPRESSION_FORMAT_VERSION, PROTOCOL_VERSION
from pycompiler.thrift_gen.ttypes import (
    ColumnSchema,
    CompileError,
    CompileErrorCode,
    CompileRequest,
    CompileResponse,
    CompilerInfo,
    FilterNode,
    FilterNodeKind,
    FilterTree,
    Literal,
    TableSchema,
)
from pycompiler.version import VERSION

log = logging.getLogger(__name__)


class CompilerHandler:
    """Answers compile() and describe(). Raises only CompileError."""

    def compile(self, request: CompileRequest | None) -> CompileResponse:
        """Compiles one filter; see `pycompiler.compile.wire.request.compile_request`.

        Raises:
            CompileError: The request is rejected, or the compiler failed (INTERNAL; the traceback is logged).
        """
        if request is None:
            raise CompileError(CompileErrorCode.INVALID_REQUEST, "the call has no request")
        try:
            return compile_request(request)
        except CompileError:
            raise
        except Exception as error:
            log.exception("the compiler failed")
            raise CompileError(CompileErrorCode.INTERNAL, f"{type(error).__name__}: {error}") from error

    def warm_up(self) -> None:
        """Compiles a filter, so that everything is loaded before the first client arrives."""
        self.compile(_warm_up_request())

    def describe(self) -> CompilerInfo:
        """Describes the versions that this compiler supports."""
        return CompilerInfo(
            version=VERSION,
            protocolVersion=PROTOCOL_VERSION,
            expressionFormatVersion=EXPRESSION_FORMAT_VERSION,
        )


def _warm_up_request() -> CompileRequest:
    """The smallest request that exercises the whole compiler: `c = 1`."""
    return CompileRequest(
        protocolVersion=PROTOCOL_VERSION,
        fingerprint=b"warm-up",
        schema=TableSchema([ColumnSchema("c", "int")]),
        filter=FilterTree(
            [
                FilterNode(kind=FilterNodeKind.COLUMN, type="int", name="c"),
                FilterNode(
                    kind=FilterNodeKind.LITERAL, type="int", literal=Literal(type="int", integerValue=1)
                ),
                FilterNode(kind=FilterNodeKind.FUNCTION, type="boolean", name="=", arity=2),
            ]
        ),
    )
