"""The processes that a server has started, from /proc."""

import contextlib
import os
import signal
from pathlib import Path


def compilers_of(server: int) -> list[int]:
    """Process ids of the predicate compilers under the server's process, wrappers between them included."""
    parents: dict[int, int] = {}
    commands: dict[int, bytes] = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        # A process may end meanwhile.
        with contextlib.suppress(OSError):
            stat = (entry / "stat").read_text(encoding="utf-8", errors="replace")
            parents[int(entry.name)] = int(stat.rpartition(")")[2].split()[1])
            commands[int(entry.name)] = (entry / "cmdline").read_bytes()
    return [
        pid
        for pid, command in commands.items()
        if b"compiler\0serve" in command and _under(pid, server, parents)
    ]


def _under(pid: int, ancestor: int, parents: dict[int, int]) -> bool:
    while pid in parents:
        pid = parents[pid]
        if pid == ancestor:
            return True
    return False


def kill(pid: int) -> None:
    """Kills a process that may have ended already."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
