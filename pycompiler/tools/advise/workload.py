"""The queries for which a table is laid out, read from SQL text or from HiveServer2's log."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from pycompiler.compile.compiler.compile import compile_predicate
from pycompiler.compile.expression.model import HudiExpression
from pycompiler.compile.predicate.errors import FilterTooLargeError, SqlPredicateError
from pycompiler.compile.predicate.schema import Schema
from pycompiler.compile.sql.from_sql import Dialect, QueryConstants
from pycompiler.compile.sql.statements import TableCondition, conditions_on, split_statements
from pycompiler.index.file_systems.location import Location
from pycompiler.tools.advise.errors import AdviceError
from pycompiler.tools.scan_log.scans import Scan

_COMPILING: Final = re.compile(r"Compiling command\(queryId=([^)]*)\): (.*)")
"""How `org.apache.hadoop.hive.ql.Compiler` logs a statement, at level INFO."""

_NEXT_EVENT: Final = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d")
"""How a line begins that does not continue a statement."""


@dataclass(frozen=True, slots=True)
class AskedCondition:
    """A condition on the table.

    Attributes:
        text: The condition as SQL.
        count: How often it was asked.
    """

    text: str
    expression: HudiExpression
    count: int


@dataclass(frozen=True, slots=True)
class Workload:
    """What queries ask of a table.

    Attributes:
        conditions: Their different conditions.
        whole: How often the whole table was read.
        other: Number of statements that do not read the table.
        unreadable: Statements that could not be read, each with the reason.
    """

    conditions: tuple[AskedCondition, ...]
    whole: int
    other: int
    unreadable: tuple[tuple[str, str], ...]

    @property
    def asked(self) -> int:
        """How often the table was asked with a condition."""
        return sum(each.count for each in self.conditions)

    def columns(self) -> Counter[str]:
        """How often a condition tests each column."""
        counts: Counter[str] = Counter()
        for each in self.conditions:
            for column in each.expression.columns():
                counts[column] += each.count
        return counts


def read_workload(
    statements: Iterable[str],
    tables: Collection[str],
    schema: Schema,
    *,
    dialect: Dialect = Dialect.HIVE,
    query: QueryConstants | None = None,
) -> Workload:
    """Reads statements, or conditions as after WHERE. One that occurs twice counts twice.

    `tables` are lower-case names of the table in Hive, without a database; `query` folds constants.
    """
    counts: Counter[str] = Counter()
    known: dict[str, TableCondition] = {}
    other, unreadable = 0, []
    for statement in statements:
        try:
            found = conditions_on(statement, tables, schema, dialect=dialect, query=query)
        except (SqlPredicateError, FilterTooLargeError) as error:
            unreadable.append((statement, str(error)))
            continue
        other += not found
        for condition in found:
            counts[condition.text] += 1
            known[condition.text] = condition
    conditions = tuple(
        AskedCondition(text, compile_predicate(predicate).expression, counts[text])
        for text, condition in known.items()
        if (predicate := condition.predicate) is not None
    )
    return Workload(conditions, counts[""], other, tuple(unreadable))


def statements_in(text: str, dialect: Dialect) -> list[str]:
    """The statements or conditions of a file, separated by semicolons.

    Raises:
        AdviceError: There is none, or a quote is not closed.
    """
    try:
        found = split_statements(text, dialect)
    except SqlPredicateError as error:
        raise AdviceError(str(error)) from error
    if not found:
        raise AdviceError("it has no statement")
    return found


def statements_logged(lines: Iterable[str], table: Location) -> list[str]:
    """The statements that read a table, of HiveServer2's log.

    Raises:
        AdviceError: The log has no scan of the table, or not the statements.
    """
    statements: dict[str, str] = {}
    reading: list[str] = []
    for query, line in _statement_lines(lines):
        if query is None:
            scan = Scan.parse(line)
            if scan is not None and scan.is_of(table):
                reading.append(scan.query)
        else:
            statements[query] = f"{statements[query]}\n{line}" if query in statements else line
    if not reading:
        raise AdviceError(f"no query in it has read {table} by hudi-skip")
    found = [statements[query] for query in dict.fromkeys(reading) if query in statements]
    if not found:
        raise AdviceError(
            "it does not have the statements of its queries: log org.apache.hadoop.hive.ql.Compiler at level"
            " INFO, which is Hive's default, or give the statements with --queries"
        )
    return found


def _statement_lines(lines: Iterable[str]) -> Iterator[tuple[str | None, str]]:
    """The lines of a log, each with the id of the query if it belongs to the text of a statement."""
    query: str | None = None
    for raw in lines:
        line = raw.rstrip("\r\n")
        if found := _COMPILING.search(line):
            query = found[1]
            yield query, found[2]
        elif query is not None and not _NEXT_EVENT.match(line):
            yield query, line
        else:
            query = None
            yield None, line
