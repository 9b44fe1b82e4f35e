"""Pulls the rows of some commits into one partition of the target.

The partition is named after the end of its range, and Hive registers it once it is complete. So the target
itself records how far pulls have come: a killed pull leaves no partition, and the next one starts at the same
point.

The first pull creates the target, which only one of several concurrent pulls can do. A table property marks
it as running until its partition is registered.
"""

import re
import uuid
from dataclasses import dataclass
from typing import Final

from pycompiler.hive.client.errors import ConnectionLostError, HiveError
from pycompiler.hive.client.session import HiveSession
from pycompiler.index.file_systems.location import Location
from pycompiler.table.properties import TableProperties
from pycompiler.table.timeline import Timeline
from pycompiler.tools.pull.errors import PullError
from pycompiler.tools.pull.range import CommitRange, next_range

PARTITION: Final = "pulled_until"
LAST: Final = "last"
_FIRST: Final = "hudi_skip.first_pull"
"""Property of a target whose first pull is running."""
_NAME: Final = re.compile(r"[A-Za-z_]\w*\.[A-Za-z_]\w*")


@dataclass(frozen=True, slots=True)
class Pull:
    """What to pull.

    Attributes:
        source: `database.table` of the Hudi table in Hive.
        target: `database.table` to write; created if missing.
        query: A SELECT that reads the source.
        start: An instant, `0` for the beginning, or `last` for the end of the last pull.
        max_commits: Maximum number of commits; -1 for all.
    """

    source: str
    target: str
    query: str
    start: str
    max_commits: int = -1


@dataclass(frozen=True, slots=True)
class Pulled:
    """What was pulled, or would be.

    Attributes:
        commits: The commits; None if there were none.
        statement: The statement that wrote them; empty if there were none.
        pending: Instant of the pending write before which the pull stopped; empty if none held commits back.
    """

    commits: CommitRange | None
    statement: str
    pending: str


def pull(session: HiveSession, request: Pull, *, dry_run: bool = False) -> Pulled:
    """Pulls the next commits, or only determines what would be done (`dry_run`).

    The session is one on the server with both tables; its settings are changed.

    Raises:
        PullError: The pull is impossible; nothing was written.
        ConnectionLostError: The connection broke; the server may yet complete what it was writing.
        HiveError: Hive refused a statement; nothing was written.
        TableUnreadableError: The source is not a Hudi table.
        OSError: The source's files cannot be read.
    """
    for name in (request.source, request.target):
        if not _NAME.fullmatch(name):
            raise PullError(f"{name} is not a table name; use the format database.table")
    location = _location(session, request.source)
    last = _last(session, request.target)
    if request.start != LAST:
        start = request.start
    elif last:
        start = last
    else:
        raise PullError(
            f"nothing has been pulled into {request.target} yet; specify where to start: --from 0 or --from"
            " INSTANT"
        )
    found, pending = next_range(Timeline.of(location), start, request.max_commits)
    if found is None:
        return Pulled(None, "", pending)
    statement = (
        f"INSERT OVERWRITE TABLE {request.target} PARTITION ({PARTITION} = '{found.until}')"
        f" SELECT * FROM ({request.query}) pulled"
    )
    if not dry_run:
        for name, value in found.settings(TableProperties.read(location).name).items():
            session.rows(f"SET {name}={value}")
        try:
            if last is None:
                _pull_first(session, request, statement)
            else:
                session.rows(statement)
        except ConnectionLostError as error:
            raise ConnectionLostError(
                error.reason, f"pull again: it tells whether {request.target} has these commits by now"
            ) from error
    return Pulled(found, statement, pending)


def _location(session: HiveSession, table: str) -> Location:
    for row in session.rows(f"DESCRIBE FORMATTED {table}"):
        if str(row[0]).strip() == "Location:":
            return Location.parse(str(row[1]).strip())
    raise PullError(f"Hive does not show the location of {table}")


def _last(session: HiveSession, target: str) -> str | None:
    """The end of the last pull; empty if there was none, None if there is no target."""
    if not session.has_table(target):
        return None
    columns = [str(row[0]).strip() for row in session.rows(f"DESCRIBE {target}")]
    if columns[-1] != PARTITION or "# Partition Information" not in columns:
        raise PullError(
            f"{target} must have {PARTITION} string as its only partition column; or choose the name of a"
            " table that does not exist, and the pull creates it"
        )
    partitions = [str(row[0]).partition("=")[2] for row in session.rows(f"SHOW PARTITIONS {target}")]
    properties = {str(row[0]).strip() for row in session.rows(f"SHOW TBLPROPERTIES {target}")}
    if not partitions and _FIRST in properties:
        raise _another_pull(target)
    return max(partitions, default="")


def _pull_first(session: HiveSession, request: Pull, statement: str) -> None:
    """Creates the target and pulls into it; drops it again on failure."""
    _create(session, request)
    try:
        session.rows(statement)
    except BaseException:
        session.rows(f"DROP TABLE {request.target}")
        raise
    session.rows(f"ALTER TABLE {request.target} UNSET TBLPROPERTIES ('{_FIRST}')")


def _create(session: HiveSession, request: Pull) -> None:
    view = f"{request.target}__columns_{uuid.uuid4().hex}"  # Unique, because pulls may run concurrently.
    session.rows(f"CREATE VIEW {view} AS {request.query}")
    try:
        columns = ", ".join(f"`{row[0]}` {row[1]}" for row in session.rows(f"DESCRIBE {view}"))
    finally:
        session.rows(f"DROP VIEW IF EXISTS {view}")
    try:
        session.rows(
            f"CREATE EXTERNAL TABLE {request.target} ({columns}) PARTITIONED BY ({PARTITION} string)"
            f" STORED AS PARQUET TBLPROPERTIES ('{_FIRST}'='running')"
        )
    except HiveError as error:
        if session.has_table(request.target):
            raise _another_pull(request.target) from error
        raise


def _another_pull(target: str) -> PullError:
    return PullError(
        f"the first pull into {target} has not finished: if it is still running, wait for it; if it was"
        f" killed, run DROP TABLE {target} (it has no rows yet) and pull again"
    )
