"""Checks random cases: `python -m tests.properties`, which `make fuzz` and the like run."""

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import count
from typing import Any, Final, TypeAlias

from pyspark.sql import SparkSession

from tests.jvm import JVM_OF_TESTS

from .frame import Campaign, run
from .predicates import predicates
from .program import read_options, spark_session
from .ranges.campaign import ranges
from .slices.campaign import slices
from .states.campaign import statements

Opened: TypeAlias = Callable[[SparkSession], AbstractContextManager[Campaign[Any]]]

_CAMPAIGNS: Final[Mapping[str, tuple[Opened, int]]] = {
    "predicates": (predicates, 1_000_000),
    "slices": (slices, 5_000),
    "ranges": (ranges, 2_000),
    "statements": (statements, 1_000),
}
"""How to open each campaign, and how much it checks by default."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs campaigns until enough is checked. Returns 1 on a wrong answer, or if too little was shown."""
    most = {name: default for name, (_, default) in _CAMPAIGNS.items()}
    options = read_options("tests.properties", __doc__, arguments, **most)
    # Only a million predicates gain from the optimizing compiler.
    with spark_session("fuzz", () if options.drawn == ["predicates"] else JVM_OF_TESTS) as spark:
        wanted = [(name, getattr(options, name)) for name in options.drawn if getattr(options, name)]
        are_right = [_is_right(spark, name, least, options.seed, options.failures) for name, least in wanted]
    return 0 if all(are_right) else 1


def _is_right(spark: SparkSession, name: str, wanted: int, seed: int, most_failures: int) -> bool:
    opened, _ = _CAMPAIGNS[name]
    print(f"== {wanted:,} {name} from seed {seed} on", flush=True)
    with opened(spark) as campaign:
        outcome = run(campaign, count(seed), wanted, most_failures=most_failures)
        reasons = list(campaign.too_little(outcome.tally))
    print("; ".join([f"== {len(outcome.wrong)} wrong", *reasons]), flush=True)
    return not outcome.wrong and not reasons


if __name__ == "__main__":
    sys.exit(main())
