"""Evaluates each vector, and explains why a file that its source skips is kept.

Most reasons are checked, not guessed: with statistics that lack the obstacle, the same expression skips the
file.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from pycompiler.compile.compiler.compile import compile_predicate
from pycompiler.compile.expression.evaluator import FileStatistics, evaluate
from pycompiler.compile.expression.model import HudiExpression, Unknown
from pycompiler.compile.expression.statistics import ColumnStatistics
from pycompiler.compile.predicate.errors import FilterTooLargeError, SqlPredicateError
from pycompiler.compile.sql.from_sql import from_sql
from pycompiler.compile.values.calendar import ZONE_MICROS
from pycompiler.compile.values.encoding import decode_value, encode_value
from pycompiler.compile.values.types import HiveType, ValueKind

from .reading import Vector

_BIGINT: Final = HiveType("bigint")
_TEXT_AS_DATE: Final = "of type date is compared with a constant of type string"


@dataclass(frozen=True, slots=True)
class Case:
    """A vector, ready to be evaluated.

    Attributes:
        vector: The vector.
        statistics: Statistics of its files.
        expression: The compiled filter.
        unused: Why terms of the filter skip nothing.
    """

    vector: Vector
    statistics: Sequence[FileStatistics]
    expression: HudiExpression
    unused: tuple[str, ...] = ()

    @staticmethod
    def of(vector: Vector, statistics: Sequence[FileStatistics]) -> Case:
        """Compiles a vector's filter. A filter that cannot be parsed keeps every file."""
        try:
            schema = {name.lower(): HiveType.parse(text) for name, text in vector.columns.items()}
            predicate = from_sql(vector.where, schema)
        except (SqlPredicateError, FilterTooLargeError) as error:
            reason = f"the filter is not read: {error}"
            return Case(vector, statistics, HudiExpression((Unknown(reason),)), (reason,))
        compilation = compile_predicate(predicate)
        unused = tuple(dict.fromkeys(term.reason for term in compilation.unused))
        return Case(vector, statistics, compilation.expression, unused)

    def kept_by_python(self) -> list[bool]:
        """Which files the reference evaluator keeps."""
        return evaluate(self.expression, self.statistics)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A case, with the files that each language keeps."""

    case: Case
    python: tuple[bool, ...]
    java: tuple[bool, ...]

    @property
    def skipped(self) -> frozenset[int]:
        """Files that either language skips."""
        return frozenset(
            file for file, both in enumerate(zip(self.python, self.java, strict=True)) if not all(both)
        )

    @property
    def violations(self) -> frozenset[int]:
        """Files with a matching row that are skipped: wrong answers."""
        return self.skipped & self.case.vector.must_keep

    @property
    def disagreements(self) -> frozenset[int]:
        """Files that only one of the two languages keeps."""
        pairs = zip(self.python, self.java, strict=True)
        return frozenset(file for file, (python, java) in enumerate(pairs) if python is not java)

    @property
    def right_source_skips(self) -> frozenset[int]:
        """Files that the source skips and that contain no matching row."""
        return self.case.vector.source_skips - self.case.vector.must_keep

    @property
    def missed(self) -> frozenset[int]:
        """Files that the source rightly skips and that we keep."""
        return self.right_source_skips - self.skipped

    @property
    def beyond_the_source(self) -> frozenset[int]:
        """Files that we rightly skip and the source keeps."""
        return self.skipped - self.right_source_skips - self.violations


@dataclass(frozen=True, slots=True)
class Miss:
    """A file that the source rightly skips and that we keep."""

    case: Case
    file: int

    @property
    def statistics(self) -> FileStatistics:
        """Statistics of the file."""
        return self.case.statistics[self.file]


Change: TypeAlias = Callable[[ColumnStatistics], ColumnStatistics]


@dataclass(frozen=True, slots=True)
class Rule:
    """A reason, and how to check that it applies."""

    reason: str
    applies: Callable[[Miss], bool]


def stated_reason(miss: Miss) -> str | None:
    """Returns the first reason that explains a miss, or None."""
    return next((rule.reason for rule in _RULES if rule.applies(miss)), None)


def open_cause(miss: Miss) -> str:
    """Returns what is known of a miss without a stated reason: why the compiler left terms out."""
    return "; ".join(miss.case.unused) or "unexplained"


def _skipped_with(miss: Miss, change: Change) -> bool:
    changed = {name: change(statistics) for name, statistics in miss.statistics.items()}
    return evaluate(miss.case.expression, [changed]) == [False]


def _without_nan(statistics: ColumnStatistics) -> ColumnStatistics:
    return replace(statistics, nan_count=0) if statistics.type.kind is ValueKind.FLOAT else statistics


def _in_a_known_zone(statistics: ColumnStatistics) -> ColumnStatistics:
    # The compiler widens literals by a margin; bounds that are narrower by the same margin undo this. The
    # margin may include the end that it moves, hence one more.
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
    # Timestamps and integers share an encoding, and a timestamp may be outside the range of Python's years.
    value = decode_value(_BIGINT, bound)
    assert isinstance(value, int)
    return encode_value(_BIGINT, value + micros)


_RULES: Final = (
    Rule(
        "Hive reads text that is no plain date in ways that are not modelled",
        lambda miss: any(_TEXT_AS_DATE in reason for reason in miss.case.unused),
    ),
    Rule(
        "lower and upper keep no order: only single values are inverted; Hive decides files with few values",
        lambda miss: any(f"{name}(" in miss.case.vector.where.lower() for name in ("lower", "upper")),
    ),
    Rule(
        "text is read as a time by a pattern: Hive decides files with few values, but not for SQL text",
        lambda miss: "unix_timestamp(b, '" in miss.case.vector.where.lower(),
    ),
    Rule(
        "the statistics do not exclude NaN, which Hive orders in two ways",
        lambda miss: _skipped_with(miss, _without_nan),
    ),
    Rule(
        "a Bloom filter of timestamps cannot be asked for a time in a zone that is not known",
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
