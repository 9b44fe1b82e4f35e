"""Whether a query has the same answer in each way that it is run."""

from collections.abc import Mapping, Sequence

from ..hive import Asked


def compare_answers(query: str, runs: Mapping[str, Sequence[Asked]]) -> None:
    """Compares all answers to a query, in any order of rows.

    Args:
        query: Its name.
        runs: Its runs, by way.

    Raises:
        AssertionError: Two of them differ.
    """
    (first, (expected, *_)), *_ = runs.items()
    wanted = sorted(map(repr, expected.rows))
    for way, asked in runs.items():
        if any(sorted(map(repr, one.rows)) != wanted for one in asked):
            raise AssertionError(f"{query}: another answer with {way} than with {first}")
