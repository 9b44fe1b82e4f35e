"""What Spark's JVM prints while it starts: nothing but its log, unless it fails.

Ivy, which finds the packages, prints twenty lines on each start, and no setting stops it.
"""

import contextlib
import os
import sys
import threading
from collections.abc import Iterator
from typing import Final

_DOWNLOAD: Final = b"downloading "


class JvmOutput:
    """Passes on what a JVM prints to stderr, and until `started` only its log.

    It goes on after the block, as long as the JVM runs, which keeps its end of the pipe. What was held back
    is printed at the end of the block, unless the JVM has `started` or somebody has asked for it.

    Args:
        stderr: Where it goes.
        log: Begins the lines of the log.
        quiet: Whether not even to say that Ivy downloads packages, which takes minutes.
    """

    def __init__(self, stderr: int, log: bytes, *, quiet: bool) -> None:
        self._stderr = stderr
        self._log = log
        self._quiet = quiet
        self._is_starting = True
        self._held: list[bytes] = []
        self._mark = os.urandom(16).hex().encode() + b"\n"
        self._marked = threading.Event()
        reading, self.writing = os.pipe()
        threading.Thread(target=self._pass_on, args=(reading,), name="jvm-output", daemon=True).start()

    def started(self) -> None:
        """The JVM has started: all of what it prints from now on matters."""
        self.held()

    def held(self) -> list[str]:
        """What was held back; from now on, all is printed."""
        self._wait()
        self._is_starting = False
        held, self._held = self._held, []
        return b"".join(held).decode("utf-8", "replace").splitlines()

    def end(self) -> None:
        """The block has ended."""
        self._wait()  # for the last lines of the log
        if self._is_starting:
            self._is_starting = False
            self._print(b"".join(self._held))
        os.close(self.writing)

    def _wait(self) -> None:
        """Waits until all that was written before has passed."""
        self._marked.clear()
        os.write(self.writing, self._mark)
        self._marked.wait()

    def _pass_on(self, reading: int) -> None:
        with open(reading, "rb") as lines:
            for line in iter(lines.readline, b""):
                self._pass(line.removesuffix(self._mark))
                if line.endswith(self._mark):
                    self._marked.set()

    def _pass(self, line: bytes) -> None:
        if not self._is_starting or line.startswith(self._log):
            self._print(line)
            return
        self._held.append(line)
        if line.startswith(_DOWNLOAD) and not self._quiet:
            self._quiet = True  # once is enough
            self._print(b"starting Spark: downloading packages\n")

    def _print(self, line: bytes) -> None:
        with contextlib.suppress(OSError):  # its reader may have gone, and the JVM must not wait for this
            os.write(self._stderr, line)


@contextlib.contextmanager
def jvm_output(log: str, *, quiet: bool) -> Iterator[JvmOutput]:
    """Lets a JVM that the block starts print to a `JvmOutput` in place of stderr."""
    sys.stderr.flush()
    stderr = os.dup(2)
    output = JvmOutput(stderr, log.encode(), quiet=quiet)
    os.dup2(output.writing, 2)
    try:
        yield output
    finally:
        sys.stderr.flush()
        os.dup2(stderr, 2)
        output.end()
