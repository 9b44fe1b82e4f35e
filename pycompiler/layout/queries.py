"""What queries asked of a table, and what they opened: from a scan log, or from a file of SQL."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pycompiler.compiler.compile import compile_predicate
from pycompiler.explain.open_table import OpenTable
from pycompiler.expression.evaluator import evaluate
from pycompiler.expression.model import HudiExpression
from pycompiler.index.file_systems.location import Location
from pycompiler.predicate.errors import FilterTooLargeError, SqlPredicateError
from pycompiler.scan_log.conditions import sql_condition
from pycompiler.scan_log.scans import Scan
from pycompiler.sql.from_sql import Dialect, from_sql
from pycompiler.sql.statements import TableCondition, conditions_on, split_statements


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
    return [_of_scan(opened, scan) for scan in scans if _is_same(Location.parse(scan.table), table)]


def asked_in_sql(opened: OpenTable, text: str) -> list[AskedQuery]:
    """What queries of the table in Hive's SQL, separated by semicolons, would open now.

    Statements about other tables are ignored.

    Raises:
        SqlPredicateError: A quote is not closed.
    """
    asked = []
    for statement in split_statements(text, Dialect.HIVE):
        try:
            found = conditions_on(statement, opened.names, opened.schema or {})
        except (SqlPredicateError, FilterTooLargeError) as error:
            asked.append(AskedQuery(statement, problem=str(error)))
            continue
        asked.extend(_of_condition(opened, condition) for condition in found)
    return asked


def _is_same(one: Location, other: Location) -> bool:
    return (one.scheme, one.path) == (other.scheme, other.path) and (
        one.authority == other.authority or not one.authority or not other.authority
    )


def _of_scan(opened: OpenTable, scan: Scan) -> AskedQuery:
    condition = sql_condition(scan.expression)
    columns: frozenset[str] = frozenset()
    problem = "" if scan.expression or not scan.reason else scan.reason
    if scan.expression:
        try:
            columns = frozenset() if condition is None else _compiled(opened, condition).columns()
        except SqlPredicateError as error:
            problem = str(error)
        else:
            problem = "" if condition is not None else "the log does not have the whole condition"
    return AskedQuery(scan.expression, columns, scan.files, scan.kept, scan.size, scan.kept_size, problem)


def _of_condition(opened: OpenTable, condition: TableCondition) -> AskedQuery:
    slices = opened.known.slices
    size = sum(each.size for each in slices)
    if condition.predicate is None:
        return AskedQuery("", frozenset(), len(slices), len(slices), size, size)
    expression = compile_predicate(condition.predicate).expression
    kept = _kept(opened, expression)
    return AskedQuery(
        condition.text,
        expression.columns(),
        len(slices),
        sum(kept),
        size,
        sum(each.size for each, is_kept in zip(slices, kept, strict=True) if is_kept),
    )


def _compiled(opened: OpenTable, condition: str) -> HudiExpression:
    predicate = from_sql(condition, opened.schema, dialect=Dialect.HIVE)
    return compile_predicate(predicate).expression


def _kept(opened: OpenTable, expression: HudiExpression) -> Sequence[bool]:
    """Whether a query reads each slice, as `explain` finds it."""
    known = opened.known.statistics(expression.columns()).by_file
    kept_files = dict(zip(known, evaluate(expression, list(known.values())), strict=True))
    return [opened.keeps(each, kept_files) for each in opened.known.slices]
