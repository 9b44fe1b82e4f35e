"""Connections to HiveServer2 on which somebody changes what the server says."""

import socket
import socketserver
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from .kdc import HOST

_LOGIN: Final = struct.Struct(">BI")
"""Before each message of the login: whether it is the last one, and the length."""
_COMPLETE: Final = 5
_LENGTH: Final = struct.Struct(">I")
"""Before each message after it."""


@contextmanager
def meddling(port: int, meddle: Callable[[bytes], bytes]) -> Iterator[int]:
    """Passes on what clients and a server say to each other; yields the port for clients.

    Args:
        port: The server's, on 127.0.0.1.
        meddle: What becomes of each message, with its length, that the server sends after the login.
    """

    class Meddler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            with socket.create_connection((HOST, port)) as server, server.makefile("rb") as answers:
                threading.Thread(target=_pass_on, args=(self.connection, server), daemon=True).start()
                is_complete = False
                while not is_complete and (header := answers.read(_LOGIN.size)):
                    status, length = _LOGIN.unpack(header)
                    self.wfile.write(header + answers.read(length))
                    is_complete = status == _COMPLETE
                while header := answers.read(_LENGTH.size):
                    (length,) = _LENGTH.unpack(header)
                    self.wfile.write(meddle(header + answers.read(length)))

    with socketserver.ThreadingTCPServer((HOST, 0), Meddler) as proxy:
        proxy.daemon_threads = True
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        try:
            yield int(proxy.server_address[1])
        finally:
            proxy.shutdown()


def _pass_on(client: socket.socket, server: socket.socket) -> None:
    try:
        while said := client.recv(1 << 16):
            server.sendall(said)
        server.shutdown(socket.SHUT_WR)
    except OSError:
        pass  # The other side has gone.
