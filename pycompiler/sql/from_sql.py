"""A condition that a person typed, as it would stand after WHERE, to the predicate tree.

It becomes the tree that Hive's type checker builds, the one that HiveServer2 sends, apart from the
indices of nodes. The meaning is Hive's in either dialect. Text is parsed in this package only, which alone
knows sqlglot.
"""

from __future__ import annotations

from pycompiler.predicate.errors import FilterTooLargeError, SqlPredicateError
from pycompiler.predicate.limits import DEFAULT_LIMITS, FilterLimits
from pycompiler.predicate.model import Predicate
from pycompiler.predicate.schema import Schema
from pycompiler.sql.dialect import Dialect
from pycompiler.sql.parse import parse, resolve_columns
from pycompiler.sql.query_constants import QueryConstants
from pycompiler.sql.reader import Reader

__all__ = ["Dialect", "QueryConstants", "from_sql"]


def from_sql(
    text: str,
    schema: Schema | None,
    *,
    dialect: Dialect = Dialect.HIVE,
    limits: FilterLimits = DEFAULT_LIMITS,
    query: QueryConstants | None = None,
) -> Predicate:
    """Reads a condition, such as `origin = 'JFK' AND NOT (year(day) BETWEEN 2019 AND 2021)`.

    Functions that are not known, and calls whose result has no certain type, become `Opaque`.

    Args:
        text: The condition, without the word WHERE.
        schema: The table's columns; names are looked up without regard to case, and may be qualified by the
            table's name or alias. None if the columns are not known: then nothing is known of them.
        dialect: Whose SQL it is.
        limits: How long it may be.
        query: What is constant in the query that the condition is of; None to leave calls of constants, and
            the time of the query, to whoever compiles the predicate.

    Raises:
        SqlPredicateError: The text is not one condition, is nested too deeply, names a column that the
            schema does not have or columns of two tables, or has half a character (what is left of bytes
            that are no UTF-8).
        FilterTooLargeError: The text, or an IN in it, is too long.
    """
    if len(text) > limits.max_text_chars:
        raise FilterTooLargeError(f"{len(text)} characters, the limit is {limits.max_text_chars}")
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise SqlPredicateError("the condition is not text in UTF-8")
    try:
        root = parse(text, dialect)
        if schema is not None:
            resolve_columns(root, schema)
        return Reader(schema, dialect, limits, query).condition(root)
    except RecursionError as error:
        raise SqlPredicateError("nested too deeply") from error
