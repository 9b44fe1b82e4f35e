"""Creates tables in the background while the caller checks one."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from threading import Event
from typing import TypeVar

from ..ahead import made_ahead

T = TypeVar("T")


def tables_ahead(make: Callable[[Path, int, Event], T], seed: int) -> Iterator[T]:
    """Yields what `make` returns, forever.

    Args:
        make: Called with a folder (removed when the next table is requested), the table's number, and an
            event that is set when no more tables are needed.
        seed: The first table's number.
    """
    is_over = Event()
    with tempfile.TemporaryDirectory() as folder:
        made = made_ahead(lambda number: make(Path(folder, str(number)), number, is_over), seed, workers=2)
        try:
            for number, table in zip(count(seed), made, strict=False):
                yield table
                shutil.rmtree(Path(folder, str(number)), ignore_errors=True)
        finally:
            is_over.set()
            made.close()
