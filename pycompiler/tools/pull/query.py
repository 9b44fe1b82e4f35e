"""The query of a pull: one SELECT that reads the source."""

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from pycompiler.tools.pull.errors import PullError


def checked_query(sql: str, source: str, target: str) -> str:
    """Verifies that a query is suitable for a pull; returns it without a trailing semicolon.

    Raises:
        PullError: It is not one SELECT, does not name the source as `database.table`, or reads the target.
    """
    text = sql.strip().rstrip(";").strip()
    try:
        statements = [parsed for parsed in sqlglot.parse(text, dialect="hive") if parsed is not None]
    except SqlglotError as error:
        raise PullError(f"the query cannot be parsed: {str(error).splitlines()[0]}") from error
    if len(statements) != 1 or not isinstance(statements[0], exp.Query):
        raise PullError("the query must be a single SELECT")
    tables = {f"{table.db}.{table.name}".lower() for table in statements[0].find_all(exp.Table)}
    if source.lower() not in tables:
        raise PullError(f"the query does not read {source}; qualify the table with its database")
    if target.lower() in tables:
        raise PullError(f"the query reads {target}, which the pull writes; read other tables only")
    return text
