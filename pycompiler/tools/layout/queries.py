"""What queries asked of a table, and what they opened: from a scan log, or from a file of SQL."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pycompiler.compile.compiler.compile import compile_predicate
from pycompiler.compile.expression.model import HudiExpression
from pycompiler.compile.predicate.errors import FilterTooLargeError, SqlPredicateError
from pycompiler.compile.sql.from_sql import Dialect, from_sql
from pycompiler.compile.sql.statements import TableCondition, conditions_on, split_statements
from pycompiler.index.file_systems.location import Location
from pycompiler.table.files import FileSlice
from pycompiler.tools.explain.open_table import OpenTable
from pycompiler.tools.scan_log.conditions import sql_condition
from pycompiler.tools.scan_log.scans import Scan


@dataclass(frozen=True, slots=True)
class AskedQuery:
    """What one query asked.

    Attributes:
        text: Its condition; empty if it had none.
        columns: The columns whose statistics can skip files for it.
        files: File slices of the table.
        kept: Those that were opened, or would be now.
        size: Bytes of the table.
        kept_size: Bytes that were opened, or would be now.
        problem: Why the columns are unknown, or why nothing is known.
    """

    text: str
    columns: frozenset[str] = frozenset()
    files: int = 0
    kept: int = 0
    size: int = 0
    kept_size: int = 0
    problem: str = ""


def asked_in_scans(table: Location, opened: OpenTable, scans: Iterable[Scan]) -> list[AskedQuery]:
    """What the scans of a table asked, and what they opened then."""
    return [_of_scan(opened, scan) for scan in scans if scan.is_of(table)]


def asked_in_sql(opened: OpenTable, text: str) -> list[AskedQuery]:
    """What queries of the table in Hive's SQL, separated by semicolons, would open now.

    Statements about other tables are ignored.

    Raises:
        SqlPredicateError: A quote is not closed.
    """
    asked: list[AskedQuery | TableCondition] = []
    for statement in split_statements(text, Dialect.HIVE):
        try:
            asked.extend(conditions_on(statement, opened.names, opened.schema or {}))
        except (SqlPredicateError, FilterTooLargeError) as error:
            asked.append(AskedQuery(statement, problem=str(error)))
    compiled = {
        condition.text: compile_predicate(condition.predicate).expression
        for condition in asked
        if isinstance(condition, TableCondition) and condition.predicate is not None
    }
    expressions = list(compiled.values())
    kept = opened.slices_kept(expressions, opened.statistics(expressions))
    read = dict(zip(compiled, kept, strict=True))
    return [
        each if isinstance(each, AskedQuery) else _of_condition(opened, each.text, compiled, read)
        for each in asked
    ]


def _of_scan(opened: OpenTable, scan: Scan) -> AskedQuery:
    columns: frozenset[str] = frozenset()
    problem = scan.reason
    if scan.expression:
        problem = ""
        if (condition := sql_condition(scan.expression)) is None:
            problem = "the log does not have the whole condition"
        else:
            try:
                predicate = from_sql(condition, opened.schema, dialect=Dialect.HIVE)
                columns = compile_predicate(predicate).expression.columns()
            except SqlPredicateError as error:
                problem = str(error)
    return AskedQuery(scan.expression, columns, scan.files, scan.kept, scan.size, scan.kept_size, problem)


def _of_condition(
    opened: OpenTable,
    text: str,
    compiled: Mapping[str, HudiExpression],
    read: Mapping[str, Sequence[FileSlice]],
) -> AskedQuery:
    slices = opened.known.slices
    kept = read.get(text, slices)
    return AskedQuery(
        text,
        compiled[text].columns() if text in compiled else frozenset(),
        len(slices),
        len(kept),
        sum(each.size for each in slices),
        sum(each.size for each in kept),
    )
