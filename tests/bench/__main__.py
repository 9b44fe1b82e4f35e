"""`make bench`: figures of this machine, as ratios where there is a peer."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final

import typer
from pyspark.sql import SparkSession

from pycompiler.spark.session import hudi_session

from ..conftest import SPARK_SETTINGS
from . import (
    building,
    charts,
    compiler,
    growth,
    hive_queries,
    layouts,
    machine,
    pruning,
    strength,
    updating,
    wide_case,
)
from .modes import incremental, merging, opened
from .planning import first_row, hbase, listing, sizes
from .results import Result, show, write

RESULTS: Final = Path("build/bench/results.json")
CHARTS: Final = Path("build/bench/charts")
_RFC_FILES: Final = 1_288
_RFC_COLUMNS: Final = 2_078
_SMALL_FILES: Final = 200
_SMALL_COLUMNS: Final = 60


def _compiler(small: bool) -> list[Result]:
    return compiler.run()


def _strength(small: bool) -> list[Result]:
    return strength.run()


def _wide(run: Callable[[SparkSession, wide_case.WideCase], list[Result]], small: bool) -> list[Result]:
    with _spark() as spark:
        files, columns = (_SMALL_FILES, _SMALL_COLUMNS) if small else (_RFC_FILES, _RFC_COLUMNS)
        return run(spark, wide_case.build(spark, files, columns))


def _rfc(small: bool) -> list[Result]:
    return _wide(lambda spark, case: [*layouts.run(spark, case), *pruning.run(spark, case)], small)


def _layouts(small: bool) -> list[Result]:
    return _wide(layouts.run, small)


def _pruning(small: bool) -> list[Result]:
    return _wide(pruning.run, small)


def _growth(small: bool) -> list[Result]:
    return growth.run(growth.SIZES[:2] if small else growth.SIZES)


def _building(small: bool) -> list[Result]:
    with _spark() as spark:
        if small:
            return building.run(spark, [building.Footers(100, 50), building.Footers(10, 500)], 20_000)
        return building.run(spark, [building.Footers(4_000, 50), building.Footers(200, 2_000)], 1_000_000)


def _updates(small: bool) -> list[Result]:
    with _spark() as spark:
        return updating.run(spark, updating.SIZES[:2] if small else updating.SIZES)


def _incremental(small: bool) -> list[Result]:
    with _spark() as spark:
        return incremental.run(spark, incremental.SMALL_PARTITIONS if small else incremental.PARTITIONS)


def _merging(small: bool) -> list[Result]:
    with _spark(threads=1) as spark:
        return merging.run(spark, 40_000 if small else 1_000_000)


def _opened(small: bool) -> list[Result]:
    with _spark() as spark:
        return opened.run(spark, 20 if small else 200)


def _planning(small: bool) -> list[Result]:
    with _spark() as spark:
        found = listing.run(spark, listing.SMALL_SIZE if small else listing.SIZE)
    if small:
        return [*found, *sizes.run(sizes.SMALL_PARTITIONS, sizes.SMALL_FILES)]
    return [*found, *sizes.run(sizes.PARTITIONS, sizes.FILES)]


def _first_row(small: bool) -> list[Result]:
    with _spark() as spark:
        return first_row.run(spark, first_row.SMALL_FILES if small else first_row.FILES)


def _hbase(small: bool) -> list[Result]:
    return hbase.run(hbase.SMALL_STORES if small else hbase.STORES)


def _hive_queries(small: bool) -> list[Result]:
    return hive_queries.run()


_BENCHMARKS: Final[dict[str, Callable[[bool], list[Result]]]] = {
    "compiler": _compiler,
    "strength": _strength,
    "index-rfc": _rfc,
    "index-layouts": _layouts,
    "index-pruning": _pruning,
    "index-growth": _growth,
    "index-building": _building,
    "index-updates": _updates,
    "incremental": _incremental,
    "merging": _merging,
    "opened": _opened,
    "planning": _planning,
    "first-row": _first_row,
    "hbase": _hbase,
    "hive-queries": _hive_queries,
}
# What the table of the first and the filters of the second are asked of is built once for both. The last one
# measures nothing by itself.
_NAMED_ONLY: Final = ("index-layouts", "index-pruning", "hive-queries")


def main(
    names: Annotated[
        list[str] | None,
        typer.Argument(help=f"Any of {', '.join(_BENCHMARKS)}; without one, all that `make bench` measures."),
    ] = None,
    small: Annotated[bool, typer.Option(help="Small sizes, to try the benchmarks; nothing is kept.")] = False,
    chart_folder: Annotated[Path, typer.Option("--charts", help="Where the charts go.")] = CHARTS,
) -> None:
    """Runs benchmarks, prints a table, writes build/bench/results.json and charts."""
    chosen = names or [name for name in _BENCHMARKS if name not in _NAMED_ONLY]
    unknown = sorted(set(chosen) - _BENCHMARKS.keys())
    if unknown:
        raise typer.BadParameter(f"no benchmark {', '.join(unknown)}; there are {', '.join(_BENCHMARKS)}")
    results: list[Result] = []
    try:
        for name in chosen:
            found = _BENCHMARKS[name](small)
            show(found)
            results += found
            if not small:
                # One that fails or is interrupted takes none of the others with it.
                write(found, RESULTS)
                charts.write(results, machine.describe(), chart_folder)
    finally:
        shutil.rmtree(wide_case.WORK, ignore_errors=True)
    if not small:
        print(f"\nwritten to {RESULTS} and {chart_folder}")


@contextmanager
def _spark(threads: int = 2) -> Iterator[SparkSession]:
    session = hudi_session(
        "bench", master=f"local[{threads}]", conf={**SPARK_SETTINGS, "spark.driver.memory": "3g"}
    )
    session.sparkContext.setLogLevel("ERROR")
    try:
        yield session
    finally:
        session.stop()


if __name__ == "__main__":
    typer.run(main)
