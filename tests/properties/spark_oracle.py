"""Evaluates hundreds of predicates over a table's rows in a single Spark query."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from pycompiler.compile.predicate.model import Column
from pycompiler.compile.values.types import ValueKind
from tests.drawing.literals import quoted
from tests.drawing.tables import Row, Table, Value

ZONES: Final = ("UTC", "America/New_York", "Asia/Kolkata", "Pacific/Kiritimati", "Pacific/Apia")
"""Session time zones, which determine how Spark shows a stored instant."""


_RULES: Final = "org.apache.spark.sql.catalyst.optimizer."
_REWRITES: Final = (
    *("BooleanSimplification", "ConstantFolding", "ConstantPropagation", "LikeSimplification"),
    *("NullPropagation", "OptimizeIn", "PushFoldableIntoBranches", "ReplaceNullWithFalseInPredicate"),
    *("ReorderAssociativeOperator", "SimplifyBinaryComparison", "SimplifyCaseConversionExpressions"),
    *("SimplifyCasts", "SimplifyConditionals", "SimplifyConditionalsInPredicate"),
    *("SimplifyDateTimeConversions", "UnwrapCastInBinaryComparison", "NullDownPropagation"),
)
"""Optimizer rules to turn off: some rewrite predicates incorrectly, and all take time."""


@dataclass(frozen=True, slots=True)
class Matches:
    """The files with a row for which a predicate is TRUE, and those with a row for which it is not."""

    true: frozenset[int]
    not_true: frozenset[int]


class SparkOracle:
    """Evaluates predicates in its own session, in Spark's default (not ANSI) mode, without a job.

    The only optimization left makes Spark evaluate constant rows in its interpreter, so the results are those
    of Spark's expressions.
    """

    def __init__(self, session: SparkSession) -> None:
        self._session = session.newSession()
        self._session.conf.set("spark.sql.ansi.enabled", "false")
        excluded = ",".join(_RULES + rule for rule in _REWRITES)
        self._session.conf.set("spark.sql.optimizer.excludedRules", excluded)

    def files_with_true(
        self, table: Table, predicates: Sequence[str], zone: str = "UTC"
    ) -> list[frozenset[int] | None]:
        """Returns for each predicate the files with a row for which it is TRUE; None if Spark rejects it."""
        return [None if found is None else found.true for found in self.matches(table, predicates, zone)]

    def matches(self, table: Table, predicates: Sequence[str], zone: str = "UTC") -> list[Matches | None]:
        """Returns for each predicate the files with such rows; None if Spark rejects it.

        Args:
            table: The rows.
            predicates: Conditions over the table's columns, in Spark's SQL.
            zone: Session time zone.
        """
        self._session.conf.set("spark.sql.session.timeZone", zone)
        numbered = [(number, row) for number, rows in enumerate(table.files) for row in rows]
        rows = ", ".join(_row_sql(table, row) for _, row in numbered)
        source = f"VALUES {rows} AS t({', '.join(_root_columns(table))})"
        answers = self._answers(source, list(predicates))
        return [
            None
            if of_predicate is None
            else Matches(
                frozenset(file for (file, _), is_true in zip(numbered, of_predicate, strict=True) if is_true),
                frozenset(
                    file for (file, _), is_true in zip(numbered, of_predicate, strict=True) if not is_true
                ),
            )
            for of_predicate in answers
        ]

    def _answers(self, source: str, predicates: list[str]) -> list[list[bool] | None]:
        # One text per row, because thousands of columns are slow to fetch.
        flags = ", ".join(f"if({predicate}, '1', '0')" for predicate in predicates)
        try:
            found = [
                str(row[0]) for row in self._session.sql(f"SELECT concat({flags}) FROM {source}").collect()
            ]
        except PySparkException:
            if len(predicates) == 1:
                return [None]
            middle = len(predicates) // 2
            return [
                *self._answers(source, predicates[:middle]),
                *self._answers(source, predicates[middle:]),
            ]
        return [[flags[number] == "1" for flags in found] for number in range(len(predicates))]


def random_zone(rng: random.Random) -> str:
    """Draws a time zone, mostly UTC."""
    return rng.choice((*ZONES, *ZONES[:1] * 4))


def _root_columns(table: Table) -> list[str]:
    plain = [column.name for column in table.columns if "." not in column.name]
    return [*plain, "s"] if table.has_struct else plain


def _row_sql(table: Table, row: Row) -> str:
    values = [_value_sql(column, row[column.name]) for column in table.columns if "." not in column.name]
    if table.has_struct:
        a, b, d = (
            _value_sql(column, row[column.name]) for column in table.columns if column.name.startswith("s.")
        )
        values.append(f"named_struct('a', {a}, 'b', {b}, 'c', named_struct('d', {d}))")
    return f"({', '.join(values)})"


def _value_sql(column: Column, value: Value) -> str:
    hive_type = column.type
    is_text = hive_type.kind is ValueKind.STRING
    # Spark reads a varchar as the stored string.
    name = "STRING" if is_text else str(hive_type).upper()
    match value:
        case None:
            return f"CAST(NULL AS {name})"
        case bool():
            return str(value).lower()
        case str():
            return quoted(value)
        case float() | Decimal():
            return f"CAST('{value}' AS {name})"
    match hive_type.kind:
        case ValueKind.DATE:
            return f"DATE_FROM_UNIX_DATE({value})"
        case ValueKind.TIMESTAMP:
            return f"TIMESTAMP_MICROS({value}L)"
    return f"CAST('{value}' AS {name})"
