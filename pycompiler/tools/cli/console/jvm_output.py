"""What Spark's JVM prints while it starts: nothing, unless it fails.

Ivy, which finds the packages, prints twenty lines on each start, and no setting stops it.
"""

from __future__ import annotations

import os
import sys
import threading
from contextlib import suppress
from types import TracebackType
from typing import Final

_DOWNLOAD: Final = b"downloading "


class JvmOutput:
    """Holds back what is printed to stderr while the block is starting a JVM, except the JVM's log.

    If the block ends before `started` or `failed`, all of it is printed. Afterwards everything passes, as
    long as the JVM runs: it keeps its end of the pipe.

    Args:
        log: Begins the lines of the log.
        quiet: Whether not even to say that Ivy downloads packages, which takes minutes.
    """

    def __init__(self, log: str, *, quiet: bool) -> None:
        self._log = log.encode()
        self._quiet = quiet
        self._held: list[bytes] = []
        self._has_started = False
        self._mark = os.urandom(16).hex().encode() + b"\n"
        self._marked = threading.Event()

    def __enter__(self) -> JvmOutput:
        sys.stderr.flush()
        self._stderr = os.dup(2)
        reading, self._writing = os.pipe()
        os.dup2(self._writing, 2)
        threading.Thread(target=self._pass_on, args=(reading,), name="jvm-output", daemon=True).start()
        return self

    def started(self) -> None:
        """The JVM has started."""
        self._end_start()
        self._has_started = True
        self._held.clear()

    def failed(self) -> list[str]:
        """The JVM has not started. Returns the lines that were held back."""
        self._end_start()
        self._has_started = True
        return b"".join(self._held).decode("utf-8", "replace").splitlines()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._has_started:
            self._wait()  # for the last lines of the log
        else:
            self._end_start()
            _print(2, b"".join(self._held))
        os.close(self._writing)

    def _end_start(self) -> None:
        """Lets stderr be what it was, and everything pass from now on."""
        sys.stderr.flush()
        os.dup2(self._stderr, 2)
        self._wait()
        os.close(self._stderr)

    def _wait(self) -> None:
        """Waits until all that was written before has passed."""
        self._marked.clear()
        os.write(self._writing, self._mark)
        self._marked.wait()

    def _pass_on(self, reading: int) -> None:
        is_starting = True
        with open(reading, "rb") as lines:
            for line in iter(lines.readline, b""):
                text = line.removesuffix(self._mark)
                if not is_starting:
                    _print(2, text)
                elif text.startswith(self._log):
                    _print(self._stderr, text)
                elif text:
                    self._held.append(text)
                    if text.startswith(_DOWNLOAD) and not self._quiet:
                        self._quiet = True  # once is enough
                        _print(self._stderr, b"starting Spark: downloading packages\n")
                if line.endswith(self._mark):
                    is_starting = False
                    self._marked.set()


def _print(stderr: int, text: bytes) -> None:
    with suppress(OSError):  # its reader may have gone, and the JVM must not wait for this
        os.write(stderr, text)
