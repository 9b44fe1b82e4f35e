"""A table: its index, and a query that skips its files."""

import re
import uuid
from contextlib import suppress
from datetime import datetime

from pycompiler.compile.sql.from_sql import Dialect
from pycompiler.errors import HudiSkipError
from pycompiler.hive.client.errors import ConnectionLostError, HiveError
from pycompiler.hive.client.session import HiveSession
from pycompiler.hive.client.statements import HANDLER, text
from pycompiler.index.file_systems.location import Location
from pycompiler.index.index import StatisticsIndex
from pycompiler.tools.doctor.check import Check, State
from pycompiler.tools.explain.explanation import Explanation, explain_filter

_COLUMNS_TRIED = 20
_META_COLUMNS = "_hoodie_"
_PLANNED = re.compile(r'hudi-skip files"?:?"? ?(\d+) of (\d+)')
_HELP = "see docs/guides/operate.md#why-was-nothing-skipped"
_REASON = re.compile(r'hudi-skip reason"?:?"? ?([^"\n]*)')


def table_checks(path: str, session: HiveSession | None) -> list[Check]:
    """The checks of a table, with a query in Hive if there is a session.

    The query needs the right to create an external table in the session's database. The table is dropped
    again, which deletes no data.
    """
    subject = "index"
    try:
        found = _skipping(path)
    except (HudiSkipError, OSError) as error:
        return [Check(subject, State.PROBLEM, str(error), f"hudi-skip index build {path}")]
    if found is None:
        return [Check(subject, State.PROBLEM, "it has no columns", f"hudi-skip index build {path}")]
    condition, explanation = found
    update = f"hudi-skip index update {path}"
    behind = explanation.slices_not_indexed
    shown = f"generation {explanation.known.generation}, at instant {explanation.known.instant}"
    checks = [Check(subject, State.OK, f"{shown}: it has all files")]
    if behind or not explanation.known.complete:
        missing = f"{behind} of {len(explanation.slices)} files are not in it" if behind else "it is too old"
        checks = [Check(subject, State.PROBLEM, f"{shown}: {missing}", update)]
    checks.append(_estimate(condition, explanation))
    if session is not None:
        checks.append(_query(session, path, condition, expects_skips=_skips(explanation) > 0))
    return checks


def _skipping(path: str) -> tuple[str, Explanation] | None:
    """The test for NULL that skips most, of the first columns of the index."""
    table = Location.parse(path)
    columns = [
        name for name in StatisticsIndex.open(str(table)).columns() if "." not in name and "`" not in name
    ]
    columns.sort(key=lambda name: name.startswith(_META_COLUMNS))
    best: tuple[str, Explanation] | None = None
    for column in columns[:_COLUMNS_TRIED]:
        condition = f"`{column}` IS NULL"
        explanation = explain_filter(table, condition, Dialect.HIVE, datetime.now().astimezone())
        if best is None or explanation.slices_kept < best[1].slices_kept:
            best = condition, explanation
        if best[1].slices_kept == best[1].slices_not_indexed:
            break
    return best


def _skips(explanation: Explanation) -> int:
    return len(explanation.slices) - explanation.slices_kept


def _estimate(condition: str, explanation: Explanation) -> Check:
    found = f"WHERE {condition} reads {explanation.slices_kept} of {len(explanation.slices)} files"
    if _skips(explanation):
        return Check("skipping, by the index", State.OK, found)
    why = "every column tried has a NULL in every file; try: hudi-skip explain TABLE --where CONDITION"
    return Check("skipping, by the index", State.ABSENT, found, why)


def _query(session: HiveSession, path: str, condition: str, *, expects_skips: bool) -> Check:
    subject = "skipping, in Hive"
    name = f"hudi_skip_doctor_{uuid.uuid4().hex[:12]}"
    try:
        session.rows(f"CREATE EXTERNAL TABLE {name} STORED BY '{HANDLER}' LOCATION {text(path)}")
    except HiveError as error:
        remedy = _if_lost(error, name) or "no table could be created for a query over the path"
        return Check(subject, State.PROBLEM, str(error), remedy)
    try:
        query = f"SELECT count(*) FROM {name} WHERE {condition}"
        plan = "\n".join(str(row[0]) for row in session.rows(f"EXPLAIN {query}"))
        session.rows(query)
    except HiveError as error:
        remedy = _if_lost(error, name) or "see HiveServer2's log"
        return Check(subject, State.PROBLEM, str(error), remedy)
    finally:
        with suppress(ConnectionLostError):
            session.rows(f"DROP TABLE {name}")
    planned, reason = _PLANNED.search(plan), _REASON.search(plan)
    if planned is None or reason is not None:
        why = reason[1] if reason else "its EXPLAIN names no files"
        return Check(subject, State.PROBLEM, why, _HELP)
    kept, files = map(int, planned.groups())
    found = f"a query with WHERE {condition} reads {kept} of {files} files"
    if kept == files and expects_skips:
        return Check(subject, State.PROBLEM, found, _HELP)
    return Check(subject, State.OK, found)


def _if_lost(error: HiveError, table: str) -> str | None:
    """What to do if the connection broke: the table may still be there."""
    return (
        f"see HiveServer2's log, and DROP TABLE IF EXISTS {table}"
        if isinstance(error, ConnectionLostError)
        else None
    )
