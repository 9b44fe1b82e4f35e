"""The scan log lines of the server: what each scan of a handler table kept, and why."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from pathlib import Path

_LINE = re.compile(r"hudi-skip scan (?=query=)(.*)$")
_PAIR = re.compile(r'(\w+)=("(?:[^"\\]|\\.)*"|\S*)')
_WAIT_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Scan:
    """One scan of a handler table, from one log line; numbers of files, bytes and milliseconds."""

    tag: str
    table: str
    files: int
    kept: int
    source: str
    reason: str
    expression: str
    line: str

    @property
    def skipped(self) -> int:
        """How many files the scan left out."""
        return self.files - self.kept


def parse(line: str) -> Scan | None:
    """The scan that a log line tells of, or None for any other line."""
    match = _LINE.search(line)
    if match is None:
        return None
    fields = {key: _unquoted(value) for key, value in _PAIR.findall(match.group(1))}
    return Scan(
        tag=fields["tag"],
        table=fields["table"],
        files=int(fields["files"]),
        kept=int(fields["kept"]),
        source=fields.get("source", ""),
        reason=fields.get("reason", ""),
        expression=fields.get("expression", ""),
        line=line.strip(),
    )


def _unquoted(value: str) -> str:
    if not value.startswith('"'):
        return value
    return re.sub(r"\\(.)", r"\1", value[1:-1])


class ScanLog:
    """Reads the scan lines of one server's log, by query tag."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def text(self) -> str:
        """The whole log."""
        return self._path.read_text(encoding="utf-8", errors="replace")

    def position(self) -> int:
        """The length of the log in bytes, to read from later."""
        return self._path.stat().st_size

    def since(self, position: int) -> str:
        """What was logged after `position`."""
        with self._path.open("rb") as log:
            log.seek(position)
            return log.read().decode("utf-8", errors="replace")

    def scans(self, tag: str, position: int, *, at_least: int = 1) -> list[Scan]:
        """The scans of the query with this tag; waits some seconds for the first `at_least` of them."""
        deadline = time.monotonic() + _WAIT_SECONDS
        while True:
            found = [
                scan for scan in map(parse, self.since(position).splitlines()) if scan and scan.tag == tag
            ]
            if len(found) >= at_least or time.monotonic() > deadline:
                return found
            time.sleep(0.02)
