"""One client's byte stream: frames in, frames out."""

from __future__ import annotations

import socket
import struct
import time

from pycompiler.service.limits import ServiceLimits

_LENGTH = struct.Struct("!i")
_READ_BYTES = 256 * 1024


class FrameError(Exception):
    """The stream is not a sequence of frames within the limits; it cannot be read any further."""


class FrameBuffer:
    """Cuts a byte stream into frames: a 4-byte big-endian length, then that many bytes.

    Memory grows with what has arrived, never with what a length announces.
    """

    def __init__(self, max_frame_bytes: int) -> None:
        self._max_frame_bytes = max_frame_bytes
        self._bytes = bytearray()

    def feed(self, data: bytes) -> None:
        """Adds bytes as they arrived."""
        self._bytes += data

    def next_frame(self) -> bytes | None:
        """Takes the next complete frame out, without its length; None if it has not arrived completely.

        Raises:
            FrameError: The announced length is negative or above the limit.
        """
        if len(self._bytes) < _LENGTH.size:
            return None
        (length,) = _LENGTH.unpack_from(self._bytes)
        if not 0 <= length <= self._max_frame_bytes:
            raise FrameError(f"frame of {length} bytes announced, the limit is {self._max_frame_bytes}")
        end = _LENGTH.size + length
        if len(self._bytes) < end:
            return None
        frame = bytes(memoryview(self._bytes)[_LENGTH.size : end])
        del self._bytes[:end]
        return frame

    @property
    def partial(self) -> bool:
        """Whether bytes of an unfinished frame are waiting."""
        return bool(self._bytes)


class Connection:
    """A client's socket, non-blocking, with at most one request in work.

    Only the server's loop touches it, except `is_abandoned`.
    """

    def __init__(self, sock: socket.socket, limits: ServiceLimits) -> None:
        sock.setblocking(False)
        self.socket = sock
        self.in_work = False
        """A request of this client is with a worker; nothing is read until it is answered."""
        self.idle_since = time.monotonic()
        self.deadline: float | None = None
        """When the frame that is being received or sent must be complete (time.monotonic)."""
        self._limits = limits
        self._inbox = FrameBuffer(limits.max_frame_bytes)
        self._outbox = memoryview(b"")

    @property
    def idle(self) -> bool:
        """Nothing is being received, worked on or sent."""
        return not self.in_work and self.deadline is None

    @property
    def sending(self) -> bool:
        """Part of a response has not been taken by the client yet."""
        return len(self._outbox) > 0

    def receive(self) -> bool:
        """Reads what has arrived; False at the end of the stream.

        Raises:
            OSError: The connection broke.
        """
        try:
            data = self.socket.recv(_READ_BYTES)
        except (BlockingIOError, InterruptedError):
            return True
        self._inbox.feed(data)
        return bool(data)

    def next_request(self) -> bytes | None:
        """Takes the next complete request, and starts the clock of one that is only half there.

        Raises:
            FrameError: See `FrameBuffer.next_frame`.
        """
        frame = self._inbox.next_frame()
        if frame is not None:
            self.deadline = None
            self.in_work = True
        elif self._inbox.partial and self.deadline is None:
            self.deadline = time.monotonic() + self._limits.frame_seconds
        return frame

    def respond(self, payload: bytes) -> None:
        """Ends the work on a request with this response; `send` puts it on the wire."""
        self.in_work = False
        self._outbox = memoryview(_LENGTH.pack(len(payload)) + payload)
        self.deadline = time.monotonic() + self._limits.frame_seconds

    def send(self) -> None:
        """Sends as much of the response as the client takes now.

        Raises:
            OSError: The connection broke.
        """
        try:
            sent = self.socket.send(self._outbox)
        except (BlockingIOError, InterruptedError):
            return
        self._outbox = self._outbox[sent:]
        if not self._outbox:
            self.deadline = None
            self.idle_since = time.monotonic()

    def is_abandoned(self) -> bool:
        """Whether the client has gone, so that its request need not be worked on. Any thread may ask."""
        try:
            return self.socket.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
        except (BlockingIOError, InterruptedError):
            return False
        except OSError:
            return True
