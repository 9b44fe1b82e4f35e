"""`python -m tests.properties.slices`: slices with logs against Spark; `make fuzz-slices` runs it."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import takewhile
from pathlib import Path
from threading import Event
from typing import Final

from pyspark.sql import SparkSession

from pycompiler.spark.session import hudi_session
from tests.conftest import HUDI_CONF, SPARK_SETTINGS
from tests.jvm import JVM_OF_TESTS

from ..spark_oracle import SparkOracle
from .campaign import State, states
from .handler import Handler
from .tally import Tally
from .wrong import shrunk, wrong

_TABLES_AT_ONCE: Final = 2
_LEAST_SKIPPED: Final = 0.1
"""Share of what has no match; with less of it skipped a campaign would show nothing."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs until so many slices are checked; ends with 1 if anything was wrong, or nothing was shown."""
    parser = argparse.ArgumentParser(prog="python -m tests.properties.slices", description=__doc__)
    parser.add_argument("--slices", type=int, default=5_000, help="how many with logs (default 5,000)")
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
        with Handler() as handler:
            return _run(session, handler, options.slices, seed, options.failures)
    finally:
        session.stop()


def _run(spark: SparkSession, handler: Handler, wanted: int, seed: int, most_failures: int) -> int:
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
    return 0 if shows and not failures else 1


def tables(spark: SparkSession, handler: Handler, seed: int) -> Iterator[list[State]]:
    """The states of tables without end, table by table; the next ones are made while one is looked at."""
    is_over = Event()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(_TABLES_AT_ONCE) as pool:

        def table(number: int) -> list[State]:
            path = Path(folder, str(number))
            found = states(spark, handler, path, number)
            seen = list(takewhile(lambda _: not is_over.is_set(), found))
            shutil.rmtree(path, ignore_errors=True)
            return seen

        waiting: list[Future[list[State]]] = []
        try:
            while True:
                while len(waiting) <= _TABLES_AT_ONCE:
                    waiting.append(pool.submit(table, seed))
                    seed += 1
                yield waiting.pop(0).result()
        finally:
            is_over.set()
            for future in waiting:
                future.cancel()


if __name__ == "__main__":
    sys.exit(main())
