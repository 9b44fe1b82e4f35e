from pathlib import Path
from xml.etree import ElementTree

import pytest

from pycompiler.hiveserver.configuration import write_configuration


def settings(file: Path) -> dict[str, str]:
    """Reads a Hadoop configuration file: of two properties of one name the later wins."""
    return {
        property.findtext("name", ""): property.findtext("value", "")
        for property in ElementTree.parse(file).getroot().iter("property")
    }


@pytest.mark.parametrize("name", ["plain", "with blanks", "a&b<c>"])
def test_everything_that_hive_writes_is_under_the_home(tmp_path: Path, name: str) -> None:
    home = tmp_path / name
    conf = write_configuration(home, 12345, {})
    for file in conf.glob("*.xml"):
        for key, value in settings(file).items():
            if key.endswith((".dir", "dir", ".location", ".directory")) or "derby" in value:
                assert str(home) in value, f"{file.name}: {key} is {value}"


def test_the_server_listens_on_loopback_only(tmp_path: Path) -> None:
    values = settings(write_configuration(tmp_path, 12345, {}) / "hive-site.xml")
    assert values["hive.server2.thrift.bind.host"] == "127.0.0.1"
    assert values["hive.server2.thrift.port"] == "12345"


def test_extra_settings_win(tmp_path: Path) -> None:
    extra = {"hive.execution.engine": "mr", "hudi.skipping.mode": "off", "odd": "<&>"}
    values = settings(write_configuration(tmp_path, 1, extra) / "hive-site.xml")
    assert {name: values[name] for name in extra} == extra


def test_local_fetch_is_on_because_without_it_queries_answer_with_no_rows(tmp_path: Path) -> None:
    values = settings(write_configuration(tmp_path, 1, {}) / "tez-site.xml")
    assert values["tez.runtime.optimize.local.fetch"] == "true"
