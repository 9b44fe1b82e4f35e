"""Connections to HiveServer2 that break while a statement runs."""

import socket
import socketserver
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

_HOST: Final = "127.0.0.1"
_CHUNK: Final = 1 << 16


@contextmanager
def breaking(port: int, statement: str, end: Callable[[], None] | None = None) -> Iterator[int]:
    """Passes on what clients and a server say, until the server answers a statement; yields clients' port.

    That answer is lost, and so are all connections.

    Args:
        port: The server's, on 127.0.0.1.
        statement: A part of the statement's text.
        end: What happens to the server at that moment.
    """
    said, broken = threading.Event(), threading.Event()
    opened: list[socket.socket] = []

    class Connection(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            if broken.is_set():
                return
            with socket.create_connection((_HOST, port)) as server:
                opened.extend((self.request, server))
                threading.Thread(target=self.pass_on, args=(server,), daemon=True).start()
                while answer := _received(server):
                    if said.is_set():
                        broken.set()
                        if end is not None:
                            end()
                        for each in opened:
                            _shut(each)
                        return
                    self.request.sendall(answer)

        def pass_on(self, server: socket.socket) -> None:
            before = b""
            while heard := _received(self.request):
                if statement.encode() in before + heard:
                    said.set()
                before = heard
                server.sendall(heard)
            _shut(server)

    with socketserver.ThreadingTCPServer((_HOST, 0), Connection) as proxy:
        proxy.daemon_threads = True
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        try:
            yield int(proxy.server_address[1])
        finally:
            proxy.shutdown()
            assert broken.is_set(), f"nobody has run: {statement}"


def _received(connection: socket.socket) -> bytes:
    """What comes next; empty if the other side has gone."""
    try:
        return connection.recv(_CHUNK)
    except OSError:
        return b""


def _shut(connection: socket.socket) -> None:
    with suppress(OSError):  # it may be closed
        connection.shutdown(socket.SHUT_RDWR)
