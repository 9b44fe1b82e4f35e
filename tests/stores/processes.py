"""Servers in processes of their own, which keep nothing."""

import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

_START_SECONDS: Final = 120.0
_Found = TypeVar("_Found")


@contextmanager
def running(command: Sequence[str], log: Path, **how: Any) -> Iterator[subprocess.Popen[bytes]]:
    """Starts a server, with more arguments for `Popen`, and kills it at the end: nothing of it is kept."""
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, **how
        )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def wait_until_up(process: subprocess.Popen[bytes], log: Path, look: Callable[[], _Found | None]) -> _Found:
    """Waits until a server shows that it is up, and returns what it shows.

    Raises:
        RuntimeError: It has ended or takes too long; the message has the end of its log.
    """
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        if (found := look()) is not None:
            return found
        time.sleep(0.1)
    end = "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-20:])
    raise RuntimeError(f"{process.args!r} did not start:\n{end}")


def is_listening(port: int) -> bool | None:
    """For `wait_until_up`: True if something listens on a port of 127.0.0.1, else None."""
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0 or None
