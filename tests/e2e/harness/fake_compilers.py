"""Predicate compilers that misbehave, on a loopback port, spoken to over the real protocol."""

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from socketserver import BaseRequestHandler, ThreadingTCPServer
from threading import Thread
from types import SimpleNamespace
from typing import Any

from thrift.protocol.TCompactProtocol import TCompactProtocol
from thrift.transport.TSocket import TSocket
from thrift.transport.TTransport import TFramedTransport, TMemoryBuffer, TTransportException

from pycompiler.thrift_gen import PredicateCompiler
from pycompiler.thrift_gen.ttypes import (
    CompileRequest,
    CompileResponse,
    CompilerInfo,
    ExpressionNode,
    ExpressionOperator,
    HudiExpression,
)

Talk = Callable[[socket.socket], None]
"""What a compiler does with a connection."""


class FakeCompiler(ThreadingTCPServer):
    """Counts the connections that it took, so that a test can show that it was asked."""

    daemon_threads = True

    def __init__(self, talk: Talk) -> None:
        super().__init__(("127.0.0.1", 0), BaseRequestHandler)
        self._talk = talk
        self.connections = 0
        self.address = "{}:{}".format(*self.server_address)

    def finish_request(self, request: Any, client_address: Any) -> None:
        self.connections += 1
        # The client hangs up, which is what most of these tests want it to do.
        with suppress(OSError, TTransportException):
            self._talk(request)


@contextmanager
def fake_compiler(talk: Talk) -> Iterator[FakeCompiler]:
    """A compiler on a free loopback port."""
    with FakeCompiler(talk) as fake:
        Thread(target=fake.serve_forever, args=(0.05,), daemon=True).start()
        try:
            yield fake
        finally:
            fake.shutdown()


def hangs_up(connection: socket.socket) -> None:
    """Answers nothing, and closes the connection."""


def never_answers(connection: socket.socket) -> None:
    """Takes every byte and says nothing until the client hangs up."""
    while connection.recv(65536):
        pass


def answers(reply: bytes) -> Talk:
    """Answers whatever comes with these bytes."""

    def talk(connection: socket.socket) -> None:
        while connection.recv(65536):
            connection.sendall(reply)

    return talk


def compiles(
    *,
    format_version: int = 1,
    min_reader_version: int = 1,
    operator: int = ExpressionOperator.NEVER,
    fingerprint: bytes | None = None,
) -> Talk:
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

    def describe() -> CompilerInfo:
        return CompilerInfo(version="fake", protocolVersion=1, expressionFormatVersion=1)

    processor = PredicateCompiler.Processor(SimpleNamespace(compile=compile_request, describe=describe))

    def talk(connection: socket.socket) -> None:
        client = TSocket()
        client.setHandle(connection)
        protocol = TCompactProtocol(TFramedTransport(client))
        while True:
            processor.process(protocol, protocol)

    return talk
