"""`python -m tests.properties`: as many random predicates as wanted against Spark; `make fuzz` runs it."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final

from pycompiler.spark.session import hudi_session
from tests.conftest import SPARK_SETTINGS

from .campaign import BATCH, Batch, Tally, batch, violations
from .shrinking import shrunk
from .spark_oracle import SparkOracle

_AHEAD: Final = 2
_PROGRESS_SECONDS: Final = 10.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs until all predicates are checked; ends with 1 if a file was skipped wrongly."""
    parser = argparse.ArgumentParser(prog="python -m tests.properties", description=__doc__)
    parser.add_argument("--predicates", type=int, default=1_000_000, help="how many (default 1,000,000)")
    parser.add_argument("--seed", type=int, default=None, help="first seed (default: the time)")
    parser.add_argument("--failures", type=int, default=5, help="stop after so many (default 5)")
    options = parser.parse_args(arguments)
    seed = int(time.time()) if options.seed is None else options.seed
    session = hudi_session("fuzz", master="local[2]", conf=SPARK_SETTINGS)
    session.sparkContext.setLogLevel("ERROR")
    try:
        return _run(SparkOracle(session), options.predicates, seed, options.failures)
    finally:
        session.stop()


def _run(oracle: SparkOracle, wanted: int, seed: int, most_failures: int) -> int:
    print(f"== {wanted:,} predicates from seed {seed} on", flush=True)
    tally, failures, started = Tally(), 0, time.monotonic()
    shown = started
    for of_table in batches(oracle, seed):
        for failing, checked in violations([of_table], tally):
            failures += 1
            case = shrunk(oracle, failing, checked)
            print(f"WRONG SKIP (seed {failing.seed})\n  {case}", file=sys.stderr)
            print(json.dumps(case.vector(f"fuzz, seed {failing.seed}")), file=sys.stderr, flush=True)
            if failures >= most_failures:
                break
        now = time.monotonic()
        is_last = tally.predicates >= wanted or failures >= most_failures
        if is_last or now - shown > _PROGRESS_SECONDS:
            print(f"   {now - started:6.0f} s  {tally}", flush=True)
            shown = now
        if is_last:
            break
    print(f"== {failures} wrong skips" + (f", up to seed {of_table.seed}" if tally.predicates else ""))
    return 1 if failures else 0


def batches(oracle: SparkOracle, seed: int, size: int = BATCH) -> Iterator[Batch]:
    """Batches without end; Spark answers for the next ones while one is looked at."""
    with ThreadPoolExecutor(max_workers=1) as pool:
        waiting: list[Future[Batch]] = []
        try:
            while True:
                while len(waiting) <= _AHEAD:
                    waiting.append(pool.submit(batch, oracle, seed, size))
                    seed += 1
                yield waiting.pop(0).result()
        finally:
            for future in waiting:
                future.cancel()


if __name__ == "__main__":
    sys.exit(main())
