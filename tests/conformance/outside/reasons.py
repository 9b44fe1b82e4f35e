"""Why a file that a source skips is kept here. A reason is a rule, and most are tried, not guessed.

"Tried" means: the same expression over statistics that lack the obstacle skips the file.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from pycompiler.expression.evaluator import FileStatistics, evaluate
from pycompiler.expression.statistics import ColumnStatistics
from pycompiler.values.calendar import ZONE_MICROS
from pycompiler.values.encoding import decode_value, encode_value
from pycompiler.values.types import HiveType, ValueKind

from .case import Case

_BIGINT: Final = HiveType("bigint")
_TEXT_AS_DATE: Final = "of type date is compared with a constant of type string"


@dataclass(frozen=True, slots=True)
class Miss:
    """A file that the source rightly skips and that is kept here."""

    case: Case
    file: int

    @property
    def statistics(self) -> FileStatistics:
        """Statistics of the file."""
        return self.case.statistics[self.file]


Change: TypeAlias = Callable[[ColumnStatistics], ColumnStatistics]


@dataclass(frozen=True, slots=True)
class Rule:
    """A stated reason, and how to tell that it is the one."""

    reason: str
    applies: Callable[[Miss], bool]


def stated_reason(miss: Miss) -> str | None:
    """The first reason that explains a miss; None if none does."""
    return next((rule.reason for rule in _RULES if rule.applies(miss)), None)


def open_cause(miss: Miss) -> str:
    """What is known of a miss without a stated reason: why the compiler left terms out."""
    return "; ".join(miss.case.unused) or "unexplained"


def _skipped_with(miss: Miss, change: Change) -> bool:
    changed = {name: change(statistics) for name, statistics in miss.statistics.items()}
    return evaluate(miss.case.expression, [changed]) == [False]


def _without_nan(statistics: ColumnStatistics) -> ColumnStatistics:
    return replace(statistics, nan_count=0) if statistics.type.kind is ValueKind.FLOAT else statistics


def _in_a_known_zone(statistics: ColumnStatistics) -> ColumnStatistics:
    # The compiler widens literals by the margin; bounds that are as much narrower undo it. It may include
    # the end that it moves, hence one more.
    if statistics.type.kind is not ValueKind.TIMESTAMP:
        return statistics
    lower, upper = _moved(statistics.lower, ZONE_MICROS + 1), _moved(statistics.upper, -ZONE_MICROS - 1)
    return replace(statistics, lower=lower, upper=upper)


def _writes_timestamps(miss: Miss) -> bool:
    kinds = {statistics.type.kind for statistics in miss.statistics.values()}
    return ValueKind.TIMESTAMP in kinds and "date_format(" in miss.case.vector.where.lower()


def _null_for_nan(statistics: ColumnStatistics) -> ColumnStatistics:
    nans, nulls, rows = statistics.nan_count, statistics.null_count, statistics.value_count
    if not nans or nans + (nulls or 0) != rows:
        return statistics
    return replace(statistics, null_count=rows, nan_count=0)


def _null_for_timestamps_in_a_bloom_filter(statistics: ColumnStatistics) -> ColumnStatistics:
    if statistics.type.kind is not ValueKind.TIMESTAMP or not statistics.contents:
        return statistics
    return replace(statistics, null_count=1, value_count=1)


def _moved(bound: bytes | None, micros: int) -> bytes | None:
    if bound is None:
        return None
    # Timestamps and integers have one encoding, and a timestamp may be outside of Python's years.
    value = decode_value(_BIGINT, bound)
    assert isinstance(value, int)
    return encode_value(_BIGINT, value + micros)


_RULES: Final = (
    Rule(
        "Hive reads text that is no plain date in ways that are not modelled",
        lambda miss: any(
            "of type date is compared with a constant of type string" in u for u in miss.case.unused
        ),
    ),
    Rule(
        "lower and upper keep no order: only single values are inverted, and Hive decides constant files",
        lambda miss: any(f"{name}(" in miss.case.vector.where.lower() for name in ("lower", "upper")),
    ),
    Rule(
        "text is read as a time by a pattern: Hive decides constant files, but not for SQL text",
        lambda miss: "unix_timestamp(b, '" in miss.case.vector.where.lower(),
    ),
    Rule(
        "the statistics do not exclude NaN, which Hive orders in two ways",
        lambda miss: _skipped_with(miss, _without_nan),
    ),
    Rule(
        "a bloom filter of timestamps cannot be asked for a time in a zone that is not known",
        lambda miss: _skipped_with(miss, _null_for_timestamps_in_a_bloom_filter),
    ),
    Rule(
        "timestamps are shown in the zone of the reader: 36 hours are kept on both sides",
        lambda miss: _skipped_with(miss, _in_a_known_zone),
    ),
    Rule(
        "date_format writes timestamps in the zone of the session: 24 hours more are kept on both sides",
        _writes_timestamps,
    ),
    Rule(
        "NaN and nothing else: Parquet's statistics never tell that",
        lambda miss: _skipped_with(miss, _null_for_nan),
    ),
)
