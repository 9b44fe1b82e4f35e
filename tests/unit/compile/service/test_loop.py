"""The event loop within this process, for what no client can tell for certain."""

import asyncio
import logging
import socket
from pathlib import Path
from unittest.mock import Mock

import pytest

from pycompiler.compile.service.connection import Connection
from pycompiler.compile.service.limits import ServiceLimits
from pycompiler.compile.service.server import CompilerServer
from pycompiler.compile.service.transport import listen_unix

from .harness import frame


def test_refusing_many_clients_lets_others_run(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "own" / "s"

    async def refused_in_four_turns() -> int:
        stop = asyncio.Event()
        with listen_unix(path) as listener, caplog.at_level(logging.WARNING):
            clients = [socket.socket(socket.AF_UNIX) for _ in range(50)]
            for client in clients:
                client.connect(str(path))
            server = CompilerServer(listener, Mock(), ServiceLimits(max_connections=0, workers=1))
            serving = asyncio.create_task(server.serve(stop))
            for _ in range(4):
                await asyncio.sleep(0)
            refused = len(caplog.records)
            stop.set()
            await serving
            for client in clients:
                client.close()
        return refused

    assert 0 < asyncio.run(refused_in_four_turns()) <= 4


def test_nothing_more_is_read_while_a_request_is_answered() -> None:
    requests: list[bytes] = []
    transport = Mock(asyncio.Transport)
    transport.is_closing.return_value = False
    transport.get_write_buffer_size.return_value = 0
    connection = Connection(ServiceLimits(), lambda _, request: requests.append(request), set())
    connection.connection_made(transport)
    connection.data_received(frame(b"first"))
    transport.pause_reading.assert_not_called()
    connection.data_received(frame(b"second"))
    transport.pause_reading.assert_called_once()
    assert requests == [b"first"]
    connection.respond(b"answer")
    transport.resume_reading.assert_called_once()
    assert requests == [b"first", b"second"]
