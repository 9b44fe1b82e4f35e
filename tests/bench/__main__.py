"""Runs benchmarks for `make bench`: figures of this machine, as ratios where there is a peer."""

import shutil
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Annotated, Final

import typer

from ..reaper import leave_nothing_behind
from . import (
    building,
    charts,
    compiler,
    environment,
    first_hour,
    growth,
    hive_queries,
    layouts,
    pruning,
    strength,
    updating,
    wide_case,
)
from .advice import contest
from .joins import stars
from .joins.suites import TPC_DS, TPC_H
from .modes import incremental, merging, opened
from .optional import counts, topk
from .planning import first_row, hbase, listing, partitions
from .results import Result, show, write

RESULTS: Final = Path("build/bench/results.json")
CHARTS: Final = Path("build/bench/charts")
_BENCHMARKS: Final[dict[str, Callable[[bool], Iterable[Result]]]] = {
    "compiler": compiler.run,
    "strength": strength.run,
    "index-rfc": partial(wide_case.run, parts=[layouts.run, pruning.run]),
    "index-layouts": partial(wide_case.run, parts=[layouts.run]),
    "index-pruning": partial(wide_case.run, parts=[pruning.run]),
    "index-growth": growth.run,
    "index-building": building.run,
    "index-updates": updating.run,
    "first-hour": first_hour.run,
    "incremental": incremental.run,
    "merging": merging.run,
    "opened": opened.run,
    "planning": listing.run,
    "partitions": partitions.run,
    "first-row": first_row.run,
    "counts": counts.run,
    "topk": topk.run,
    "joins": stars.run,
    "joins-tpc-ds": partial(stars.run, suites=[TPC_DS]),
    "joins-tpc-h": partial(stars.run, suites=[TPC_H]),
    "advice": contest.run,
    "hbase": hbase.run,
    "hive-queries": hive_queries.run,
}
# index-rfc includes the first two; joins takes an hour; advice measures nothing of this
# machine; the last only reads what `make demo` measured.
_NAMED_ONLY: Final = (
    "index-layouts",
    "index-pruning",
    "joins",
    "joins-tpc-ds",
    "joins-tpc-h",
    "advice",
    "hive-queries",
)


def main(
    names: Annotated[
        list[str] | None,
        typer.Argument(help=f"Any of {', '.join(_BENCHMARKS)}. Default: all but {', '.join(_NAMED_ONLY)}."),
    ] = None,
    small: Annotated[bool, typer.Option(help="Run small trials and save no results.")] = False,
    chart_folder: Annotated[Path, typer.Option("--charts", help="Directory for the charts.")] = CHARTS,
) -> None:
    """Runs benchmarks, prints a table, and writes build/bench/results.json and charts."""
    leave_nothing_behind()
    chosen = names or [name for name in _BENCHMARKS if name not in _NAMED_ONLY]
    unknown = sorted(set(chosen) - _BENCHMARKS.keys())
    if unknown:
        raise typer.BadParameter(f"no benchmark {', '.join(unknown)}; there are {', '.join(_BENCHMARKS)}")
    for name in chosen:
        shutil.rmtree(environment.WORK, ignore_errors=True)
        found: list[Result] = []
        try:
            for result in _BENCHMARKS[name](small):
                found.append(result)
        finally:
            shutil.rmtree(environment.WORK, ignore_errors=True)
            # Shown and saved at once, so that a failure or an interrupt loses nothing.
            show(found)
            if found and not small:
                write(found, RESULTS)
                charts.write(found, environment.describe(), chart_folder)
    if not small:
        print(f"\nwritten to {RESULTS} and {chart_folder}")


if __name__ == "__main__":
    typer.run(main)
