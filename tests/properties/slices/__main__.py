"""`python -m tests.properties.slices`: slices and ranges against Spark; `make fuzz-slices` runs it."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import takewhile
from pathlib import Path
from threading import Event
from typing import Final

from pyspark.sql import SparkSession

from pycompiler.spark.session import hudi_session
from tests.conftest import HUDI_CONF, SPARK_SETTINGS
from tests.jvm import JVM_OF_TESTS

from ..ranges import run as ranges
from ..spark_oracle import SparkOracle
from .ahead import made_ahead
from .campaign import State, states
from .handler import Handler
from .tally import Tally
from .wrong import shrunk, wrong

_LEAST_SKIPPED: Final = 0.1
"""Share of what has no match; with less of it skipped a campaign would show nothing."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs until so many slices and ranges are checked; ends with 1 if one was wrong, or nothing shown."""
    parser = argparse.ArgumentParser(prog="python -m tests.properties.slices", description=__doc__)
    parser.add_argument("--slices", type=int, default=5_000, help="how many with logs (default 5,000)")
    parser.add_argument("--ranges", type=int, default=2_000, help="how many of commits (default 2,000)")
    parser.add_argument("--seed", type=int, default=None, help="first seed (default: the time)")
    parser.add_argument("--failures", type=int, default=5, help="stop after so many (default 5)")
    options = parser.parse_args(arguments)
    seed = int(time.time()) if options.seed is None else options.seed
    os.environ["HUDI_CONF_DIR"] = str(HUDI_CONF)
    settings = {
        **SPARK_SETTINGS,
        "spark.driver.extraJavaOptions": " ".join(JVM_OF_TESTS),
        "spark.ui.showConsoleProgress": "false",
    }
    session = hudi_session("fuzz-slices", master="local[2]", conf=settings)
    session.sparkContext.setLogLevel("ERROR")
    try:
        is_right = True
        if options.slices:
            with Handler() as handler:
                is_right = _run(session, handler, options.slices, seed, options.failures)
        if options.ranges:
            is_right &= ranges.run(session, options.ranges, seed, options.failures)
        return 0 if is_right else 1
    finally:
        session.stop()


def _run(spark: SparkSession, handler: Handler, wanted: int, seed: int, most_failures: int) -> bool:
    print(f"== {wanted:,} slices with logs from seed {seed} on", flush=True)
    tally, failures, started = Tally(), 0, time.monotonic()
    for of_table in tables(spark, handler, seed):
        for state in of_table:
            tally.add(state)
            for found in wrong(state):
                failures += 1
                print(shrunk(SparkOracle(spark), found), file=sys.stderr, flush=True)
                if failures >= most_failures:
                    break
        print(f"   {time.monotonic() - started:6.0f} s  {tally}", flush=True)
        if tally.with_logs >= wanted or failures >= most_failures:
            break
    for name, slices in tally.caught.items():
        print(f"   {slices:8,} lost if {name}")
    shows = not tally.not_caught and tally.skipped > tally.without_match * _LEAST_SKIPPED
    print(
        f"== {failures} wrong" + ("" if shows else ", and too little was skipped or not every mutant caught")
    )
    return shows and not failures


def tables(spark: SparkSession, handler: Handler, seed: int) -> Iterator[list[State]]:
    """The states of tables without end, table by table."""

    def table(folder: Path, number: int, is_over: Event) -> list[State]:
        return list(takewhile(lambda _: not is_over.is_set(), states(spark, handler, folder, number)))

    return made_ahead(table, seed)


if __name__ == "__main__":
    sys.exit(main())
