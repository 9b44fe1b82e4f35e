"""The demo's queries on Hive, through PyHive and through beeline."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pyhive import hive

from pycompiler.demo.answers import Answer, answer
from pycompiler.hiveserver import HiveServer, HiveServerError, run_beeline
from pycompiler.hiveserver.scans import Scan, read_scans

HANDLER = "io.hudiskip.hive.HudiStorageHandler"


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a query.

    Attributes:
        answer: What it answered.
        seconds: Time until the last row had come.
        scans: What its scans kept, from the server's log.
        transcript: What beeline printed; empty for PyHive.
    """

    answer: Answer
    seconds: float
    scans: Sequence[Scan]
    transcript: str = ""


class HiveSession:
    """A PyHive session on an embedded server."""

    def __init__(self, server: HiveServer) -> None:
        self._server = server
        self._cursor = hive.connect("127.0.0.1", server.port, username="demo").cursor()
        self._runs = 0

    def create_table(self, name: str, path: Path) -> None:
        """Creates a handler table with the columns that the Hudi table has."""
        self._cursor.execute(f"DROP TABLE IF EXISTS {name}")
        self._cursor.execute(f"CREATE EXTERNAL TABLE {name} STORED BY '{HANDLER}' LOCATION '{path.as_uri()}'")

    def run(self, sql: str, *, skipping: bool) -> Run:
        """Runs a query through PyHive."""
        tag = self._next_tag()
        self._cursor.execute(f"SET hudi.skipping.mode={'on' if skipping else 'off'}")
        self._cursor.execute(f"SET hive.query.tag={tag}")
        began = time.monotonic()
        self._cursor.execute(sql)
        rows = self._cursor.fetchall()
        seconds = time.monotonic() - began
        return Run(answer(rows), seconds, read_scans(self._server.log, tag))

    def run_in_beeline(self, sql: str, *, skipping: bool) -> Run:
        """Runs a query through beeline; the time is that of the whole program.

        Raises:
            HiveServerError: Beeline failed; the message is what it printed.
        """
        tag = self._next_tag()
        settings = f"SET hudi.skipping.mode={'on' if skipping else 'off'};\nSET hive.query.tag={tag};\n"
        began = time.monotonic()
        result = run_beeline(self._server.jdbc_url, f"{settings}{sql};")
        seconds = time.monotonic() - began
        if result.exit_code != 0:
            raise HiveServerError(f"beeline failed:\n{result.output}")
        return Run(answer(result.table()), seconds, read_scans(self._server.log, tag), result.output)

    def _next_tag(self) -> str:
        # The log is kept from run to run, so that a tag must not come again.
        self._runs += 1
        return f"demo-{self._server.pid}-{self._server.mark}-{self._runs}"
