"""Divides work among processes."""

import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeVar

_Part = TypeVar("_Part")
_Result = TypeVar("_Result")


def in_processes(
    work: Callable[[_Part], _Result], parts: Sequence[_Part], processes: int
) -> Iterator[_Result]:
    """Does the work for each part, in order, in as many processes, or in this one.

    Others start afresh: a fork would inherit locks that threads hold. So the main module must be one that can
    be imported.
    """
    if processes == 1 or len(parts) == 1:
        yield from map(work, parts)
        return
    pool = ProcessPoolExecutor(processes, get_context("spawn"), initializer=_leave_interrupts)
    try:
        yield from pool.map(work, parts)
    finally:
        pool.shutdown(cancel_futures=True)


def _leave_interrupts() -> None:
    """Ctrl-C is for the process that people see."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
