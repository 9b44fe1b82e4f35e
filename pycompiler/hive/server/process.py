"""Identifies processes beyond their ids, which may be reused."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ProcessId:
    """One run of a process: its id, and the `start_mark` by which it differs from later ones of the id."""

    pid: int
    mark: str

    @staticmethod
    def of(process: subprocess.Popen[bytes]) -> ProcessId:
        """The identity of a process that was just started."""
        return ProcessId(process.pid, start_mark(process.pid) or "")

    def is_running(self) -> bool:
        """Whether this very process is still running."""
        return start_mark(self.pid) == self.mark

    def terminate(self, grace_seconds: float) -> bool:
        """Ends the process, by force if it is still running after the grace period.

        Returns:
            Whether force was needed.
        """
        for ending, patience in ((signal.SIGTERM, grace_seconds), (signal.SIGKILL, 10.0)):
            if not self.is_running():
                return False
            try:
                os.kill(self.pid, ending)
            except ProcessLookupError:
                return False
            deadline = time.monotonic() + patience
            while time.monotonic() < deadline:
                if not self.is_running():
                    return ending is signal.SIGKILL
                time.sleep(0.1)
        return True


def start_mark(pid: int) -> str | None:
    """A mark that distinguishes this run from later processes with the same id; None if it is not running.

    Zombies do not count as running.
    """
    if Path("/proc/self/stat").exists():
        try:
            stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        except (FileNotFoundError, ProcessLookupError):
            return None
        # The command name in parentheses may contain spaces. After it, the first field is the state and the
        # 20th the start time in clock ticks.
        fields = stat.rpartition(")")[2].split()
        return None if fields[0] in "ZX" else fields[19]
    listed = subprocess.run(
        ["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return listed.stdout.strip() or None
