"""Log files without statistics, counted on the executors and said once by the driver."""

from __future__ import annotations

import logging
from typing import Final, TypeAlias

from pyspark import AccumulatorParam, SparkContext

from pycompiler.one_line import one_line

_Counts: TypeAlias = dict[str, tuple[int, str]]
"""By reason: how many files, and one of them."""

_REASONS: Final = 5
"""So many are named."""

_logger: Final = logging.getLogger(__name__)


class UnreadLogs:
    """Collects why log files have no statistics.

    Args:
        context: The Spark application.
    """

    def __init__(self, context: SparkContext) -> None:
        self._counts = context.accumulator({}, _Merged())

    def add(self, path: str, reason: str) -> None:
        """Is for executors to call, and for the driver.

        Args:
            path: The log file.
            reason: Why it has none.
        """
        self._counts.add({reason: (1, path)})

    def warn(self) -> None:
        """Logs what was collected, on one line; nothing if there is nothing."""
        counts = self._counts.value
        if counts:
            reasons = [
                one_line(f"{reason} ({path}{f' and {number - 1} more' if number > 1 else ''})")
                for reason, (number, path) in sorted(counts.items())
            ]
            more = [f"{len(reasons) - _REASONS} other reasons"] if len(reasons) > _REASONS else []
            _logger.warning(
                "log files without statistics, whose file slices are never skipped: %s",
                "; ".join([*reasons[:_REASONS], *more]),
            )


class _Merged(AccumulatorParam[_Counts]):
    def zero(self, value: _Counts) -> _Counts:
        return {}

    def addInPlace(self, value1: _Counts, value2: _Counts) -> _Counts:  # noqa: N802 - Spark's name
        for reason, (number, path) in value2.items():
            before, known = value1.get(reason, (0, path))
            value1[reason] = before + number, known
        return value1
