"""Queries in a HiveServer2 of the benchmark's own: how long they take, and what their scans open."""

import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pyhive import hive

from pycompiler.hive.server import HiveServer
from pycompiler.tools.scan_log.scans import Scan

from ..e2e.harness.scans import ScanLog
from ..e2e.harness.servers import PATIENCE

_TAG: Final = "bench"


@dataclass(frozen=True)
class Asked:
    """A query's answer.

    Attributes:
        seconds: Until the last row arrived.
        scans: Scans of the handler's tables; none if HiveServer2 answered without a job.
    """

    rows: list[tuple[object, ...]]
    seconds: float
    scans: tuple[Scan, ...]

    @property
    def opened(self) -> int:
        """The number of files that were opened."""
        return sum(scan.kept for scan in self.scans)


@dataclass(frozen=True)
class Hive:
    """A session in a server that runs."""

    connection: hive.Connection
    log: ScanLog

    def execute(self, statement: str) -> list[tuple[object, ...]]:
        """Runs a statement."""
        with closing(self.connection.cursor()) as cursor:
            cursor.execute(statement)
            return list(cursor.fetchall()) if cursor.description else []

    def set(self, settings: Mapping[str, str]) -> None:
        """Changes settings of the session."""
        for name, value in settings.items():
            self.execute(f"SET {name}={value}")

    def ask(self, query: str, *, scans: int = 1) -> Asked:
        """Times a query.

        Args:
            scans: The least number of scans of the handler's tables.

        Raises:
            AssertionError: The log has fewer scans, and no answer of HiveServer2 without a job.
        """
        position = self.log.position()
        start = time.perf_counter()
        rows = self.execute(query)
        seconds = time.perf_counter() - start
        if scans == 0 or self._is_counted(position):
            return Asked(rows, seconds, ())
        found = self.log.scans(_TAG, position, at_least=scans)
        if len(found) < scans:
            raise AssertionError(f"{len(found)} scans in the log, expected {scans}: {query}")
        return Asked(rows, seconds, tuple(found))

    def _is_counted(self, position: int) -> bool:
        """Whether HiveServer2 counted the rows without a scan."""
        return "hudi-skip count " in self.log.since(position)


@contextmanager
def hive_session() -> Iterator[Hive]:
    """Opens a session in a server, and ends both."""
    with tempfile.TemporaryDirectory() as home, HiveServer.start(Path(home)) as server:
        host, _, port = server.address.partition(":")
        settings = {"hive.query.tag": _TAG, "hive.fetch.task.conversion": "none", **PATIENCE}
        with closing(hive.connect(host, int(port), configuration=settings)) as connection:
            yield Hive(connection, ScanLog(server.log))
