"""CPU time of processes."""

from collections.abc import Iterable

import psutil


def cpu_seconds(processes: Iterable[int]) -> float:
    """CPU time, user and system, that processes and their descendants have used so far.

    A process that has ended counts towards its parent, so the difference of two readings covers everything
    that ran in between.

    Args:
        processes: Process ids; none may be a descendant of another.

    Raises:
        psutil.NoSuchProcess: A process is not running.
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
