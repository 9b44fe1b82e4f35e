"""Compares random predicates with Spark: `python -m tests.properties`, which `make fuzz` runs."""

import json
import sys
from collections.abc import Iterator, Sequence

from .ahead import made_ahead
from .campaign import Batch, Tally, batch, violations
from .program import read_options, run, spark_session
from .shrinking import shrunk
from .spark_oracle import SparkOracle


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
    for checked in violations(drawn, tally):
        case = shrunk(oracle, drawn, checked)
        vector = json.dumps(case.vector(f"fuzz, seed {drawn.seed}"))
        yield f"WRONG SKIP (seed {drawn.seed})\n  {case}\n{vector}"


def batches(oracle: SparkOracle, seed: int) -> Iterator[Batch]:
    """Yields batches forever. Spark evaluates the next ones while the caller checks one."""
    return made_ahead(lambda number: batch(oracle, number), seed, workers=1)


if __name__ == "__main__":
    sys.exit(main())
