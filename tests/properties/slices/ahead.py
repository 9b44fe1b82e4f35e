"""Tables without end, the next ones made while one is looked at."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Final, TypeVar

T = TypeVar("T")

_AT_ONCE: Final = 2


def made_ahead(make: Callable[[Path, int, Event], T], seed: int) -> Iterator[T]:
    """What is made of tables, from a seed on.

    Args:
        make: Is given a folder that is gone when the next table is asked for, the number of the table, and
            what is set when no more are wanted.
        seed: The first number.
    """
    is_over = Event()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(_AT_ONCE) as pool:
        waiting: list[tuple[Path, Future[T]]] = []
        try:
            while True:
                while len(waiting) <= _AT_ONCE:
                    path = Path(folder, str(seed))
                    waiting.append((path, pool.submit(make, path, seed, is_over)))
                    seed += 1
                path, made = waiting.pop(0)
                yield made.result()
                shutil.rmtree(path, ignore_errors=True)
        finally:
            is_over.set()
            for _, future in waiting:
                future.cancel()
