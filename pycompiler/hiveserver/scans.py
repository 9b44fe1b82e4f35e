"""The scan log: what each scan of a handler table kept, and why.

The handler writes a line for each scan to the logger `io.hudiskip.scan`: `hudi-skip scan` and `key=value`
pairs, values with blanks in double quotes, with a backslash before double quotes and backslashes in them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_LINE = re.compile(r"hudi-skip scan (?=query=)(.*)$")
_PAIR = re.compile(r'(\w+)=("(?:[^"\\]|\\.)*"|\S*)')


@dataclass(frozen=True, slots=True)
class Scan:
    """One scan of a handler table.

    Attributes:
        query: Hive's query id.
        tag: What the session had set as `hive.query.tag`.
        table: Path of the table.
        files: Base files of the table.
        kept: Base files that were read.
        size: Bytes of all base files.
        kept_size: Bytes of those that were read.
        source: Where the expression came from: `pushed`, `compiled` or `none`.
        expression: The expression that chose the files, as text for people.
        reason: Why nothing was skipped; empty if files were chosen.
        line: The line of the log.
    """

    query: str
    tag: str
    table: str
    files: int
    kept: int
    size: int
    kept_size: int
    source: str
    expression: str
    reason: str
    line: str

    @staticmethod
    def parse(line: str) -> Scan | None:
        """Reads a line of the log; None if it is not about a scan."""
        match = _LINE.search(line)
        if match is None:
            return None
        fields = {key: _unquoted(value) for key, value in _PAIR.findall(match.group(1))}
        return Scan(
            query=fields["query"],
            tag=fields["tag"],
            table=fields["table"],
            files=int(fields["files"]),
            kept=int(fields["kept"]),
            size=int(fields["bytes"]),
            kept_size=int(fields["kept_bytes"]),
            source=fields["source"],
            expression=fields.get("expression", ""),
            reason=fields.get("reason", ""),
            line=line.strip(),
        )


def read_scans(log: Path, tag: str) -> list[Scan]:
    """Returns the scans in a server's log that ran under a query tag, in their order."""
    with log.open(encoding="utf-8", errors="replace") as lines:
        return [scan for line in lines if (scan := Scan.parse(line)) is not None and scan.tag == tag]


def _unquoted(value: str) -> str:
    return re.sub(r"\\(.)", r"\1", value[1:-1]) if value.startswith('"') else value
