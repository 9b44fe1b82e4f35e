"""The configuration files of an embedded server, all in its own directory."""

from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from string import Template
from xml.sax.saxutils import escape

from pycompiler.hiveserver.runtime import compiler_command

_TEMPLATES = ("hive-site.xml", "tez-site.xml", "core-site.xml", "mapred-site.xml", "hive-log4j2.properties")


def write_configuration(home: Path, port: int, extra: Mapping[str, str]) -> Path:
    """Writes the configuration of a server.

    Args:
        home: The server's directory, absolute.
        port: The TCP port that it will listen on.
        extra: Settings that are added to, or replace, those of `hive-site.xml`.

    Returns:
        The directory to put first on the class path.
    """
    conf = home / "conf"
    for directory in (conf, home / "logs", home / "tmp", home / "warehouse"):
        directory.mkdir(parents=True, exist_ok=True)
    settings = {"hudi.skipping.compiler.command": compiler_command(), **extra}
    values = {
        "home": escape(str(home)),
        "port": str(port),
        "extra": "\n".join(_property(name, value) for name, value in settings.items()),
    }
    for name in _TEMPLATES:
        template = (
            resources.files(__package__).joinpath("templates").joinpath(name).read_text(encoding="utf-8")
        )
        (conf / name).write_text(Template(template).substitute(values), encoding="utf-8")
    return conf


def _property(name: str, value: str) -> str:
    return f"  <property><name>{escape(name)}</name><value>{escape(value)}</value></property>"
