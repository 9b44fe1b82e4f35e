"""The scan log, logger `io.hudiskip.scan`: what each scan of a handler table kept, and why."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, fields
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from pycompiler.index.file_systems.location import Location
from pycompiler.tools.scan_log.lines import fields_about

_LOGGED: Final = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)")
"""The time before the message, as Hive's and Tez's logs write it unless they are configured otherwise."""
_IN_ID: Final = re.compile(r"_(\d{14})_")
"""The time in the ids that Hive gives to queries."""
_NAMES: Final = {"size": "bytes", "kept_size": "kept_bytes", "not_indexed_size": "not_indexed_bytes"}
"""What the log and `Scan.document` call some of the attributes."""
_SHOWN: Final = (
    *("query", "tag", "table", "files", "kept", "size", "kept_size", "source", "expression", "reason"),
    *("mode", "not_indexed", "not_indexed_size", "commits_behind", "covered", "joins"),
)
"""The attributes in `Scan.document`."""


@dataclass(frozen=True, slots=True)
class Scan:
    """One scan of a handler table.

    Attributes:
        query: Hive's query id.
        tag: The session's `hive.query.tag`.
        table: Path of the table, or its URI if it is not on a local file system.
        files: Base files of the table.
        kept: Base files that were read; in shadow mode, that would have been read.
        size: Bytes of all base files.
        kept_size: Bytes of the kept ones.
        source: Source of the expression: `pushed`, `compiled`, `joins` (values of joins alone), `topk` (the
            first rows in an order) or `none`; `partitions` if only paths of partitions chose files.
        expression: The expression that chose the files, as text.
        reason: Why nothing was skipped; empty if files were chosen.
        line: The log line.
        mode: `shadow` if all files were read to check the skipped ones; else empty.
        dynamic_terms: Number of terms omitted because their values are known only at run time.
        listing: Source of the files: `index`, or `files` and why; empty if nothing was chosen.
        not_indexed: File slices that the index lacks, which are always read; 0 if no index was used.
        not_indexed_size: Bytes of these.
        commits_behind: Completed commits that the index has not seen.
        covered: Base files that were not read, because every row matches and the query only counts rows.
        covered_rows: The rows of these.
        joins: What joins were to send to the scan, what arrived, and why others sent nothing; empty if there
            is nothing to say.
    """

    query: str
    tag: str
    table: str
    files: int
    kept: int
    size: int
    kept_size: int
    source: str
    expression: str = ""
    reason: str = ""
    line: str = ""
    mode: str = ""
    dynamic_terms: int = 0
    listing: str = ""
    not_indexed: int = 0
    not_indexed_size: int = 0
    commits_behind: int = 0
    covered: int = 0
    covered_rows: int = 0
    joins: str = ""

    @property
    def time(self) -> datetime | None:
        """When the line was logged, or else when the query began, in the server's zone; None if unknown."""
        logged = _LOGGED.match(self.line)
        try:
            if logged is not None:
                return datetime.fromisoformat(f"{logged[1]} {logged[2]}")
            began = _IN_ID.search(self.query)
            return None if began is None else datetime.strptime(began[1], "%Y%m%d%H%M%S")
        except ValueError:
            return None

    def is_of(self, table: Location) -> bool:
        """Whether it scanned a table; a path without the name of its server may be on any."""
        one = Location.parse(self.table)
        return (one.scheme, one.path) == (table.scheme, table.path) and (
            one.authority == table.authority or not one.authority or not table.authority
        )

    def document(self) -> dict[str, str | int]:
        """What `hudi-skip scans --json` shows of it."""
        return {_NAMES.get(name, name): getattr(self, name) for name in _SHOWN}

    @staticmethod
    def parse(line: str) -> Scan | None:
        """Parses a log line; None if it is not about a scan."""
        found = fields_about("scan", line)
        if found is None:
            return None
        values: dict[str, Any] = {"line": line.strip()}
        for field in fields(Scan):
            if (value := found.get(_NAMES.get(field.name, field.name))) is not None:
                values[field.name] = int(value) if field.type == "int" else value
        return Scan(**values)


def scans_in(
    lines: Iterable[str], *, tag: str | None = None, query: str | None = None, last: int | None = None
) -> list[Scan]:
    """The scans in lines of a log, in order.

    Args:
        lines: The log, including unrelated lines.
        tag: Only scans with this query tag.
        query: Only scans of the query with this id.
        last: Only this many of the latest scans.
    """
    found = (
        scan
        for line in lines
        if (scan := Scan.parse(line)) is not None
        and (tag is None or scan.tag == tag)
        and (query is None or scan.query == query)
    )
    return list(deque(found, maxlen=last))


def read_scans(log: str | Path, tag: str | None = None, query: str | None = None) -> list[Scan]:
    """The scans in a server's log, chosen as by `scans_in`."""
    with open(log, encoding="utf-8", errors="replace") as lines:
        return scans_in(lines, tag=tag, query=query)
