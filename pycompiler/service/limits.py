"""What the service grants to its clients, so that none of them can exhaust it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ServiceLimits:
    """Bounds of one running service.

    Attributes:
        max_frame_bytes: Longest request and longest response, in bytes, without the 4-byte length.
        max_structs: Most Thrift structs in one request. A struct takes one byte on the wire and some
            hundreds as a Python object, so a bound on the bytes alone would still allow gigabytes.
        max_connections: Open connections; beyond it the connection that was idle longest is closed.
        workers: Threads that compile.
        frame_seconds: Time for a started request to arrive completely, and for a response to be taken.
        stop_seconds: Time that running requests get to finish when the service stops.
    """

    max_frame_bytes: int = 4 * 1024 * 1024
    max_structs: int = 1_000_000
    max_connections: int = 64
    workers: int = 4
    frame_seconds: float = 5.0
    stop_seconds: float = 2.0

    def __post_init__(self) -> None:
        for name in self.__slots__:
            if getattr(self, name) <= 0:
                raise ValueError(f"{name} must be positive, not {getattr(self, name)}")
