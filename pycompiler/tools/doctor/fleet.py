"""The handler tables of a HiveServer2, and what state the index of each is in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import Enum
from typing import Final

from pycompiler.errors import HudiSkipError
from pycompiler.hive.client.session import HiveSession
from pycompiler.hive.client.statements import HANDLER
from pycompiler.index.errors import IndexMissingError, IndexUnavailableError
from pycompiler.index.file_systems.location import Location
from pycompiler.index.index import StatisticsIndex
from pycompiler.table.index_status import status_by_timeline
from pycompiler.table.properties import TableProperties

_AT_ONCE: Final = 8
"""Tables whose storage is asked at the same time."""


class IndexState(Enum):
    """The state of a table's index."""

    CURRENT = "current"
    BEHIND = "behind"
    """Queries always read some files."""
    MISSING = "missing"
    DAMAGED = "damaged"
    """Or written by a newer release: queries read all files."""
    UNREADABLE = "unreadable"
    """The table itself, from here."""


@dataclass(frozen=True, slots=True)
class TableState:
    """A handler table.

    Attributes:
        table: `database.table`.
        location: URI of the table's root.
        detail: How far it is behind, or what is wrong; one line.
    """

    table: str
    location: str
    state: IndexState
    detail: str


def table_states(session: HiveSession, databases: Sequence[str]) -> list[TableState]:
    """Looks at the index of every handler table of some databases; of all if none is named.

    Raises:
        HiveError: There is no such database, or the server does not tell.
    """
    named = databases or [str(row[0]) for row in session.rows("SHOW DATABASES")]
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return list(pool.map(_state, _handler_tables(session, named)))


def _handler_tables(session: HiveSession, databases: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Names and locations."""
    for database in databases:
        for table in session.tables(database):
            found = session.described(table)
            if found["parameters"].get("storage_handler") == HANDLER:
                yield table, found["sd"].get("location") or ""


def _state(found: tuple[str, str]) -> TableState:
    table, location = found
    return TableState(table, location, *_index_state(location))


def _index_state(location: str) -> tuple[IndexState, str]:
    try:
        table = Location.parse(location)
        TableProperties.read(table)
        index = StatisticsIndex.open(location)
        index.check_presence()
        found = status_by_timeline(index, table)
    except IndexMissingError as error:
        return IndexState.MISSING, str(error)
    except IndexUnavailableError as error:
        return IndexState.DAMAGED, f"{error}; run: hudi-skip index build {location}"
    except (HudiSkipError, OSError) as error:
        return IndexState.UNREADABLE, str(error)
    update = f"run: hudi-skip index update {location}"
    if found is None:
        return IndexState.BEHIND, f"commits that it has not seen may be archived; {update}"
    if found.up_to_date:
        return IndexState.CURRENT, f"{found.files} files"
    return IndexState.BEHIND, f"{found.files_not_indexed} of {found.files} files are not in it; {update}"
