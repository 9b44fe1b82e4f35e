"""The service's event loop: accepts clients, moves frames, and passes requests to worker threads.

One thread does all the waiting, so a client that sends slowly, or never reads, neither occupies a thread nor
blocks others.
"""

import contextlib
import errno
import logging
import queue
import selectors
import socket
import time
from functools import partial

from pycompiler.service.connection import Connection, FrameError
from pycompiler.service.limits import ServiceLimits
from pycompiler.service.transport import Listener
from pycompiler.service.workers import Workers
from pycompiler.wire.dispatch import Dispatcher, MalformedRequest

log = logging.getLogger(__name__)

_OUT_OF_DESCRIPTORS = (errno.EMFILE, errno.ENFILE)


class CompilerServer:
    """Serves one listener until stopped."""

    def __init__(self, listener: Listener, dispatcher: Dispatcher, limits: ServiceLimits) -> None:
        self._listener = listener
        self._dispatcher = dispatcher
        self._limits = limits
        self._connections: dict[int, Connection] = {}
        self._answers: queue.SimpleQueue[tuple[Connection, bytes | None]] = queue.SimpleQueue()
        self._workers = Workers(limits.workers)
        self._selector = selectors.DefaultSelector()
        self._stopping = False
        self._wake_receiver, self._wake_sender = socket.socketpair()
        self._wake_receiver.setblocking(False)
        self._wake_sender.setblocking(False)

    def stop(self) -> None:
        """Makes `serve` return. May be called repeatedly, from any thread or signal handler."""
        self._stopping = True
        self._wake()

    def serve(self) -> None:
        """Serves until `stop`, then answers running requests and closes every connection. Call it once."""
        self._listener.socket.setblocking(False)
        self._selector.register(self._listener.socket, selectors.EVENT_READ, self._accept)
        self._selector.register(self._wake_receiver, selectors.EVENT_READ, self._collect_answers)
        try:
            while not self._stopping:
                for key, _ in self._selector.select(self._time_to_next_deadline()):
                    # An earlier event of the same round may have closed this connection.
                    if self._selector.get_map().get(key.fd) is key:
                        key.data()
                self._close_overdue()
        finally:
            self._workers.stop(self._limits.stop_seconds)
            self._collect_answers()
            for connection in list(self._connections.values()):
                self._close(connection)
            self._selector.close()
            self._wake_receiver.close()
            self._wake_sender.close()

    # -- accepting

    def _accept(self) -> None:
        try:
            sock, _ = self._listener.socket.accept()
        except (BlockingIOError, InterruptedError, ConnectionAbortedError):
            return
        except OSError as error:
            if error.errno not in _OUT_OF_DESCRIPTORS:
                raise
            log.warning("cannot accept a client: %s", error.strerror)
            self._close_idlest()
            time.sleep(0.05)  # avoid spinning, because the client keeps waiting
            return
        if len(self._connections) >= self._limits.max_connections and not self._close_idlest():
            log.warning("client refused: all %d connections are busy", self._limits.max_connections)
            sock.close()
            return
        connection = Connection(sock, self._limits)
        self._connections[sock.fileno()] = connection
        self._selector.register(sock, selectors.EVENT_READ, partial(self._on_readable, connection))

    def _close_idlest(self) -> bool:
        idle = [connection for connection in self._connections.values() if connection.idle]
        if not idle:
            return False
        self._close(min(idle, key=lambda connection: connection.idle_since), "idle, and its slot is needed")
        return True

    # -- requests

    def _on_readable(self, connection: Connection) -> None:
        try:
            open_ = connection.receive()
        except OSError as error:
            self._close(connection, str(error))
            return
        if not open_:
            self._close(connection)
            return
        self._start_next(connection)

    def _start_next(self, connection: Connection) -> None:
        try:
            request = connection.next_request()
        except FrameError as error:
            self._close(connection, str(error))
            return
        if request is not None:
            self._selector.unregister(connection.socket)
            self._workers.submit(partial(self._answer, connection, request))

    def _answer(self, connection: Connection, request: bytes) -> None:
        """Runs in a worker thread."""
        response: bytes | None = None
        try:
            if not connection.is_abandoned():
                response = self._dispatcher.call(request)
        except MalformedRequest as error:
            log.warning("connection closed: malformed request of %d bytes: %s", len(request), error)
        finally:
            self._answers.put((connection, response))
            self._wake()

    def _wake(self) -> None:
        try:
            self._wake_sender.send(b"\0")
        except (BlockingIOError, InterruptedError):
            return  # wake-ups are already pending
        except OSError:
            if not self._stopping:
                raise

    # -- responses

    def _collect_answers(self) -> None:
        with contextlib.suppress(BlockingIOError, InterruptedError):
            self._wake_receiver.recv(4096)
        while not self._answers.empty():
            connection, response = self._answers.get()
            if response is None:
                self._close(connection)
                continue
            connection.respond(response)
            self._selector.register(
                connection.socket, selectors.EVENT_WRITE, partial(self._on_writable, connection)
            )
            self._on_writable(connection)

    def _on_writable(self, connection: Connection) -> None:
        try:
            connection.send()
        except OSError as error:
            self._close(connection, str(error))
            return
        if not connection.sending:
            self._selector.modify(
                connection.socket, selectors.EVENT_READ, partial(self._on_readable, connection)
            )
            self._start_next(connection)

    # -- deadlines and closing

    def _time_to_next_deadline(self) -> float | None:
        deadlines = [c.deadline for c in self._connections.values() if c.deadline is not None]
        return max(0.0, min(deadlines) - time.monotonic()) if deadlines else None

    def _close_overdue(self) -> None:
        now = time.monotonic()
        for connection in list(self._connections.values()):
            if connection.deadline is not None and connection.deadline <= now:
                verb = "take its response" if connection.sending else "finish its request"
                self._close(connection, f"client did not {verb} within {self._limits.frame_seconds:g} s")

    def _close(self, connection: Connection, reason: str | None = None) -> None:
        if reason is not None:
            log.warning("connection closed: %s", reason)
        descriptor = connection.socket.fileno()
        if self._connections.pop(descriptor, None) is not None and descriptor in self._selector.get_map():
            self._selector.unregister(connection.socket)
        connection.socket.close()
