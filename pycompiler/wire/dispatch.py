"""Decodes a request, and encodes its response."""

from thrift.protocol.TCompactProtocol import TCompactProtocolAccelerated
from thrift.transport.TTransport import TMemoryBuffer

from pycompiler.thrift_gen import PredicateCompiler
from pycompiler.wire.handler import CompilerHandler


class MalformedRequest(Exception):
    """The bytes are not a call of this service, so no answer is possible."""


class Dispatcher:
    """Decodes a call, lets the handler answer it, and encodes the answer. Thread-safe."""

    def __init__(self, handler: CompilerHandler, max_structs: int) -> None:
        self._processor = PredicateCompiler.Processor(handler)
        self._max_structs = max_structs

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
        return bytes(response.getvalue())
