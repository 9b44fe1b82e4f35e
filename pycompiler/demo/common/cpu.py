"""CPU time of processes."""

from __future__ import annotations

from collections.abc import Iterable

import psutil


def cpu_seconds(processes: Iterable[int]) -> float:
    """Returns the CPU time, user and system, that processes and what they have started took so far.

    A process that has ended counts in what its parent took, so that the difference of two readings misses
    nothing of what ran between them.

    Args:
        processes: Their ids; none may be a descendant of another.

    Raises:
        psutil.NoSuchProcess: One of them does not run.
    """
    return sum(_with_descendants(psutil.Process(process)) for process in processes)


def _with_descendants(process: psutil.Process) -> float:
    taken = _taken(process)
    for child in process.children(recursive=True):
        try:
            taken += _taken(child)
        except psutil.NoSuchProcess:
            # Ended since it was listed.
            continue
    return taken


def _taken(process: psutil.Process) -> float:
    times = process.cpu_times()
    return times.user + times.system + times.children_user + times.children_system
