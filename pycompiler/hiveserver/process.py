"""Which process a recorded id stands for: an id alone may by now be someone else's."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ProcessId:
    """One run of a process.

    Attributes:
        pid: Its id.
        mark: Its `start_mark`, which a later process with the same id does not have.
    """

    pid: int
    mark: str

    @staticmethod
    def of(process: subprocess.Popen[bytes]) -> ProcessId:
        """Returns the identity of a process that was just started."""
        return ProcessId(process.pid, start_mark(process.pid) or "")

    def is_running(self) -> bool:
        """Returns whether this very process still runs."""
        return start_mark(self.pid) == self.mark

    def terminate(self, grace_seconds: float) -> bool:
        """Ends the process as `terminate` does, and returns whether force was needed."""
        return terminate(self.pid, self.mark, grace_seconds)


def start_mark(pid: int) -> str | None:
    """Returns what tells this run of a process from a later one with the same id, or None if it does not run.

    A zombie does not run.
    """
    if Path("/proc/self/stat").exists():
        try:
            stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        except (FileNotFoundError, ProcessLookupError):
            return None
        # The command name in parentheses may hold spaces. After it, the first field is the state and the 20th
        # the start in clock ticks.
        fields = stat.rpartition(")")[2].split()
        return None if fields[0] in "ZX" else fields[19]
    listed = subprocess.run(
        ["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return listed.stdout.strip() or None


def terminate(pid: int, mark: str, grace_seconds: float) -> bool:
    """Ends a process: first politely, after the grace period by force.

    Args:
        pid: Its id.
        mark: Its `start_mark`; a process of the same id with another mark is left alone.
        grace_seconds: How long it may take to end by itself.

    Returns:
        Whether force was needed.
    """
    for ending, patience in ((signal.SIGTERM, grace_seconds), (signal.SIGKILL, 10.0)):
        if start_mark(pid) != mark:
            return False
        try:
            os.kill(pid, ending)
        except ProcessLookupError:
            return False
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline:
            if start_mark(pid) != mark:
                return ending is signal.SIGKILL
            time.sleep(0.1)
    return True
