"""Decodes a request, and encodes its response."""

from thrift.protocol.TCompactProtocol import TCompactProtocolAccelerated
from thrift.Thrift import TMessageType
from thrift.transport.TTransport import TMemoryBuffer

from pycompiler.compile.wire.handler import CompilerHandler
from pycompiler.thrift_gen import PredicateCompiler
from pycompiler.thrift_gen.ttypes import CompileError, CompileErrorCode


class MalformedRequest(Exception):
    """The bytes are not a call of this service, so no answer is possible."""


class Dispatcher:
    """Decodes a call, lets the handler answer it, and encodes the answer. Thread-safe.

    Args:
        handler: Answers calls.
        max_structs: Maximum structs in a request.
        max_response_bytes: A longer response is replaced by an error.
    """

    def __init__(self, handler: CompilerHandler, max_structs: int, max_response_bytes: int) -> None:
        self._processor = PredicateCompiler.Processor(handler)
        self._max_structs = max_structs
        self._max_response_bytes = max_response_bytes

    def call(self, request: bytes) -> bytes:
        """Answers one framed message.

        Raises:
            MalformedRequest: The bytes cannot be decoded, or would decode to too many structs.
        """
        # Every struct ends with a zero byte, so structs cannot outnumber zero bytes.
        if request.count(0) > self._max_structs:
            raise MalformedRequest(f"more than {self._max_structs} structs in one request")
        # No string or container can be longer than the input.
        reader = TCompactProtocolAccelerated(
            TMemoryBuffer(request),
            string_length_limit=len(request),
            container_length_limit=min(len(request), self._max_structs),
        )
        response = TMemoryBuffer()
        try:
            self._processor.process(reader, TCompactProtocolAccelerated(response))
        except Exception as error:
            # The handler raises only CompileError, so the decoder failed on invalid bytes.
            raise MalformedRequest(f"{type(error).__name__}: {error}") from error
        answer = bytes(response.getvalue())
        return answer if len(answer) <= self._max_response_bytes else self._too_large(request, len(answer))

    def _too_large(self, request: bytes, size: int) -> bytes:
        """The error in place of a response to `compile`; no other call has a long one."""
        message = f"the response of {size} bytes exceeds the limit of {self._max_response_bytes}"
        error = CompileError(CompileErrorCode.TOO_LARGE, message)
        name, _, sequence = TCompactProtocolAccelerated(TMemoryBuffer(request)).readMessageBegin()
        response = TMemoryBuffer()
        writer = TCompactProtocolAccelerated(response)
        writer.writeMessageBegin(name, TMessageType.REPLY, sequence)
        PredicateCompiler.compile_result(error=error).write(writer)
        writer.writeMessageEnd()
        return bytes(response.getvalue())
