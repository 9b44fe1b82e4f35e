"""The service as a process of its own: ready line, warm-up, and an orderly end."""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
import threading
from types import FrameType
from typing import Final, TextIO

from pycompiler.service.dispatch import Dispatcher
from pycompiler.service.handler import CompilerHandler
from pycompiler.service.limits import ServiceLimits
from pycompiler.service.server import CompilerServer
from pycompiler.service.transport import Listener
from pycompiler.thrift_gen.constants import PROTOCOL_VERSION
from pycompiler.thrift_gen.ttypes import (
    ColumnSchema,
    CompileRequest,
    FilterNode,
    FilterNodeKind,
    FilterTree,
    Literal,
    TableSchema,
)

_OBJECTS_BETWEEN_COLLECTIONS: Final = 50_000


def run(listener: Listener, limits: ServiceLimits, *, exit_on_stdin_close: bool, ready: TextIO) -> None:
    """Serves until SIGTERM, SIGINT or, if asked, the end of stdin. Call it from the main thread.

    Args:
        listener: Where to listen; closed at the end, with its files.
        limits: What clients are granted.
        exit_on_stdin_close: Also end at the end of stdin: so a service dies with the process that started it.
        ready: Gets one line of JSON, `{"address": "unix:/path"}` or `{"address": "127.0.0.1:12345"}`, once
            the service answers.
    """
    with listener:
        handler = CompilerHandler(limits)
        server = CompilerServer(listener, Dispatcher(handler, limits), limits)

        def on_signal(_number: int, _frame: FrameType | None) -> None:
            server.stop()

        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, on_signal)
        if exit_on_stdin_close:
            threading.Thread(target=_stop_at_end_of_stdin, args=(server,), name="stdin", daemon=True).start()
        handler.compile(_warm_up_request())
        # What is loaded stays; a filter makes tens of thousands of objects without cycles, which are not
        # worth searching after every 700 of them.
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
        pass  # no stdin at all is the end of stdin
    server.stop()


def _warm_up_request() -> CompileRequest:
    """The smallest request that goes through the whole compiler: `c = 1`."""
    return CompileRequest(
        protocolVersion=PROTOCOL_VERSION,
        fingerprint=b"warm-up",
        schema=TableSchema([ColumnSchema("c", "int")]),
        filter=FilterTree(
            [
                FilterNode(kind=FilterNodeKind.COLUMN, type="int", name="c"),
                FilterNode(
                    kind=FilterNodeKind.LITERAL, type="int", literal=Literal(type="int", integerValue=1)
                ),
                FilterNode(kind=FilterNodeKind.FUNCTION, type="boolean", name="=", arity=2),
            ]
        ),
    )
