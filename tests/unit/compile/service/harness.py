"""The real service in a process of its own, and Thrift clients for it."""

import contextlib
import socket
import struct
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from thrift.protocol.TCompactProtocol import TCompactProtocolAccelerated
from thrift.transport.TSocket import TSocket
from thrift.transport.TTransport import TFramedTransport

from pycompiler.thrift_gen import PredicateCompiler

SECONDS = 20.0
"""Longer than anything here takes; a test that waits that long has failed."""


@dataclass
class Service:
    """A running `hudi-skip compiler serve`."""

    process: subprocess.Popen[str]
    address: str
    log: Path

    def connect(self) -> socket.socket:
        """A plain connection, to send what no Thrift client would."""
        if self.address.startswith("unix:"):
            sock = socket.socket(socket.AF_UNIX)
            sock.settimeout(SECONDS)
            sock.connect(self.address.removeprefix("unix:"))
            return sock
        host, port = self.address.rsplit(":", 1)
        return socket.create_connection((host, int(port)), timeout=SECONDS)

    @contextlib.contextmanager
    def client(self) -> Iterator[Any]:
        """A Thrift client, as generated from the IDL."""
        if self.address.startswith("unix:"):
            plain = TSocket(unix_socket=self.address.removeprefix("unix:"))
        else:
            host, port = self.address.rsplit(":", 1)
            plain = TSocket(host, int(port))
        plain.setTimeout(SECONDS * 1000)
        framed = TFramedTransport(plain)
        framed.open()
        try:
            yield PredicateCompiler.Client(TCompactProtocolAccelerated(framed))
        finally:
            framed.close()

    def is_closed_by_service(self, sock: socket.socket) -> bool:
        """Waits until the service closes the connection; False if it sends something instead."""
        try:
            return sock.recv(1) == b""
        except ConnectionResetError:
            return True

    def stop(self) -> int:
        """Ends the service as its parent's death would, and returns its exit code."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(SECONDS)

    def logged(self) -> str:
        """All that the service has written to stderr so far."""
        return self.log.read_text(encoding="utf-8")


def frame(payload: bytes) -> bytes:
    """A payload with its 4-byte length."""
    return struct.pack("!i", len(payload)) + payload
