"""Sessions over Hive's JDBC driver, which logs in with the tickets of a user."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pyspark
import pytest
from py4j.java_gateway import JavaGateway  # type: ignore[import-untyped]
from py4j.protocol import Py4JJavaError  # type: ignore[import-untyped]

from pycompiler.hive.server.runtime import class_path
from pycompiler.installation import JVM_OPTIONS, find_java

from ..e2e.harness.session import QueryFailed, Session
from ..jvm import JVM_OF_TESTS
from .hdfs import Hdfs
from .kdc import Kdc

_QUIET_SECONDS: Final = 0.5


class JdbcSession(Session):
    """One session of one user. Not for several threads at once.

    Args:
        jvm: The JVM with the driver, as py4j shows it.
        url: What the driver connects to.

    Raises:
        QueryFailed: The server, or the Kerberos server, refuses the user.
    """

    def __init__(self, jvm: Any, url: str) -> None:
        super().__init__()
        try:
            self._jdbc = jvm.java.sql.DriverManager.getConnection(url)
        except Py4JJavaError as error:
            raise QueryFailed(_causes(error)) from error

    def close(self) -> None:
        self._jdbc.close()

    def _rows(self, statement: str) -> list[tuple[Any, ...]]:
        running = self._jdbc.createStatement()
        try:
            return _rows(running, statement)
        except Py4JJavaError as error:
            raise QueryFailed(_causes(error)) from error
        finally:
            running.close()

    def _messages(self, statement: str) -> list[str]:
        running = self._jdbc.createStatement()
        try:
            _rows(running, statement)
            found: list[str] = []
            quiet_since = time.monotonic()
            while time.monotonic() - quiet_since < _QUIET_SECONDS:  # the server logs asynchronously
                if lines := list(running.getQueryLog()):
                    found += lines
                    quiet_since = time.monotonic()
            return found
        except Py4JJavaError as error:
            raise QueryFailed(_causes(error)) from error
        finally:
            running.close()


@contextmanager
def jdbc_driver(kdc: Kdc, hdfs: Hdfs, tickets: Path, home: Path) -> Iterator[Any]:
    """Starts a JVM with Hive's driver, and kills it at the end; yields it as py4j shows it.

    Args:
        kdc: The Kerberos server.
        hdfs: Whose configuration says that services ask for tickets.
        tickets: The cache with the user's tickets: a JVM logs in once.
        home: Where its output goes.
    """
    (gateway_jar,) = (Path(pyspark.__file__).parent / "jars").glob("py4j-*.jar")
    with pytest.MonkeyPatch.context() as environment, (home / "jdbc.log").open("ab") as log:
        for name, value in kdc.environment(tickets).items():
            environment.setenv(name, value)
        gateway = JavaGateway.launch_gateway(
            classpath=os.pathsep.join((str(hdfs.conf), str(gateway_jar), class_path("beeline"))),
            jarpath=str(gateway_jar),
            javaopts=["-Xmx256m", *JVM_OF_TESTS, *JVM_OPTIONS],
            java_path=str(find_java()),
            die_on_exit=True,
            redirect_stderr=log,
        )
    process: subprocess.Popen[bytes] = gateway.java_process
    try:
        gateway.jvm.java.lang.Class.forName("org.apache.hive.jdbc.HiveDriver")
        yield gateway.jvm
    finally:
        gateway.shutdown()
        process.kill()
        process.wait()


def _rows(running: Any, statement: str) -> list[tuple[Any, ...]]:
    if not running.execute(statement):
        return []
    result = running.getResultSet()
    columns = range(1, result.getMetaData().getColumnCount() + 1)
    rows = []
    while result.next():
        rows.append(tuple(result.getObject(column) for column in columns))
    return rows


def _causes(error: Py4JJavaError) -> str:
    """The messages of an exception and its causes."""
    found = []
    cause = error.java_exception
    while cause is not None:
        found.append(str(cause.getMessage()))
        cause = cause.getCause()
    return "\n".join(found)
