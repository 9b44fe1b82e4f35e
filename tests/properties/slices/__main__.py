"""Compares slices and ranges with Spark: `python -m tests.properties.slices`, run by `make fuzz-slices`."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Event
from typing import Final

from pyspark.sql import SparkSession

from pycompiler.spark.causes import cause_of
from pycompiler.spark.jvm import JavaError
from tests.hudi_releases import release_of

from ..program import read_options, run, spark_session
from ..ranges import run as ranges
from ..spark_oracle import SparkOracle
from .ahead import tables_ahead
from .campaign import State, states
from .handler import Handler
from .tally import Tally
from .wrong import Wrong, shrunk, wrong

_LEAST_SKIPPED: Final = 0.1
"""Minimum share of slices without a match that must be skipped for a campaign to mean anything."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs until enough slices and ranges are checked. Returns 1 on a wrong answer or too few skips."""
    options = read_options("tests.properties.slices", __doc__, arguments, slices=5_000, ranges=2_000)
    with spark_session("fuzz-slices") as spark:
        is_right = True
        if options.slices:
            with Handler() as handler:
                is_right = _run(spark, handler, options.slices, options.seed, options.failures)
        if options.ranges:
            is_right &= ranges.run(spark, options.ranges, options.seed, options.failures)
        return 0 if is_right else 1


def _run(spark: SparkSession, handler: Handler, wanted: int, seed: int, most_failures: int) -> bool:
    print(f"== {wanted:,} slices with logs from seed {seed} on", flush=True)
    tally = Tally()

    def wrong_of(of_table: list[State]) -> Iterator[Wrong]:
        for state in of_table:
            tally.add(state)
            yield from (shrunk(SparkOracle(spark), found) for found in wrong(state))

    failures = run(
        map(wrong_of, tables(spark, handler, seed)), tally, lambda: tally.with_logs >= wanted, most_failures
    )
    for name, slices in tally.caught.items():
        print(f"   {slices:8,} lost if {name}")
    shows = not tally.not_caught and tally.skipped > tally.without_match * _LEAST_SKIPPED
    print(
        f"== {failures} wrong" + ("" if shows else ", and too little was skipped or not every mutant caught")
    )
    return shows and not failures


def tables(spark: SparkSession, handler: Handler, seed: int) -> Iterator[list[State]]:
    """Yields the states of one table after another, forever.

    Releases of Hudi since 1.1 fail to write, or to read in Spark, what some histories lead to; such a table
    is checked up to there.
    """
    may_fail = release_of(spark).newest_version >= 9

    def table(folder: Path, number: int, is_over: Event) -> list[State]:
        found: list[State] = []
        try:
            for state in states(spark, handler, folder, number):
                if is_over.is_set():
                    break
                found.append(state)
        except JavaError as error:
            if not may_fail:
                raise
            print(f"   Hudi fails at table {number} after {len(found)} states: {cause_of(error)}", flush=True)
        return found

    return tables_ahead(table, seed)


if __name__ == "__main__":
    sys.exit(main())
