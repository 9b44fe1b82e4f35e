"""The service as a process: ready line, warm-up, and orderly shutdown."""

import gc
import json
import os
import signal
import sys
import threading
from types import FrameType
from typing import Final, TextIO

from pycompiler.service.limits import DEFAULT_LIMITS, ServiceLimits
from pycompiler.service.server import CompilerServer
from pycompiler.service.transport import Listener
from pycompiler.wire.dispatch import Dispatcher
from pycompiler.wire.handler import CompilerHandler

_OBJECTS_BETWEEN_COLLECTIONS: Final = 50_000


def run(
    listener: Listener, *, exit_on_stdin_close: bool, ready: TextIO, limits: ServiceLimits = DEFAULT_LIMITS
) -> None:
    """Serves until SIGTERM, SIGINT or, if requested, the end of stdin. Must be called from the main thread.

    Args:
        listener: Where to listen; closed at the end, together with its files.
        exit_on_stdin_close: Whether to stop at the end of stdin too, so that the service dies with its
            parent.
        ready: Receives one line of JSON, `{"address": "unix:/path"}` or `{"address": "127.0.0.1:12345"}`,
            once the service answers.
        limits: Limits on clients.
    """
    with listener:
        handler = CompilerHandler()
        dispatcher = Dispatcher(handler, limits.max_structs, limits.max_frame_bytes)
        server = CompilerServer(listener, dispatcher, limits)

        def on_signal(_number: int, _frame: FrameType | None) -> None:
            server.stop()

        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, on_signal)
        if exit_on_stdin_close:
            threading.Thread(target=_stop_at_end_of_stdin, args=(server,), name="stdin", daemon=True).start()
        handler.warm_up()
        # Loaded modules stay. A filter creates tens of thousands of objects without cycles, so collecting
        # after every 700 of them is wasted.
        gc.freeze()
        gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
        print(json.dumps({"address": listener.address}), file=ready, flush=True)
        server.serve()


def _stop_at_end_of_stdin(server: CompilerServer) -> None:
    try:
        descriptor = sys.stdin.fileno()
        while os.read(descriptor, 4096):
            pass
    except (OSError, ValueError, AttributeError):
        pass  # a missing stdin counts as its end
    server.stop()
