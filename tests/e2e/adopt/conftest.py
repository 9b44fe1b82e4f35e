"""A HiveServer2 with a metastore in a process of its own, in which Hudi's hive-sync registers tables."""

import itertools
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession
from typer.testing import CliRunner, Result

from pycompiler.tools.cli.main import app

from ..harness.check import Checker
from ..harness.hive_sync import HiveSync, running_hive_sync, running_metastore
from ..harness.hudi_writer import HudiWriter
from ..harness.scans import ScanLog
from ..harness.servers import PATIENCE, ServedHive, running_server
from ..harness.session import Session

DATABASE = "lake"
NATIVE_READER = {
    "hoodie.file.group.reader.enabled": "false",
    "hive.fetch.task.conversion": "more",
    "hive.vectorized.execution.enabled": "false",
}
"""With which Hudi's input formats read what hive-sync has registered."""
MERGE_ON_READ = {"hoodie.datasource.write.table.type": "MERGE_ON_READ"}
_NUMBERS = itertools.count(1)


@dataclass(frozen=True, slots=True)
class SyncedTable:
    """A Hudi table of four rows, `id` and `n` equal, that hive-sync has registered as `lake.<name>`."""

    writer: HudiWriter
    sync: HiveSync
    name: str

    @property
    def path(self) -> Path:
        return self.writer.path

    def write(self, ids: Sequence[int], n: str = "id", more: str = "") -> None:
        """Writes rows; keys below 100 are in `east`."""
        numbers = ", ".join(f"({number})" for number in ids)
        rows = self.writer.spark.sql(
            f"select id, cast({n} as bigint) n, if(id < 100, 'east', 'west') grp{more}"
            f" from values {numbers} as t(id)"
        )
        self.writer.write(rows.coalesce(1))

    def register(self, *options: str, name: str | None = None) -> str:
        """Runs hive-sync; returns what it prints if it fails."""
        return self.sync.run(self.path, name or self.name, *options)


@dataclass(frozen=True, slots=True)
class Lake:
    """What the tests here work on."""

    spark: SparkSession
    root: Path
    sync: HiveSync
    session: Session
    check: Checker
    address: str

    def table(self, *register: str, options: dict[str, str] | None = None, more: str = "") -> SyncedTable:
        """A new table."""
        name = f"t{next(_NUMBERS)}x"
        table = SyncedTable(HudiWriter(self.spark, self.root / name, options or {}), self.sync, name)
        table.write([1, 2, 101, 102], more=more)
        assert not table.register(*register)
        return table

    def command(self, *arguments: str) -> Result:
        """Runs `hudi-skip adopt`."""
        return CliRunner().invoke(app, ["adopt", "--hive", self.address, *arguments])

    def adopt(self, *arguments: str) -> Any:
        """Runs `hudi-skip adopt`, which must succeed; returns its JSON output."""
        done = self.command(*arguments, "--json")
        assert done.exit_code == 0, f"{arguments}: {done.stdout}\n{done.stderr}"
        return json.loads(done.stdout)

    def refusal(self, *arguments: str) -> str:
        """Runs `hudi-skip adopt`, which must fail; returns its message."""
        done = self.command(*arguments)
        assert done.exit_code == 1, f"{arguments}: {done.stdout}\n{done.stderr}"
        return done.stderr

    def tables(self, prefix: str) -> list[str]:
        """Tables and views whose names begin like this."""
        names = (str(row[0]) for row in self.session.rows(f"show tables in {DATABASE}"))
        return sorted(name for name in names if name.startswith(prefix))

    def ids(self, table: str, where: str = "true") -> list[tuple[int, int]]:
        """Key and ordering value of a table's rows."""
        return sorted(self.session.rows(f"select id, n from {DATABASE}.{table} where {where}"))


@pytest.fixture(scope="package")
def synced(root: Path, spark: SparkSession) -> Iterator[Lake]:
    home = root / "metastore"
    with running_metastore(home) as metastore, running_hive_sync(home, metastore, DATABASE) as sync:
        settings = {**PATIENCE, "hive.metastore.uris": metastore}
        with (
            running_server(root / "adopting", settings) as server,
            ServedHive(server).connect() as session,
        ):
            session.rows(f"create database {DATABASE}")
            check = Checker(session, ScanLog(server.log), spark)
            yield Lake(spark, root / "synced", sync, session, check, server.address)
