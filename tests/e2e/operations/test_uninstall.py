"""The handler's jar was removed while Hive still has a table of it."""

import os
from collections.abc import Mapping
from pathlib import Path

import pytest
from pyhive.exc import Error

from pycompiler.hive.server import HiveServer
from pycompiler.hive.server.runtime import server_class_path
from pycompiler.installation import HANDLER, built

from ...jvm import JVM_OF_TESTS
from ..harness.lake import Lake
from ..harness.servers import ServedHive

WITHOUT_GUARD = {"hive.semantic.analyzer.hook": ","}
"""No hook: Hadoop ignores an empty value, and Hive takes a blank for the name of a class."""
STATEMENTS = (
    "DROP TABLE left_over",
    "DESCRIBE left_over",
    "ALTER TABLE left_over UNSET TBLPROPERTIES ('storage_handler')",
)


@pytest.mark.usefixtures("needs_server")
def test_a_session_that_adds_the_jar_can_drop_what_was_left(
    lake: Lake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = lake.copy("customers")
    files = sorted(path.rglob("*"))
    with _server(tmp_path) as server, ServedHive(server).connect() as session:
        session.create_table(path, name="left_over")
    _remove_the_jar(monkeypatch)
    with _server(tmp_path) as server, pytest.raises(Error, match="Error running query"):
        ServedHive(server).connect()
    assert "ClassNotFoundException: io.hudiskip.hive.HudiTableGuard" in server.log.read_text("utf-8")
    with _server(tmp_path, WITHOUT_GUARD) as server, ServedHive(server).connect() as session:
        for statement in STATEMENTS:
            session.assert_refused(statement, "Error in loading storage handler.*HudiStorageHandler")
        session.rows(f"ADD JAR {built(HANDLER)}")
        session.rows("DROP TABLE left_over")
        assert session.rows("SHOW TABLES") == []
    assert sorted(path.rglob("*")) == files, "no data is deleted"


def _server(home: Path, conf: Mapping[str, str] | None = None) -> HiveServer:
    return HiveServer.start(home, heap="1g", daemon_heap="1g", jvm_options=JVM_OF_TESTS, extra_conf=conf)


def _remove_the_jar(monkeypatch: pytest.MonkeyPatch) -> None:
    jars = [jar for jar in server_class_path().split(os.pathsep) if jar != str(built(HANDLER))]
    monkeypatch.setattr("pycompiler.hive.server.server.server_class_path", lambda _: os.pathsep.join(jars))
