"""One client's byte stream, cut into frames."""

import socket
import struct
import time

from pycompiler.service.limits import ServiceLimits

_LENGTH = struct.Struct("!i")
_READ_BYTES = 256 * 1024


class FrameError(Exception):
    """The stream is not a sequence of frames within the limits, and cannot be read any further."""


class FrameBuffer:
    """Cuts a byte stream into frames: a 4-byte big-endian length, then that many bytes.

    Memory grows with the received bytes, never with an announced length.
    """

    def __init__(self, max_frame_bytes: int) -> None:
        self._max_frame_bytes = max_frame_bytes
        self._bytes = bytearray()

    def feed(self, data: bytes) -> None:
        """Adds received bytes."""
        self._bytes += data

    def next_frame(self) -> bytes | None:
        """Removes and returns the next complete frame, without its length; None if it is incomplete.

        Raises:
            FrameError: The announced length is negative or above the limit.
        """
        if len(self._bytes) < _LENGTH.size:
            return None
        (length,) = _LENGTH.unpack_from(self._bytes)
        if not 0 <= length <= self._max_frame_bytes:
            raise FrameError(f"a frame cannot have {length} bytes; the limit is {self._max_frame_bytes}")
        end = _LENGTH.size + length
        if len(self._bytes) < end:
            return None
        frame = bytes(memoryview(self._bytes)[_LENGTH.size : end])
        del self._bytes[:end]
        return frame

    @property
    def partial(self) -> bool:
        """Whether an unfinished frame is buffered."""
        return bool(self._bytes)


class Connection:
    """A client's non-blocking socket, with at most one request in progress.

    Only the server's loop uses it, except for `is_abandoned`.
    """

    def __init__(self, sock: socket.socket, limits: ServiceLimits) -> None:
        sock.setblocking(False)
        self.socket = sock
        self.is_busy = False
        """Whether a worker has a request of this client; nothing more is read until it is answered."""
        self.idle_since = time.monotonic()
        self.deadline: float | None = None
        """When the frame in transit must be complete (time.monotonic)."""
        self._limits = limits
        self._inbox = FrameBuffer(limits.max_frame_bytes)
        self._outbox = memoryview(b"")

    @property
    def idle(self) -> bool:
        """Whether nothing is being received, processed or sent."""
        return not self.is_busy and self.deadline is None

    @property
    def sending(self) -> bool:
        """Whether part of a response is still unsent."""
        return len(self._outbox) > 0

    def receive(self) -> bool:
        """Reads available bytes; False at the end of the stream."""
        try:
            data = self.socket.recv(_READ_BYTES)
        except (BlockingIOError, InterruptedError):
            return True
        self._inbox.feed(data)
        return bool(data)

    def next_request(self) -> bytes | None:
        """Removes and returns the next complete request, and starts the deadline of an incomplete one.

        Raises:
            FrameError: See `FrameBuffer.next_frame`.
        """
        frame = self._inbox.next_frame()
        if frame is not None:
            self.deadline = None
            self.is_busy = True
        elif self._inbox.partial and self.deadline is None:
            self.deadline = time.monotonic() + self._limits.frame_seconds
        return frame

    def respond(self, payload: bytes) -> None:
        """Completes a request with a response, which `send` transmits."""
        self.is_busy = False
        self._outbox = memoryview(_LENGTH.pack(len(payload)) + payload)
        self.deadline = time.monotonic() + self._limits.frame_seconds

    def send(self) -> None:
        """Sends as much of the response as the client accepts now."""
        try:
            sent = self.socket.send(self._outbox)
        except (BlockingIOError, InterruptedError):
            return
        self._outbox = self._outbox[sent:]
        if not self._outbox:
            self.deadline = None
            self.idle_since = time.monotonic()

    def is_abandoned(self) -> bool:
        """Whether the client has gone, so that its request can be dropped. Callable from any thread."""
        try:
            return self.socket.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
        except (BlockingIOError, InterruptedError):
            return False
        except OSError:
            return True
