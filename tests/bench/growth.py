"""How the time for one pruning grows with the number of files, and what memory it takes."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Final

from pycompiler.expression.codec import to_bytes

from . import jvm
from .data import index_rows
from .data.conditions import Condition, compiled
from .data.table import FIRST_DAY, ColumnKind, base_files, column_bounds
from .jvm import Timing
from .results import Result, at_most
from .stopwatch import QUICK
from .wide_case import WORK, write_listing

SIZES: Final = (1_000, 10_000, 100_000, 1_000_000)
_FILES_PER_DAY: Final = 500
_LEAST_DAYS: Final = 4
_HEAP: Final = "2g"
_MILLION: Final = 1_000_000
_SECONDS_GOAL: Final = 2.0
_MEMORY_GOAL_MB: Final = 512

_COLUMNS: Final = (
    ColumnKind("city_id", "int", "small"),
    ColumnKind("order_date", "date", "date"),
    ColumnKind("rider_id", "bigint", "wide"),
)
_DAY: Final = str(FIRST_DAY + timedelta(days=2))
_CITY: Final = Condition("city_id", "int", 1, 600)
_RIDERS: Final = Condition("rider_id", "bigint", 1 << 30, 900 << 30)
_SELECTIVE: Final = "one day, the order of the files"
_SCATTERED: Final = "not in the order of the files"
_FILTERS: Final = {
    _SELECTIVE: (Condition("order_date", "date", _DAY, _DAY), _CITY, _RIDERS),
    # A thousandth of the files has such riders, and they are anywhere.
    _SCATTERED: (
        Condition("rider_id", "bigint", 1 << 39, (1 << 39) + (1 << 30)),
        _CITY,
        Condition("order_date", "date", str(FIRST_DAY), "2031-01-01"),
    ),
}


def run(sizes: Sequence[int]) -> list[Result]:
    """Times a filter on three columns for each number of files, from nothing and once more."""
    results: list[Result] = []
    found: dict[tuple[str, int], Timing] = {}
    for size in sizes:
        table = _build(size)
        for state, cache_bytes in (("cold", 1), ("warm", 1 << 30)):
            timings = _ask(table, size, cache_bytes)
            results += _results(size, state, timings)
            found |= {(f"{name}, {state}", size): timings[name] for name in _FILTERS}
        shutil.rmtree(table)
    return [*results, *_growth(found, sizes)]


def _build(size: int) -> Path:
    table = WORK / f"growth-{size}"
    shutil.rmtree(table, ignore_errors=True)
    files = base_files(size, max(size // _FILES_PER_DAY, _LEAST_DAYS))
    index_rows.publish(table, files, column_bounds(files, _COLUMNS))
    write_listing(table / "listing.tsv", files)
    return table


def _ask(table: Path, size: int, cache_bytes: int) -> dict[str, Timing]:
    job = {
        "table": str(table),
        "listing": str(table / "listing.tsv"),
        "cache_bytes": cache_bytes,
        "queries": {
            name: {
                "expression": to_bytes(compiled(conditions)).hex(),
                "files": size,
                "pace": QUICK.job(),
            }
            for name, conditions in _FILTERS.items()
        },
    }
    return jvm.handler_program("IndexTimings", job, heap=_HEAP)


def _results(size: int, state: str, timings: dict[str, Timing]) -> Iterator[Result]:
    benchmark = f"growth: {size:,} files"
    for name in _FILTERS:
        timing = timings[name]
        goal, met = None, None
        if size == _MILLION and state == "cold":
            goal, met = at_most(_SECONDS_GOAL * 1000, timing.best, "ms")
        yield Result(benchmark, f"{name}, {state}", timing.best, "ms", goal=goal, met=met)
    if timings[_SELECTIVE].first is not None:
        yield Result(benchmark, f"first in a new JVM, {state}", timings[_SELECTIVE].first, "ms")
    kept = timings["heap kept"].count / 1e6
    goal, met = at_most(_MEMORY_GOAL_MB, kept, "MB") if size == _MILLION else (None, None)
    yield Result(benchmark, f"heap kept, {state}", kept, "MB", goal=goal, met=met)
    yield Result(benchmark, f"heap at its peak, {state}", timings["heap peak"].count / 1e6, "MB")


def _growth(found: dict[tuple[str, int], Timing], sizes: Sequence[int]) -> Iterator[Result]:
    """The time's growth from each size to the next, divided by that of the files."""
    for name in dict.fromkeys(name for name, _ in found):
        for small, large in zip(sizes, sizes[1:], strict=False):
            ratio = found[name, large].best / found[name, small].best
            goal, met = None, None
            if name.startswith(_SELECTIVE):
                goal, met = at_most(large / small, ratio, "times the time")
            yield Result(
                f"growth: {name}",
                f"from {small:,} to {large:,} files",
                ratio,
                "times the time",
                f"{large // small} times the files",
                ratio / (large / small),
                goal,
                met,
            )
