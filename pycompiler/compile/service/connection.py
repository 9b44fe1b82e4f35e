"""One client's byte stream, cut into frames."""

import asyncio
import logging
import struct
import time
from collections.abc import Callable
from typing import Final, cast

from pycompiler.compile.service.limits import ServiceLimits

log = logging.getLogger(__name__)

_LENGTH: Final = struct.Struct("!i")


class Connection(asyncio.Protocol):
    """A client's stream of frames, with at most one request in progress.

    A frame is a 4-byte big-endian length, then that many bytes. Memory grows with the received bytes, never
    with an announced length. Only the event loop uses it, except for `is_abandoned`. It hands each complete
    request to `on_request`; the next one waits until `respond`. While it is open, it is in `connections`.
    """

    def __init__(
        self,
        limits: ServiceLimits,
        on_request: Callable[["Connection", bytes], None],
        connections: set["Connection"],
    ) -> None:
        self.idle_since = time.monotonic()
        self._limits = limits
        self._on_request = on_request
        self._connections = connections
        self._received = bytearray()
        self._is_busy = False
        """Whether a request is being answered, or its response sent."""
        self._has_ended = False
        """Whether the client sends nothing more."""
        self._deadline: asyncio.TimerHandle | None = None
        """Until when the frame in transit must be complete."""

    @property
    def idle(self) -> bool:
        """Whether nothing is being received, processed or sent."""
        return not self._is_busy and self._deadline is None

    def is_abandoned(self) -> bool:
        """Whether the client seems to have gone, so that a request not begun can be dropped.

        Callable from any thread.
        """
        return self._has_ended or self._transport.is_closing()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Takes over the connection."""
        self._transport = cast(asyncio.Transport, transport)
        # Writing is then paused exactly while part of a response is unsent.
        self._transport.set_write_buffer_limits(high=0)
        self._connections.add(self)

    def data_received(self, data: bytes) -> None:
        """Reads what has arrived."""
        self._received += data
        if not self._is_busy:
            self._start_next()
        else:
            self._transport.pause_reading()

    def eof_received(self) -> bool:
        """Stays open for the response if a request is being answered: the client may still read."""
        self._has_ended = True
        return self._is_busy

    def respond(self, response: bytes | None) -> None:
        """Answers the request in progress; without a response, closes the connection."""
        if response is None or self._transport.is_closing():
            self.close()
            return
        self._transport.write(_LENGTH.pack(len(response)) + response)
        if not self._transport.get_write_buffer_size():
            self.resume_writing()

    def pause_writing(self) -> None:
        """Limits the time until the client takes the rest of a response."""
        self._start_deadline("take its response")

    def resume_writing(self) -> None:
        """Continues after a response is sent."""
        self._stop_deadline()
        self._is_busy = False
        if self._has_ended:
            self.close()
            return
        self.idle_since = time.monotonic()
        self._transport.resume_reading()
        self._start_next()

    def connection_lost(self, exc: Exception | None) -> None:
        """Ends; the client has gone, or was refused."""
        if exc is not None:
            log.warning("connection closed: %s", exc)
        self._stop_deadline()
        self._connections.discard(self)

    def close(self, reason: str | None = None) -> None:
        """Closes the connection at once, and logs the reason if there is one."""
        if reason is not None:
            log.warning("connection closed: %s", reason)
        self._transport.abort()

    def _start_next(self) -> None:
        """Starts the next complete request, or the deadline of an incomplete one."""
        if len(self._received) >= _LENGTH.size:
            (length,) = _LENGTH.unpack_from(self._received)
            if not 0 <= length <= self._limits.max_frame_bytes:
                self.close(f"a frame cannot have {length} bytes; the limit is {self._limits.max_frame_bytes}")
                return
            end = _LENGTH.size + length
            if len(self._received) >= end:
                request = bytes(memoryview(self._received)[_LENGTH.size : end])
                del self._received[:end]
                self._stop_deadline()
                self._is_busy = True
                self._on_request(self, request)
                return
        if self._received and self._deadline is None:
            self._start_deadline("finish its request")

    def _start_deadline(self, action: str) -> None:
        seconds = self._limits.frame_seconds
        reason = f"client did not {action} within {seconds:g} s"
        self._deadline = asyncio.get_running_loop().call_later(seconds, self.close, reason)

    def _stop_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
