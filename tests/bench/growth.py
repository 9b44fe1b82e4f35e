"""Measures how time and memory of pruning grow with the number of files."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Final

from . import jvm
from .data import index_rows
from .data.conditions import Condition, compiled
from .data.table import FIRST_DAY, ColumnKind, base_files, column_bounds
from .environment import WORK
from .results import Result, grown, limited
from .timing import QUICK, Timing

SIZES: Final = (1_000, 10_000, 100_000, 1_000_000)
_FILES_PER_DAY: Final = 500
_LEAST_DAYS: Final = 4
_MILLISECONDS_GOAL: Final = 2_000
_MEMORY_GOAL_MB: Final = 512
_STATES: Final = ("cold", "warm")

_COLUMNS: Final = (
    ColumnKind("city_id", "int", "small"),
    ColumnKind("order_date", "date", "date"),
    ColumnKind("rider_id", "bigint", "wide"),
)
_DAY: Final = str(FIRST_DAY + timedelta(days=2))
_CITY: Final = Condition("city_id", "int", 1, 600)
_SELECTIVE: Final = "one day, the order of the files"
_FILTERS: Final = {
    _SELECTIVE: (
        Condition("order_date", "date", _DAY, _DAY),
        _CITY,
        Condition("rider_id", "bigint", 1 << 30, 900 << 30),
    ),
    # One file in a thousand has such riders, at random positions.
    "not in the order of the files": (
        Condition("rider_id", "bigint", 1 << 39, (1 << 39) + (1 << 30)),
        _CITY,
        Condition("order_date", "date", str(FIRST_DAY), "2031-01-01"),
    ),
}


def run(small: bool) -> list[Result]:
    """Times a filter on three columns for each number of files, cold and warm."""
    sizes = SIZES[:2] if small else SIZES
    results: list[Result] = []
    best: dict[tuple[str, int], float] = {}
    for size in sizes:
        table = _build(size)
        asked = {name: (compiled(conditions), size, QUICK) for name, conditions in _FILTERS.items()}
        for state in _STATES:
            timings = jvm.index_timings(table, asked, is_cached=state == "warm")
            results += _results(size, state, timings)
            best |= {(f"{name}, {state}", size): timings[name].best for name in _FILTERS}
    return [*results, *_growth(best, sizes)]


def _build(size: int) -> Path:
    table = WORK / f"growth-{size}"
    files = base_files(size, max(size // _FILES_PER_DAY, _LEAST_DAYS))
    index_rows.publish(table, files, column_bounds(files, _COLUMNS))
    return table


def _results(size: int, state: str, timings: dict[str, Timing]) -> Iterator[Result]:
    benchmark = f"growth: {size:,} files"
    is_largest = size == SIZES[-1]
    for name in _FILTERS:
        limit = _MILLISECONDS_GOAL if is_largest and state == "cold" else None
        yield limited(benchmark, f"{name}, {state}", timings[name].best, "ms", limit)
    yield Result(benchmark, f"first in a new JVM, {state}", timings[_SELECTIVE].first, "ms")
    kept, peak = (timings[name].count / 1e6 for name in ("heap kept", "heap peak"))
    yield limited(benchmark, f"heap kept, {state}", kept, "MB", _MEMORY_GOAL_MB if is_largest else None)
    yield Result(benchmark, f"heap at its peak, {state}", peak, "MB")


def _growth(best: dict[tuple[str, int], float], sizes: Sequence[int]) -> Iterator[Result]:
    """Returns the growth of the time from each size to the next, compared with that of the files."""
    for name in dict.fromkeys(name for name, _ in best):
        for small, large in zip(sizes, sizes[1:], strict=False):
            yield grown(
                f"growth: {name}",
                f"from {small:,} to {large:,} files",
                best[name, large] / best[name, small],
                "times the time",
                (large // small, "files"),
                large / small if name.startswith(_SELECTIVE) else None,
            )
