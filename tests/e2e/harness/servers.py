"""How the servers and the Spark session of the tests are set up."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from pycompiler.hive.server import HiveServer

from ...jvm import JVM_OF_TESTS
from ..tables import PADDED
from .session import ServerSession, Session

FAR_ZONE = "Pacific/Auckland"
"""Zone of the second server: 13 or 12 hours ahead of UTC, in which the first one and Spark are."""

DECLARED_COLUMNS = {PADDED.name: "id int, c char(5), v varchar(5)"}
"""Tables that are created with a column list; the others take their columns from Hudi."""

PATIENCE = {
    "hudi.skipping.compiler.timeout.ms": "20000",
}
"""Deadlines for a busy machine; the tests of deadlines set their own."""

SERVER_SETTINGS = {
    **PATIENCE,
    # Also on MapReduce, which an embedded server refuses: it runs in the server's own process, where only one
    # query at a time is right. The tests that use it run theirs one by one.
    "hive.conf.restricted.list": "hive.execution.mode,hive.llap.execution.mode",
    # How often MapReduce is asked whether it is done, in ms: by default after a second.
    "hive.exec.counters.pull.interval": "50",
}
"""Settings of the servers of the tests."""

UNKNOWN_SETTING = "hudi.skipping.of.a.newer.release"
"""In the second server's `hive-site.xml`."""

SPARK_SETTINGS = {
    # Days before 1582 are written as they are, not refused.
    "spark.sql.parquet.datetimeRebaseModeInWrite": "CORRECTED",
    "spark.sql.parquet.datetimeRebaseModeInRead": "CORRECTED",
}


class Hive(Protocol):
    """Where tests run their queries."""

    @property
    def log(self) -> Path:
        """The log with a line for each scan."""

    @property
    def connect(self) -> Callable[[], Session]:
        """Opens a session."""


@dataclass(frozen=True, slots=True)
class ServedHive:
    """A running HiveServer2."""

    server: HiveServer

    @property
    def log(self) -> Path:
        """The log with a line for each scan."""
        return self.server.log

    def connect(self) -> Session:
        """Opens a session."""
        host, _, port = self.server.address.partition(":")
        return ServerSession(host, int(port))


@contextmanager
def running_server(
    home: Path, conf: Mapping[str, str], *, zone: str = "UTC", **more: Any
) -> Iterator[HiveServer]:
    """Starts a server with these settings and arguments of `HiveServer.start`, and kills it at the end.

    It would end by itself only after ten seconds.
    """
    options = (f"-Duser.timezone={zone}", *JVM_OF_TESTS)
    sizes = {"heap": "1g", "daemon_heap": "1g"}
    server = HiveServer.start(home, jvm_options=options, extra_conf=conf, **{**sizes, **more})
    try:
        yield server
    finally:
        server.stop(grace_seconds=0)
