"""Files are skipped where their statistics allow it."""

import pytest

from .spark_oracle import SparkOracle
from .strength import comparison_share, needless_share


def test_no_file_is_kept_needlessly_by_the_comparison_language() -> None:
    share, found = comparison_share(range(60))
    assert share.skippable > 2000, "files that can be skipped are what this is about"
    assert not found, f"{len(found)} of {share.skippable} files are kept, such as {found[0]}"


@pytest.mark.spark
def test_most_files_are_skipped_by_each_kind_of_function(oracle: SparkOracle) -> None:
    shares = needless_share(oracle, range(4))
    for name in ("year", "+", "cast", "coalesce", "substr", "to_date", "round", "concat"):
        assert shares[name].skippable > 20, f"{name} is among the predicates"
        assert shares[name].needless < 0.6, f"{name}: {shares[name]}"
