"""CPU time of processes."""

import contextlib
from collections.abc import Iterable

import psutil


def cpu_seconds(processes: Iterable[int]) -> float:
    """CPU time, user and system, that processes and their descendants have used so far.

    No process may be a descendant of another. One that has ended counts towards its parent, so the difference
    of two readings covers everything that ran in between.

    Raises:
        psutil.NoSuchProcess: A process is not running.
    """
    taken = 0.0
    for process in map(psutil.Process, processes):
        taken += _taken(process)
        for child in process.children(recursive=True):
            with contextlib.suppress(psutil.NoSuchProcess):  # ended since it was listed
                taken += _taken(child)
    return taken


def _taken(process: psutil.Process) -> float:
    times = process.cpu_times()
    return times.user + times.system + times.children_user + times.children_system
