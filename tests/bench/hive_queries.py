"""Reads the last `make demo`: whole queries in Hive with skipping, without it, and on native Parquet."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from examples.demo.report import Way

from .results import Result

SUMMARY: Final = Path("build/demo/tpch.json")
TABLE: Final = "lineitem"
FILES: Final = "files opened"
SECONDS: Final = "seconds"
CPU_SECONDS: Final = "CPU seconds"


def run(small: bool, summary: Path = SUMMARY) -> list[Result]:
    """Returns what the demo measured on TPC-H's lineitem.

    Raises:
        FileNotFoundError: The demo has not run.
    """
    if not summary.exists():
        raise FileNotFoundError(f'{summary} is missing; run: make demo FLAGS="--scale 5"')
    found = json.loads(summary.read_text("utf-8"))
    sizes = [Result(f"hive: {TABLE}", what, found[what], what) for what in ("rows", "files")]
    return [*sizes, *(result for query in found["queries"] for result in _results(query))]


def _results(query: dict[str, Any]) -> Iterator[Result]:
    benchmark = f"hive: {query['title']}"
    ours = Way.SKIPPING.value
    opened = {way.value: query["files_total"] for way in Way} | {ours: query["files_opened"]}
    for metric, unit, values in (
        (FILES, "files", opened),
        (SECONDS, "s", query["seconds"]),
        (CPU_SECONDS, "s", query["cpu_seconds"]),
    ):
        yield Result(benchmark, f"{metric}, {ours}", values[ours], unit)
        for way in (Way.OFF.value, Way.PARQUET.value):
            yield Result(benchmark, f"{metric}, {way}", values[way], unit, ours, values[way] / values[ours])
