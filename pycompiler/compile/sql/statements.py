"""The conditions that statements put on one table."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import sqlglot
from sqlglot import TokenType, exp
from sqlglot.errors import TokenError

from pycompiler.compile.predicate.errors import SqlPredicateError
from pycompiler.compile.predicate.model import Predicate
from pycompiler.compile.predicate.schema import Schema
from pycompiler.compile.sql.dialect import PLAIN, Dialect
from pycompiler.compile.sql.parse import parse_statements, resolve_columns
from pycompiler.compile.sql.query_constants import QueryConstants
from pycompiler.compile.sql.reader import Reader


@dataclass(frozen=True, slots=True)
class TableCondition:
    """What one SELECT asks of a table.

    Attributes:
        text: The condition as SQL; empty if the whole table is read.
        predicate: The condition; None if the whole table is read.
    """

    text: str
    predicate: Predicate | None


def split_statements(text: str, dialect: Dialect) -> list[str]:
    """The statements of a file, which end with semicolons; those in quotes and comments end nothing.

    Raises:
        SqlPredicateError: A quote is not closed.
    """
    try:
        tokens = sqlglot.tokenize(text, read=PLAIN[dialect])
    except TokenError as error:
        raise SqlPredicateError(f"unclosed quote or invalid character: {error}") from error
    statements, start, end = [], None, 0
    for token in tokens:
        if token.token_type is TokenType.SEMICOLON:
            if start is not None:
                statements.append(text[start:end])
            start = None
            continue
        start = token.start if start is None else start
        end = token.end + 1
    return statements if start is None else [*statements, text[start:end]]


def conditions_on(
    statement: str,
    tables: Collection[str],
    schema: Schema,
    *,
    dialect: Dialect = Dialect.HIVE,
    query: QueryConstants | None = None,
) -> list[TableCondition]:
    """The conditions that a statement puts on a table, one for each SELECT from it.

    Of a WHERE clause, the conjuncts about this table alone count. A condition alone, as after WHERE, counts
    as a SELECT from the table.

    Args:
        statement: A statement or a condition.
        tables: Lower-case names of the table, without a database.
        schema: The table's columns.
        dialect: The SQL dialect of the text.
        query: Folds what is constant in the query.

    Returns:
        The conditions; none if the statement does not read the table.

    Raises:
        SqlPredicateError: The text is not SQL, or a condition names a column that the table lacks.
        FilterTooLargeError: An IN in it is too long.
    """
    try:
        found = []
        for root in parse_statements(statement, dialect):
            if isinstance(root, exp.Condition):
                found.append(_condition([root], schema, dialect, query))
                continue
            for select in root.find_all(exp.Select):
                for name in _names(select, tables):
                    conjuncts = [each for each in _conjuncts(select) if _is_about(each, name, select, schema)]
                    found.append(_condition(conjuncts, schema, dialect, query))
        return found
    except RecursionError as error:
        raise SqlPredicateError("the statement is nested too deeply; simplify it") from error


def _condition(
    conjuncts: list[exp.Expr], schema: Schema, dialect: Dialect, query: QueryConstants | None
) -> TableCondition:
    if not conjuncts:
        return TableCondition("", None)
    root = exp.and_(*conjuncts)
    resolve_columns(root, schema)
    return TableCondition(root.sql(dialect=PLAIN[dialect]), Reader(schema, dialect, query).condition(root))


def _sources(select: exp.Select) -> list[exp.Expr]:
    """What a SELECT reads: tables and subqueries."""
    first = select.args.get("from_")
    joins = select.args.get("joins") or []
    return [each.this for each in [*([] if first is None else [first]), *joins]]


def _names(select: exp.Select, tables: Collection[str]) -> Iterator[str]:
    """The aliases, in lower case, by which a SELECT reads the table."""
    for source in _sources(select):
        if isinstance(source, exp.Table) and source.name.lower() in tables:
            yield source.alias_or_name.lower()


def _conjuncts(select: exp.Select) -> Iterator[exp.Expr]:
    where = select.args.get("where")
    waiting = [] if where is None else [where.this]
    while waiting:
        condition = waiting.pop().unnest()
        if isinstance(condition, exp.And):
            waiting.extend((condition.right, condition.left))
        else:
            yield condition


def _is_about(condition: exp.Expr, name: str, select: exp.Select, schema: Schema) -> bool:
    """Whether a conjunct tests only columns of the table by one alias."""
    if condition.find(exp.Query, exp.Lambda) is not None:
        return False
    columns = list(condition.find_all(exp.Column))
    is_alone = len(_sources(select)) == 1
    return bool(columns) and all(_is_of(column, name, is_alone, schema) for column in columns)


def _is_of(column: exp.Column, name: str, is_alone: bool, schema: Schema) -> bool:
    if is_alone:
        return True  # It can be no other table's; if it is unknown, that is an error.
    names = [part.name.lower() for part in column.parts]
    return name in names[:-1] if len(names) > 1 else names[0] in schema
