"""What the launcher says when it cannot start a server. Real starts are among the end-to-end tests."""

import json
import os
import socket
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest

from pycompiler.hive.server import HiveServer, HiveServerError
from pycompiler.hive.server.process import ProcessId
from pycompiler.installation import NotInstalledError


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installation whose class paths lead nowhere."""
    home = tmp_path / "installation"
    hive = home / "build" / "hive"
    hive.mkdir(parents=True)
    for name in ("hiveserver.classpath", "hive-handler-bundle.jar", "embedded-hiveserver.jar"):
        (hive / name).write_text("nowhere.jar\n")
    monkeypatch.setenv("HUDI_SKIP_HOME", str(home))
    return home


def test_what_is_not_set_up_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HUDI_SKIP_HOME", str(tmp_path))
    with pytest.raises(NotInstalledError, match="hive-handler-bundle.jar is missing; run `make setup`"):
        HiveServer.start(tmp_path / "hive")


def test_a_java_home_without_java_is_named(
    installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "no-jdk"))
    with pytest.raises(NotInstalledError, match="no-jdk/bin/java is missing; set JAVA_HOME"):
        HiveServer.start(tmp_path / "hive")


def test_no_java_at_all_is_said(installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NotInstalledError, match="no java found; install JDK 17"):
        HiveServer.start(tmp_path / "hive")


def test_a_server_that_dies_shows_its_last_words(installed: Path, tmp_path: Path) -> None:
    with pytest.raises(
        HiveServerError, match=r"(?s)ended with exit code 1.*hiveserver\.out.*llap-daemon\.out"
    ):
        HiveServer.start(tmp_path / "hive", timeout=60)
    assert HiveServer.find(tmp_path / "hive") is None


def test_a_taken_port_is_named(installed: Path, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(HiveServerError, match=f"port {port} of 127.0.0.1 cannot be used"):
            HiveServer.start(tmp_path / "hive", port)


def test_stopping_where_nothing_runs_does_nothing(tmp_path: Path) -> None:
    assert not HiveServer.stop_home(tmp_path).was_running


def test_a_process_that_got_the_recorded_id_later_is_not_stopped(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        stranger = {"pid": other.pid, "mark": "of an earlier boot"}
        record = {"host": "127.0.0.1", "port": 1, "server": stranger, "daemon": stranger}
        (tmp_path / "hiveserver.json").write_text(json.dumps(record))
        assert not HiveServer.stop_home(tmp_path).was_running
        assert other.poll() is None, "a process that is not ours was ended"


@pytest.mark.parametrize("record", ["", "{}", '{"port": 1, "server": {"pid": "x"}}', "[]", "null"])
def test_an_unreadable_record_is_no_server(tmp_path: Path, record: str) -> None:
    (tmp_path / "hiveserver.json").write_text(record)
    assert HiveServer.find(tmp_path) is None


def test_the_environment_of_another_hive_is_not_passed_on(
    installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    java = tmp_path / "jdk" / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text("#!/bin/sh\nenv\n")
    java.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "jdk"))
    monkeypatch.setenv("HADOOP_CONF_DIR", "/etc/hadoop")
    with pytest.raises(HiveServerError):
        HiveServer.start(tmp_path / "hive")
    # Whichever ended first has printed everything; the other may have been stopped before it could.
    printed = "".join(log.read_text() for log in (tmp_path / "hive" / "logs").glob("*.out"))
    assert f"PATH={os.environ['PATH']}" in printed
    assert "HADOOP_CONF_DIR" not in printed


def test_a_daemon_that_was_left_behind_is_stopped(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as left:
        gone = {"pid": left.pid, "mark": "of a server that was killed"}
        record = {"host": "127.0.0.1", "port": 1, "server": gone, "daemon": asdict(ProcessId.of(left))}
        (tmp_path / "hiveserver.json").write_text(json.dumps(record))
        assert HiveServer.stop_home(tmp_path).was_running
        assert left.wait(10) != 0, "it should have been ended by a signal"


@pytest.mark.parametrize("heap", ["", "2", "2t", "-1g"])
def test_a_heap_that_is_no_size_is_refused(installed: Path, tmp_path: Path, heap: str) -> None:
    with pytest.raises(HiveServerError, match="is not a heap size; use a format such as 2g"):
        HiveServer.start(tmp_path / "hive", daemon_heap=heap)
