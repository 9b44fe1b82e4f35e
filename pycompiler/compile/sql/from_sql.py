"""Reads a condition that a person typed, as after WHERE, into the predicate tree.

The result is the tree that Hive's type checker builds and HiveServer2 sends, without node indices. In either
dialect the meaning is Hive's. Only this package parses SQL text and depends on sqlglot.
"""

from pycompiler.compile.predicate.errors import SqlPredicateError
from pycompiler.compile.predicate.model import Predicate
from pycompiler.compile.predicate.schema import Schema
from pycompiler.compile.sql.aggregates import refuse_aggregates
from pycompiler.compile.sql.dialect import Dialect
from pycompiler.compile.sql.parse import parse, resolve_columns
from pycompiler.compile.sql.query_constants import QueryConstants
from pycompiler.compile.sql.reader import Reader

__all__ = ["Dialect", "QueryConstants", "from_sql"]


def from_sql(
    text: str,
    schema: Schema | None,
    *,
    dialect: Dialect = Dialect.HIVE,
    query: QueryConstants | None = None,
) -> Predicate:
    """Reads a condition, such as `origin = 'JFK' AND NOT (year(day) BETWEEN 2019 AND 2021)`.

    Unknown functions, and calls whose result type is uncertain, become `Opaque`.

    Args:
        text: The condition, without the word WHERE.
        schema: The table's columns; names are case-insensitive and may be qualified by the table's name or
            alias. None if the columns are unknown: then every column becomes `Opaque`.
        dialect: The SQL dialect of the text.
        query: Folds what is constant in the query; None to leave calls of constants, and the time of the
            query, to the compiler.

    Raises:
        SqlPredicateError: The text is not one condition on a row, is nested too deeply, names a column or
            field that the schema lacks or columns of two tables, or contains a lone surrogate (a trace of
            invalid UTF-8).
        FilterTooLargeError: An IN is too long.
    """
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise SqlPredicateError("the condition is not valid UTF-8 text")
    try:
        root = parse(text, dialect)
        refuse_aggregates(root, dialect)
        if schema is not None:
            resolve_columns(root, schema)
        return Reader(schema, dialect, query).condition(root)
    except RecursionError as error:
        raise SqlPredicateError("the condition is nested too deeply; simplify it") from error
