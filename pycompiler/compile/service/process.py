"""The service as a process: ready line, warm-up, and orderly shutdown."""

import asyncio
import contextlib
import gc
import json
import logging
import os
import signal
import sys
import threading
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final, TextIO

from pycompiler.compile.service.limits import DEFAULT_LIMITS, ServiceLimits
from pycompiler.compile.service.server import CompilerServer
from pycompiler.compile.service.transport import LOOPBACK, Listener, listen_loopback, listen_unix
from pycompiler.compile.wire.dispatch import Dispatcher
from pycompiler.compile.wire.handler import CompilerHandler

_OBJECTS_BETWEEN_COLLECTIONS: Final = 50_000


def run(
    socket: Path | None = None,
    port: int | None = None,
    *,
    host: str = LOOPBACK,
    exit_on_stdin_close: bool = False,
) -> None:
    """Runs the service in this process, logging to stderr and with the ready line on stdout; see `serve`.

    Args:
        socket: Path of the Unix domain socket; without one, it is in a new temporary directory.
        port: A loopback port to listen on instead, 0 for any free one.
        host: The loopback address for the port.
        exit_on_stdin_close: Whether to stop at the end of stdin too.

    Raises:
        ListenError: It cannot listen there.
    """
    logging.basicConfig(
        stream=sys.stderr, level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s"
    )
    listening = listen_unix(socket) if port is None else listen_loopback(port, host)
    asyncio.run(serve(listening, exit_on_stdin_close=exit_on_stdin_close, ready=sys.stdout))


async def serve(
    listening: AbstractContextManager[Listener],
    *,
    exit_on_stdin_close: bool,
    ready: TextIO,
    limits: ServiceLimits = DEFAULT_LIMITS,
) -> None:
    """Serves until SIGTERM, SIGINT or, if requested, the end of stdin. For the main thread's `asyncio.run`.

    Args:
        listening: Where to listen, such as `listen_unix()`.
        exit_on_stdin_close: Whether to stop at the end of stdin too, so that the service dies with its
            parent.
        ready: Receives one line of JSON, `{"address": "unix:/path"}` or `{"address": "127.0.0.1:12345"}`,
            once the service answers.
        limits: Limits on clients.
    """
    # Signals are handled until the event loop ends, and by then the listener's files must be gone.
    with listening as listener:
        handler = CompilerHandler()
        dispatcher = Dispatcher(handler, limits.max_structs, limits.max_frame_bytes)
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stop.set)
        if exit_on_stdin_close:
            threading.Thread(
                target=_stop_at_end_of_stdin, args=(loop, stop), name="stdin", daemon=True
            ).start()
        handler.warm_up()
        # Loaded modules stay. A filter creates tens of thousands of objects without cycles, so collecting
        # after every 700 of them is wasted.
        gc.freeze()
        gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
        print(json.dumps({"address": listener.address}), file=ready, flush=True)
        await CompilerServer(listener, dispatcher, limits).serve(stop)


def _stop_at_end_of_stdin(loop: asyncio.AbstractEventLoop, stop: asyncio.Event) -> None:
    try:
        descriptor = sys.stdin.fileno()
        while os.read(descriptor, 4096):
            pass
    except (OSError, ValueError, AttributeError):
        pass  # a missing stdin counts as its end
    with contextlib.suppress(RuntimeError):  # the loop has ended
        loop.call_soon_threadsafe(stop.set)
