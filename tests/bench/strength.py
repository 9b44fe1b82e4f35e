"""Which share of the files that statistics allow to skip is kept all the same, by function."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pycompiler.spark.session import hudi_session

from ..conftest import SPARK_SETTINGS
from ..properties.spark_oracle import SparkOracle
from ..properties.strength import Share, comparison_share, needless_share
from .results import Result

_COMPARISON_TABLES: Final = range(1_000, 1_100)
_FUNCTION_TABLES: Final = range(1_000, 1_020)
_LEAST_FILES: Final = 100


def run() -> list[Result]:
    """Brute force over bounds for comparisons; for functions Spark's answers for rows within the bounds."""
    share, _ = comparison_share(_COMPARISON_TABLES)
    results = [_result("comparisons", share, "= 0")]
    session = hudi_session("strength", master="local[2]", conf=SPARK_SETTINGS)
    session.sparkContext.setLogLevel("ERROR")
    try:
        return [*results, *_of_functions(SparkOracle(session))]
    finally:
        session.stop()


def _of_functions(oracle: SparkOracle) -> Iterator[Result]:
    shares = needless_share(oracle, _FUNCTION_TABLES)
    for name, share in sorted(shares.items(), key=lambda item: item[1].needless):
        if share.skippable >= _LEAST_FILES:
            yield _result(name, share)


def _result(name: str, share: Share, goal: str | None = None) -> Result:
    met = None if goal is None else share.kept == 0
    skippable = f"{share.skippable:,} files that could be skipped"
    return Result(
        f"strength: {name}", "kept needlessly", share.kept, "files", skippable, share.needless, goal, met
    )
