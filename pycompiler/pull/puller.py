"""One pull: the rows of some commits, as one partition of the target.

The partition is named after the end of its range, and Hive registers it when all of its rows are there. So
the target itself remembers how far pulls have come: a pull that was killed has left no partition, and the
next one begins where it did.

The first pull creates the target, which only one of several can do, and says in a property of it that it is
under way, until its partition is there.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from pycompiler.index.storage.location import Location
from pycompiler.pull.errors import PullError
from pycompiler.pull.range import CommitRange, next_range
from pycompiler.table.properties import TableProperties
from pycompiler.table.timeline import Timeline

PARTITION: Final = "pulled_until"
LAST: Final = "last"
_FIRST: Final = "hudi_skip.first_pull"
"""Property of a target whose first pull is under way."""
_NAME: Final = re.compile(r"[A-Za-z_]\w*\.[A-Za-z_]\w*")


class Session(Protocol):
    """A session of HiveServer2."""

    def rows(self, statement: str) -> Sequence[tuple[Any, ...]]:
        """Runs a statement and returns its rows."""


@dataclass(frozen=True, slots=True)
class Pull:
    """What is to be pulled.

    Attributes:
        source: `database.table` of the Hudi table in Hive.
        target: `database.table` that is written; created if it is not there.
        query: A SELECT that reads the source.
        start: An instant, `0` for the beginning, or `last` for where the last pull ended.
        max_commits: How many commits to take at most; -1 for all.
    """

    source: str
    target: str
    query: str
    start: str = LAST
    max_commits: int = -1


@dataclass(frozen=True, slots=True)
class Pulled:
    """What was pulled, or would be.

    Attributes:
        commits: The commits; None if there were none.
        statement: The statement that wrote them; empty if there were none.
        pending: Instant of the write under way before which they stop; empty if none has kept commits back.
    """

    commits: CommitRange | None
    statement: str
    pending: str = ""


def pull(session: Session, asked: Pull, *, dry_run: bool = False) -> Pulled:
    """Pulls the next commits.

    Args:
        session: Of the server that has both tables; its settings are changed.
        asked: What to pull.
        dry_run: Whether only to find out what would be done.

    Raises:
        PullError: It cannot be done; nothing was written.
        TableUnreadableError: The source is no Hudi table.
        OSError: Its files cannot be read.
    """
    for name in (asked.source, asked.target):
        if not _NAME.fullmatch(name):
            raise PullError(f"{name} is no name of a table: give it as database.table")
    location = _location(session, asked.source)
    last = _last(session, asked.target)
    if asked.start != LAST:
        start = asked.start
    elif last:
        start = last
    else:
        raise PullError(
            f"nothing was pulled into {asked.target} yet: say where to begin, --from 0 or an instant"
        )
    next_commits = next_range(Timeline.of(location), start, asked.max_commits)
    found = next_commits.commits
    if found is None:
        return Pulled(None, "", next_commits.pending)
    statement = (
        f"INSERT OVERWRITE TABLE {asked.target} PARTITION ({PARTITION} = '{found.until}')"
        f" SELECT * FROM ({asked.query}) pulled"
    )
    if not dry_run:
        settings = found.settings(TableProperties.read(location).name)
        if last is None:
            _pull_first(session, asked, settings, statement)
        else:
            _run(session, settings, statement)
    return Pulled(found, statement, next_commits.pending)


def _location(session: Session, table: str) -> Location:
    for row in session.rows(f"DESCRIBE FORMATTED {table}"):
        if str(row[0]).strip() == "Location:":
            return Location.parse(str(row[1]).strip())
    raise PullError(f"Hive does not say where {table} is")


def _last(session: Session, target: str) -> str | None:
    """Where the last pull ended; empty if there was none, None if there is no target."""
    if not _exists(session, target):
        return None
    columns = [str(row[0]).strip() for row in session.rows(f"DESCRIBE {target}")]
    if columns[-1] != PARTITION or "# Partition Information" not in columns:
        raise PullError(
            f"{target} is not partitioned by {PARTITION} string alone: let the pull create its target"
        )
    partitions = [str(row[0]).partition("=")[2] for row in session.rows(f"SHOW PARTITIONS {target}")]
    properties = {str(row[0]).strip() for row in session.rows(f"SHOW TBLPROPERTIES {target}")}
    if not partitions and _FIRST in properties:
        raise _another_pull(target)
    return max(partitions, default="")


def _run(session: Session, settings: Mapping[str, str], statement: str) -> None:
    for name, value in settings.items():
        session.rows(f"SET {name}={value}")
    session.rows(statement)


def _pull_first(session: Session, asked: Pull, settings: Mapping[str, str], statement: str) -> None:
    """Creates the target and pulls into it; if that fails, there is no target."""
    _create(session, asked)
    try:
        _run(session, settings, statement)
    except BaseException:
        session.rows(f"DROP TABLE {asked.target}")
        raise
    session.rows(f"ALTER TABLE {asked.target} UNSET TBLPROPERTIES ('{_FIRST}')")


def _create(session: Session, asked: Pull) -> None:
    view = f"{asked.target}__columns_{uuid.uuid4().hex}"  # Another pull may be here, too.
    session.rows(f"CREATE VIEW {view} AS {asked.query}")
    try:
        columns = ", ".join(f"`{row[0]}` {row[1]}" for row in session.rows(f"DESCRIBE {view}"))
    finally:
        session.rows(f"DROP VIEW IF EXISTS {view}")
    try:
        session.rows(
            f"CREATE EXTERNAL TABLE {asked.target} ({columns}) PARTITIONED BY ({PARTITION} string)"
            f" STORED AS PARQUET TBLPROPERTIES ('{_FIRST}'='running')"
        )
    except PullError as error:
        if _exists(session, asked.target):
            raise _another_pull(asked.target) from error
        raise


def _another_pull(target: str) -> PullError:
    return PullError(
        f"another pull into {target} is running, its first: wait for it. If it was killed, DROP TABLE"
        f" {target}, which has no rows yet, and pull again"
    )


def _exists(session: Session, table: str) -> bool:
    database, _, name = table.partition(".")
    found = session.rows(f"SHOW TABLES IN {database} '{name}'")
    return any(str(row[0]).lower() == name.lower() for row in found)  # `_` stands for any letter.
