"""The lines about a query in the log of a running server."""

from __future__ import annotations

import time
from pathlib import Path

from pycompiler.hiveserver.scans import Scan
from pycompiler.hiveserver.shadow import ShadowCheck

_WAIT_SECONDS = 5.0


class ScanLog:
    """Reads one server's log, by query tag."""

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
            scans = map(Scan.parse, self.since(position).splitlines())
            found = [scan for scan in scans if scan and scan.tag == tag]
            if len(found) >= at_least or time.monotonic() > deadline:
                return found
            time.sleep(0.02)

    def shadow_checks(self, tag: str, position: int) -> list[ShadowCheck]:
        """The checks of shadow mode in the query with this tag, which has to be over."""
        checks = map(ShadowCheck.parse, self.since(position).splitlines())
        return [check for check in checks if check and check.tag == tag]
