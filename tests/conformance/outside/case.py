"""What became of a vector: its compiled filter and the files that each evaluator keeps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pycompiler.compiler.compile import compile_predicate
from pycompiler.expression.evaluator import FileStatistics, evaluate
from pycompiler.expression.model import HudiExpression, Unknown
from pycompiler.predicate.errors import FilterTooLargeError, SqlPredicateError
from pycompiler.sql.from_sql import from_sql

from .model import Vector
from .schema import filter_schema


@dataclass(frozen=True, slots=True)
class Case:
    """A vector, ready to be evaluated.

    Attributes:
        vector: The vector.
        statistics: Of its files.
        expression: Its filter, compiled.
        unused: Reasons for which terms of the filter skip nothing.
    """

    vector: Vector
    statistics: Sequence[FileStatistics]
    expression: HudiExpression
    unused: tuple[str, ...] = ()

    @staticmethod
    def of(vector: Vector, statistics: Sequence[FileStatistics]) -> Case:
        """Compiles a vector's filter. One that cannot be read keeps every file."""
        try:
            predicate = from_sql(vector.where, filter_schema(vector.columns))
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
    """A case and which of its files each language keeps."""

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
        """Files that one language keeps and the other skips."""
        pairs = zip(self.python, self.java, strict=True)
        return frozenset(file for file, (python, java) in enumerate(pairs) if python is not java)

    @property
    def right_source_skips(self) -> frozenset[int]:
        """Files that the source skips and that hold no matching row."""
        return self.case.vector.source_skips - self.case.vector.must_keep

    @property
    def missed(self) -> frozenset[int]:
        """Files that the source skips rightly and that are kept here."""
        return self.right_source_skips - self.skipped

    @property
    def beyond_the_source(self) -> frozenset[int]:
        """Files that are skipped here rightly and not by the source."""
        return self.skipped - self.right_source_skips - self.violations
