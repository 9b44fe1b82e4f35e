"""Runs the demo's queries on Hive, through PyHive and beeline."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pyhive import hive

from examples.demo.answers import Answer, answer
from examples.demo.cpu import cpu_seconds
from pycompiler.hive.client.statements import HANDLER
from pycompiler.hive.server import HiveServer, HiveServerError, run_beeline
from pycompiler.tools.scan_log.scans import Scan, read_scans


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a query.

    Attributes:
        seconds: Time until the last row arrived.
        cpu_seconds: CPU time that the server's processes used meanwhile.
        scans: What its scans kept, from the server's log.
        transcript: What beeline printed; empty for PyHive.
    """

    answer: Answer
    seconds: float
    cpu_seconds: float
    scans: Sequence[Scan]
    transcript: str = ""


class HiveSession:
    """A PyHive session on an embedded server."""

    def __init__(self, server: HiveServer) -> None:
        self._server = server
        self._processes = server.pids
        self._cursor = hive.connect("127.0.0.1", server.port, username="demo").cursor()
        self._runs = 0

    def set(self, settings: Mapping[str, str]) -> None:
        """Changes settings for later queries of the session."""
        for name, value in settings.items():
            self._cursor.execute(f"SET {name}={value}")

    def use(self, database: str) -> None:
        """Switches to a database, creating it if necessary."""
        self._cursor.execute(f"CREATE DATABASE IF NOT EXISTS {database}")
        self._cursor.execute(f"USE {database}")

    def create_table(self, name: str, path: Path) -> None:
        """Creates a handler table with the Hudi table's columns."""
        self._create(name, f"STORED BY '{HANDLER}'", path)

    def create_parquet_table(self, name: str, path: Path, columns: str) -> None:
        """Creates a native Parquet table over a folder of files."""
        self._create(f"{name} ({columns})", "STORED AS PARQUET", path)
        # Otherwise Hive computes the table's size on each compilation, file by file.
        self._cursor.execute(f"ANALYZE TABLE {name} COMPUTE STATISTICS NOSCAN")

    def columns_of(self, table: str) -> str:
        """The columns of a table in CREATE TABLE syntax."""
        self._cursor.execute(f"DESCRIBE {table}")
        return ", ".join(f"`{name}` {kind}" for name, kind, _ in self._cursor.fetchall())

    def run(self, sql: str, *, skipping: bool) -> Run:
        """Runs a query through PyHive."""
        tag = self._next_tag()
        self._cursor.execute(f"SET hudi.skipping.mode={'on' if skipping else 'off'}")
        self._cursor.execute(f"SET hive.query.tag={tag}")
        began, busy = time.monotonic(), cpu_seconds(self._processes)
        self._cursor.execute(sql)
        rows = self._cursor.fetchall()
        seconds, busy = time.monotonic() - began, cpu_seconds(self._processes) - busy
        return Run(answer(rows), seconds, busy, read_scans(self._server.log, tag))

    def run_in_beeline(self, sql: str, *, skipping: bool) -> Run:
        """Runs a query through beeline; times the whole program, but CPU time is the server's.

        Raises:
            HiveServerError: Beeline failed; the message is its output.
        """
        tag = self._next_tag()
        settings = f"SET hudi.skipping.mode={'on' if skipping else 'off'};\nSET hive.query.tag={tag};\n"
        began, busy = time.monotonic(), cpu_seconds(self._processes)
        result = run_beeline(self._server.jdbc_url, f"{settings}{sql};")
        seconds, busy = time.monotonic() - began, cpu_seconds(self._processes) - busy
        if result.exit_code != 0:
            raise HiveServerError(f"beeline failed:\n{result.output}")
        rows = answer(result.table())
        return Run(rows, seconds, busy, read_scans(self._server.log, tag), result.output)

    def _create(self, name: str, kind: str, path: Path) -> None:
        self._cursor.execute(f"DROP TABLE IF EXISTS {name.partition(' ')[0]}")
        self._cursor.execute(f"CREATE EXTERNAL TABLE {name} {kind} LOCATION '{path.as_uri()}'")

    def _next_tag(self) -> str:
        # The log persists across runs, so tags must be unique.
        self._runs += 1
        return f"demo-{self._server.pid}-{self._server.server.mark}-{self._runs}"
