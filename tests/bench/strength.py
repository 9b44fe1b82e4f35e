"""Measures by function the share of files that are kept although the statistics allow skipping them."""

from typing import Final

from ..properties.spark_oracle import SparkOracle
from ..properties.strength import Share, comparison_share, needless_share
from .environment import spark_session
from .results import Result

_COMPARISON_TABLES: Final = range(1_000, 1_100)
_FUNCTION_TABLES: Final = range(1_000, 1_020)
_LEAST_FILES: Final = 100


def run(small: bool) -> list[Result]:
    """Tries all bounds for comparisons; for functions asks Spark about rows within the bounds."""
    comparisons, _ = comparison_share(_COMPARISON_TABLES[: 10 if small else None])
    results = [_result("comparisons", comparisons, "= 0", comparisons.kept == 0)]
    with spark_session() as spark:
        shares = needless_share(SparkOracle(spark), _FUNCTION_TABLES[: 2 if small else None])
    for name, share in sorted(shares.items(), key=lambda item: item[1].needless):
        if share.skippable >= _LEAST_FILES:
            results.append(_result(name, share))
    return results


def _result(name: str, share: Share, goal: str | None = None, met: bool | None = None) -> Result:
    skippable = f"{share.skippable:,} files that could be skipped"
    benchmark = f"strength: {name}"
    return Result(benchmark, "kept needlessly", share.kept, "files", skippable, share.needless, goal, met)
