"""Predicate compilers that misbehave, on a loopback port, spoken to over the real protocol."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from thrift.protocol.TCompactProtocol import TCompactProtocol
from thrift.transport.TTransport import TMemoryBuffer

from pycompiler.thrift_gen import PredicateCompiler
from pycompiler.thrift_gen.ttypes import (
    CompileRequest,
    CompileResponse,
    CompilerInfo,
    ExpressionNode,
    ExpressionOperator,
    HudiExpression,
)


class FakeCompiler:
    """Counts the connections that it took, so that a test can show that it was asked."""

    def __init__(self, listener: socket.socket, talk: Callable[[socket.socket], None]) -> None:
        self._listener = listener
        self._talk = talk
        self.connections = 0
        host, port = listener.getsockname()
        self.address = f"{host}:{port}"

    def accept_until_closed(self) -> None:
        """Serves each connection in a thread of its own until the listener is closed."""
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection:
            try:
                self._talk(connection)
            except OSError:
                # The client hung up, which is what most of these tests want it to do.
                return


@contextmanager
def fake_compiler(talk: Callable[[socket.socket], None]) -> Iterator[FakeCompiler]:
    """A compiler on a free loopback port that does what `talk` does with each connection."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        fake = FakeCompiler(listener, talk)
        thread = threading.Thread(target=fake.accept_until_closed, daemon=True)
        thread.start()
        try:
            yield fake
        finally:
            listener.shutdown(socket.SHUT_RDWR)
    thread.join(5)


def never_answers(connection: socket.socket) -> None:
    """Takes every byte and says nothing until the client hangs up."""
    while connection.recv(65536):
        pass


def answers(reply: bytes) -> Callable[[socket.socket], None]:
    """Answers whatever comes with these bytes."""

    def talk(connection: socket.socket) -> None:
        while connection.recv(65536):
            connection.sendall(reply)

    return talk


def expression(
    *,
    format_version: int = 1,
    min_reader_version: int = 1,
    operator: int = ExpressionOperator.NEVER,
    fingerprint: bytes | None = None,
) -> Callable[[CompileRequest], CompileResponse]:
    """Answers each request with one node; NEVER, which skips all files, unless another operator is given."""

    def compile_request(request: CompileRequest) -> CompileResponse:
        buffer = TMemoryBuffer()
        HudiExpression(
            formatVersion=format_version,
            minReaderVersion=min_reader_version,
            fingerprint=fingerprint or request.fingerprint,
            nodes=[ExpressionNode(operator=operator, arity=0)],
        ).write(TCompactProtocol(buffer))
        return CompileResponse(expression=buffer.getvalue(), unusedTerms=[], description="fake")

    return compile_request


def compiles(compile_request: Callable[[CompileRequest], CompileResponse]) -> Callable[[socket.socket], None]:
    """Speaks the real protocol, with answers from `compile_request`."""

    class Handler:
        def compile(self, request: CompileRequest) -> CompileResponse:
            return compile_request(request)

        def describe(self) -> CompilerInfo:
            return CompilerInfo(version="fake", protocolVersion=1, expressionFormatVersion=1)

    processor = PredicateCompiler.Processor(Handler())

    def talk(connection: socket.socket) -> None:
        while header := _exactly(connection, 4):
            frame = _exactly(connection, struct.unpack(">I", header)[0])
            reply = TMemoryBuffer()
            processor.process(TCompactProtocol(TMemoryBuffer(frame)), TCompactProtocol(reply))
            body = reply.getvalue()
            connection.sendall(struct.pack(">I", len(body)) + body)

    return talk


def _exactly(connection: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        part = connection.recv(count - len(data))
        if not part:
            return b""
        data += part
    return data
