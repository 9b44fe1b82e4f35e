"""From the bytes of a request to the bytes of its response."""

from __future__ import annotations

from thrift.protocol.TCompactProtocol import TCompactProtocolAccelerated
from thrift.transport.TTransport import TMemoryBuffer

from pycompiler.service.handler import CompilerHandler
from pycompiler.service.limits import ServiceLimits
from pycompiler.thrift_gen import PredicateCompiler


class MalformedRequest(Exception):
    """The bytes are not a call of this service; there is nobody to answer."""


class Dispatcher:
    """Decodes a call, lets the handler answer it and encodes the answer. Used by several threads at once."""

    def __init__(self, handler: CompilerHandler, limits: ServiceLimits) -> None:
        self._processor = PredicateCompiler.Processor(handler)
        self._limits = limits

    def call(self, request: bytes) -> bytes:
        """Answers one framed message.

        Raises:
            MalformedRequest: The bytes cannot be decoded, or would decode to more structs than the limit.
        """
        # Every struct ends with a zero byte, so there are no more structs than zero bytes.
        if request.count(0) > self._limits.max_structs:
            raise MalformedRequest(f"more than {self._limits.max_structs} structs in one request")
        # No string and no container can be longer than the bytes that are there.
        reader = TCompactProtocolAccelerated(
            TMemoryBuffer(request),
            string_length_limit=len(request),
            container_length_limit=min(len(request), self._limits.max_structs),
        )
        response = TMemoryBuffer()
        try:
            self._processor.process(reader, TCompactProtocolAccelerated(response))
        except Exception as error:
            # The handler raises CompileError only, so this is the decoder, and it met garbage.
            raise MalformedRequest(f"{type(error).__name__}: {error}") from error
        return bytes(response.getvalue())
