from pathlib import Path
from xml.etree import ElementTree

import pytest

from pycompiler.hive.server.configuration import DaemonSettings, write_configuration

DAEMON = DaemonSettings(
    executors=3,
    memory_mb=1000,
    rpc_port=1001,
    management_port=1002,
    shuffle_port=1003,
    output_port=1004,
    web_port=1005,
)


def settings(file: Path) -> dict[str, str]:
    """Reads a Hadoop configuration file: of two properties of one name the later wins."""
    return {
        property.findtext("name", ""): property.findtext("value", "")
        for property in ElementTree.parse(file).getroot().iter("property")
    }


@pytest.fixture
def conf(tmp_path: Path) -> Path:
    return write_configuration(tmp_path, 12345, DAEMON, {})


@pytest.fixture
def hive_site(conf: Path) -> dict[str, str]:
    return settings(conf / "hive-site.xml")


@pytest.mark.parametrize("name", ["plain", "with blanks", "a&b<c>"])
def test_everything_that_hive_writes_is_under_the_home(tmp_path: Path, name: str) -> None:
    home = tmp_path / name
    conf = write_configuration(home, 12345, DAEMON, {})
    for file in conf.glob("*.xml"):
        for key, value in settings(file).items():
            if key.endswith((".dir", "dir", ".location", ".directory")) or "derby" in value:
                assert str(home) in value, f"{file.name}: {key} is {value}"
    assert f"= {home}/logs/hiveserver.log\n" in (conf / "hive-log4j2.properties").read_text()


def test_the_server_listens_on_loopback_only(hive_site: dict[str, str]) -> None:
    assert hive_site["hive.server2.thrift.bind.host"] == "127.0.0.1"
    assert hive_site["hive.server2.thrift.port"] == "12345"


def test_extra_settings_win(tmp_path: Path) -> None:
    extra = {"hive.exec.reducers.max": "1", "hudi.skipping.mode": "off", "odd": "<&>"}
    values = settings(write_configuration(tmp_path, 1, DAEMON, extra) / "hive-site.xml")
    assert {name: values[name] for name in extra} == extra


def test_local_fetch_is_on_because_without_it_queries_answer_with_no_rows(conf: Path) -> None:
    assert settings(conf / "tez-site.xml")["tez.runtime.optimize.local.fetch"] == "true"


def test_server_and_daemon_agree_on_the_ports(hive_site: dict[str, str]) -> None:
    names = ("daemon.rpc", "management.rpc", "daemon.yarn.shuffle", "daemon.output.service", "daemon.web")
    ports = [hive_site[f"hive.llap.{name}.port"] for name in names]
    assert ports == ["1001", "1002", "1003", "1004", "1005"]
    assert hive_site["hive.llap.daemon.num.executors"] == "3"


def test_tasks_run_in_the_daemon_alone_and_no_session_can_change_that(hive_site: dict[str, str]) -> None:
    assert (hive_site["hive.execution.mode"], hive_site["hive.llap.execution.mode"]) == ("llap", "only")
    restricted = hive_site["hive.conf.restricted.list"].split(",")
    assert {"hive.execution.engine", "hive.execution.mode", "hive.llap.execution.mode"} <= set(restricted)


def test_the_daemon_takes_tasks_from_this_machine_alone(conf: Path) -> None:
    values = settings(conf / "llap-daemon-site.xml")
    assert values["hadoop.security.authorization"] == "true"
    assert "127.0.0.0/8" in values["hive.llap.daemon.acl.hosts"].split(",")
    assert values["hive.llap.management.acl.hosts"] == values["hive.llap.daemon.acl.hosts"]
