"""Compares random predicates with Spark: `python -m tests.properties`, which `make fuzz` runs."""

import json
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final

from .campaign import BATCH, Batch, Tally, batch, violations
from .program import read_options, run, spark_session
from .shrinking import shrunk
from .spark_oracle import SparkOracle

_AHEAD: Final = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs until all predicates are checked. Returns 1 if a file was wrongly skipped."""
    options = read_options("tests.properties", __doc__, arguments, predicates=1_000_000)
    with spark_session("fuzz", jvm=()) as spark:
        oracle, tally = SparkOracle(spark), Tally()
        print(f"== {options.predicates:,} predicates from seed {options.seed} on", flush=True)
        failures = run(
            (_wrong(oracle, drawn, tally) for drawn in batches(oracle, options.seed)),
            tally,
            lambda: tally.predicates >= options.predicates,
            options.failures,
        )
    print(f"== {failures} wrong skips")
    return 1 if failures else 0


def _wrong(oracle: SparkOracle, drawn: Batch, tally: Tally) -> Iterator[str]:
    for failing, checked in violations([drawn], tally):
        case = shrunk(oracle, failing, checked)
        vector = json.dumps(case.vector(f"fuzz, seed {failing.seed}"))
        yield f"WRONG SKIP (seed {failing.seed})\n  {case}\n{vector}"


def batches(oracle: SparkOracle, seed: int, size: int = BATCH) -> Iterator[Batch]:
    """Yields batches forever. Spark evaluates the next ones while the caller checks one."""
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
