"""Creates tables in the background while the caller checks one."""

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
    """Yields what `make` returns, forever.

    Args:
        make: Called with a folder (removed when the next table is requested), the table's number, and an
            event that is set when no more tables are needed.
        seed: The first table's number.
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
