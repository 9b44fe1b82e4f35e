"""Limits on clients, so that none can exhaust the service."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ServiceLimits:
    """Limits of one running service.

    Attributes:
        max_frame_bytes: Maximum bytes of a request or response, without the 4-byte length. The handler's
            client has the same limit.
        max_structs: Maximum Thrift structs in one request. A struct takes one byte on the wire but hundreds
            as a Python object, so limiting bytes alone would still allow gigabytes.
        max_connections: Maximum open connections; beyond it the one idle for longest is closed.
        workers: Number of compiler threads.
        frame_seconds: Time for a started request to arrive completely, or for a response to be read.
        stop_seconds: Time for running requests to finish when the service stops.
    """

    max_frame_bytes: int = 4 * 1024 * 1024
    max_structs: int = 1_000_000
    max_connections: int = 64
    workers: int = 4
    frame_seconds: float = 5.0
    stop_seconds: float = 2.0


DEFAULT_LIMITS = ServiceLimits()
