"""The lines about a query in the log of a running server."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from pycompiler.tools.scan_log.scans import Scan

from .shadow import ShadowCheck

_WAIT_SECONDS = 5.0
_Line = TypeVar("_Line", Scan, ShadowCheck)


class ScanLog:
    """Reads one server's log, by query tag."""

    def __init__(self, path: Path) -> None:
        self._path = path

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
        return self._await(lambda line: _of(tag, Scan.parse(line)), position, at_least)

    def shadow_checks(self, tag: str, position: int, *, at_least: int) -> list[ShadowCheck]:
        """The checks of shadow mode in the query with this tag; waits as `scans` does."""
        return self._await(lambda line: _of(tag, ShadowCheck.parse(line)), position, at_least)

    def _await(self, parse: Callable[[str], _Line | None], position: int, at_least: int) -> list[_Line]:
        # A server with its own settings logs behind the query's back, and the last line may be half written.
        deadline = time.monotonic() + _WAIT_SECONDS
        while True:
            whole_lines = self.since(position).rpartition("\n")[0].splitlines()
            found = [item for line in whole_lines if (item := parse(line))]
            if len(found) >= at_least or time.monotonic() > deadline:
                return found
            time.sleep(0.02)


def _of(tag: str, line: _Line | None) -> _Line | None:
    return line if line is not None and line.tag == tag else None
