"""Pages from Python: a notebook shows them, and `write` saves them."""

from collections.abc import Sequence
from datetime import datetime, tzinfo
from pathlib import Path

from pycompiler.compile.sql.from_sql import Dialect
from pycompiler.hive.client.query_id import query_id
from pycompiler.index.file_systems.location import Location, absolute
from pycompiler.tools.explain.explanation import explain_filter
from pycompiler.tools.layout.table_layout import table_layout
from pycompiler.tools.pages.explanation_page import page_of_explanation
from pycompiler.tools.pages.layout_page import page_of_layout
from pycompiler.tools.pages.page import Page
from pycompiler.tools.pages.scans_page import page_of_scans
from pycompiler.tools.scan_log.scans import read_scans


def explain_page(
    table: str, where: str, *, time_zone: tzinfo | None = None, read_optimized: bool = False
) -> Page:
    """Which files a query with a condition reads, and why, as `hudi-skip explain --html` shows it.

    Args:
        table: Root of the table, a path or Hadoop URI.
        where: The condition in Hive's SQL, without the word WHERE.
        time_zone: Zone of the Hive session; None for this machine's.
        read_optimized: Whether to ignore log files.

    Raises:
        HudiSkipError: The table or the condition cannot be read; the message says why.
    """
    now = datetime.now().astimezone(time_zone)
    location = Location.parse(absolute(table))
    found = explain_filter(location, where, Dialect.HIVE, now, is_read_optimized=read_optimized)
    return page_of_explanation(table, where, found, None, now)


def layout_page(
    table: str, *, columns: Sequence[str] = (), log: str | Path | None = None, sql: str = ""
) -> Page:
    """How many files a query for one value of each column reads, as `hudi-skip layout --html` shows it.

    Args:
        table: Root of the table, a path or Hadoop URI.
        columns: Columns to look at; none for all.
        log: A log of HiveServer2 or Tez, to show what its queries asked and opened.
        sql: Queries of the table, separated by semicolons, to show what they would open.

    Raises:
        HudiSkipError: The table or the queries cannot be read; the message says why.
        OSError: The log cannot be read.
    """
    scans = [] if log is None else read_scans(log)
    location = Location.parse(absolute(table))
    return page_of_layout(table, table_layout(location, columns=columns, scans=scans, sql=sql))


def scans_page(
    log: str | Path, *, tag: str | None = None, query: str | None = None, cursor: object = None
) -> Page:
    """What the scans in a log read and skipped, as `hudi-skip scans --html` shows it.

    Args:
        log: A log of HiveServer2 or Tez.
        tag: Only scans with this query tag.
        query: Only scans of the query with this id.
        cursor: Only scans of the last query of this cursor of PyHive, which must be open. Fetch the rows
            first: Hive may list the files only when it is asked for a row.

    Raises:
        HiveError: The cursor has no query, or HiveServer2 does not tell which one it is.
        OSError: The log cannot be read.
    """
    of_query = query if cursor is None else query_id(cursor)
    return page_of_scans(str(log), read_scans(log, tag=tag, query=of_query), Path(log).parent)
