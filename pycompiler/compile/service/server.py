"""The service's event loop: accepts clients, and passes their requests to worker threads.

One thread does all the waiting, so a client that sends slowly, or never reads, neither occupies a thread nor
blocks others.
"""

import asyncio
import contextlib
import errno
import logging
import queue
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Final

from pycompiler.compile.service.connection import Connection
from pycompiler.compile.service.limits import ServiceLimits
from pycompiler.compile.service.transport import Listener
from pycompiler.compile.wire.dispatch import Dispatcher, MalformedRequest

log = logging.getLogger(__name__)

_OUT_OF_DESCRIPTORS: Final = (errno.EMFILE, errno.ENFILE)


class CompilerServer:
    """Serves one listener until stopped. To be created in its event loop."""

    def __init__(self, listener: Listener, dispatcher: Dispatcher, limits: ServiceLimits) -> None:
        self._listener = listener.socket
        self._dispatcher = dispatcher
        self._limits = limits
        self._loop = asyncio.get_running_loop()
        self._workers = _Workers(limits.workers)
        self._connections: set[Connection] = set()

    async def serve(self, stop: asyncio.Event) -> None:
        """Serves until `stop` is set, then answers running requests and closes every connection.

        Call it once.
        """
        self._listener.setblocking(False)
        accepting = asyncio.create_task(self._accept())
        accepting.add_done_callback(lambda _: stop.set())
        await stop.wait()
        accepting.cancel()
        # This blocks the loop; the responses are sent when it runs again.
        self._workers.stop(self._limits.stop_seconds)
        await asyncio.sleep(0)
        for connection in list(self._connections):
            connection.close()
        with contextlib.suppress(asyncio.CancelledError):
            await accepting  # raises the error that ended it, if any

    async def _accept(self) -> None:
        while True:
            try:
                sock, _ = await self._loop.sock_accept(self._listener)
            except ConnectionAbortedError:
                continue
            except OSError as error:
                if error.errno not in _OUT_OF_DESCRIPTORS:
                    raise
                log.warning("cannot accept a client: %s", error.strerror)
                self._close_idlest()
                await asyncio.sleep(0.05)  # avoid spinning, because the client keeps waiting
                continue
            if len(self._connections) >= self._limits.max_connections and not self._close_idlest():
                log.warning("client refused: all %d connections are busy", self._limits.max_connections)
                sock.close()
                await asyncio.sleep(0)  # because accepting a waiting client does not let others run
                continue
            connect = partial(Connection, self._limits, self._submit, self._connections)
            with contextlib.suppress(OSError):  # the client may have gone already
                await self._loop.connect_accepted_socket(connect, sock)

    def _close_idlest(self) -> bool:
        idle = [connection for connection in self._connections if connection.idle]
        if not idle:
            return False
        idlest = min(idle, key=lambda connection: connection.idle_since)
        idlest.close("idle, and its slot is needed")
        return True

    def _submit(self, connection: Connection, request: bytes) -> None:
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
            with contextlib.suppress(RuntimeError):  # too late: the loop has ended
                self._loop.call_soon_threadsafe(connection.respond, response)


class _Workers:
    """A fixed number of daemon threads, so that endless work cannot keep the process alive."""

    def __init__(self, count: int) -> None:
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._threads = [
            threading.Thread(target=self._run, name=f"compiler-worker-{number}", daemon=True)
            for number in range(count)
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, job: Callable[[], None]) -> None:
        """Queues a job. The caller limits jobs to one per connection."""
        self._jobs.put(job)

    def stop(self, seconds: float) -> None:
        """Lets queued jobs finish within `seconds`."""
        for _ in self._threads:
            self._jobs.put(None)
        deadline = time.monotonic() + seconds
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            try:
                job()
            except Exception:
                log.exception("a worker's job failed")
