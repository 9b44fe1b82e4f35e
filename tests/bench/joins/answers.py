"""Whether a query has the same answer in each way that it is run."""

from collections.abc import Mapping, Sequence

from ..hive import Asked


def compare_answers(number: int, runs: Mapping[str, Sequence[Asked]]) -> None:
    """Compares all answers to a query, in any order of rows.

    Args:
        number: The query's.
        runs: Its runs, by way.

    Raises:
        AssertionError: Two of them differ.
    """
    (first, (expected, *_)), *_ = runs.items()
    wanted = sorted(map(repr, expected.rows))
    for way, asked in runs.items():
        if any(sorted(map(repr, one.rows)) != wanted for one in asked):
            raise AssertionError(f"query {number}: another answer with {way} than with {first}")
