"""Makes cases in the background while the caller checks one."""

from collections import deque
from collections.abc import Callable, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import count
from typing import Final, TypeVar

T = TypeVar("T")

_AHEAD: Final = 2


def made_ahead(make: Callable[[int], T], seed: int, workers: int) -> Generator[T, None, None]:
    """Yields what `make` returns for a seed and those after it, forever."""
    pool = ThreadPoolExecutor(workers)
    waiting: deque[Future[T]] = deque()
    try:
        for number in count(seed):
            waiting.append(pool.submit(make, number))
            if len(waiting) > _AHEAD:
                yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)
