"""Writes an embedded server's configuration files to its own directory."""

import os
import socket
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib import resources
from pathlib import Path
from string import Template
from xml.sax.saxutils import escape

from pycompiler.hive.server.errors import HiveServerError
from pycompiler.hive.server.runtime import compiler_command

LOG_CONFIGURATION = "hive-log4j2.properties"
"""Log configuration of both processes of a server, a resource on their class path."""

_TEMPLATES = (
    "hive-site.xml",
    "llap-daemon-site.xml",
    "llap-udfs.lst",
    "tez-site.xml",
    "core-site.xml",
    "mapred-site.xml",
    LOG_CONFIGURATION,
)


@dataclass(frozen=True, slots=True)
class DaemonSettings:
    """Settings of the daemon that runs the tasks: how many at a time, their heap, and its TCP ports.

    All ports are chosen in advance, because without ZooKeeper the server learns them from its configuration.
    """

    executors: int
    memory_mb: int
    rpc_port: int
    management_port: int
    shuffle_port: int
    output_port: int
    web_port: int


def write_configuration(
    home: Path, port: int, daemon: DaemonSettings, extra: Mapping[str, str], functions: Sequence[str] = ()
) -> Path:
    """Writes the configuration of a server, and returns the directory to put first on the class path.

    `home` is absolute, `extra` overrides settings of `hive-site.xml`, and `functions` are the classes of user
    functions that the daemon may run.
    """
    conf = home / "conf"
    for directory in (conf, home / "logs", home / "tmp", home / "warehouse"):
        directory.mkdir(parents=True, exist_ok=True)
    settings = {"hudi.skipping.compiler.command": compiler_command(), **extra}
    values = {
        "port": port,
        **asdict(daemon),
        "daemon_host": _own_name(),
        "own_addresses": f"127.0.0.0/8,{_own_address()}",
        # Tasks must be planned with one executor's memory, or Hive counts too few slots.
        "task_memory_mb": daemon.memory_mb // daemon.executors,
        "functions": "\n".join(functions),
        "extra": "\n".join(_property(name, value) for name, value in settings.items()),
    }
    templates = resources.files(__package__).joinpath("templates")
    for name in _TEMPLATES:
        template = Template(templates.joinpath(name).read_text(encoding="utf-8"))
        shown_home = escape(str(home)) if name.endswith(".xml") else str(home)
        (conf / name).write_text(template.substitute(values, home=shown_home), encoding="utf-8")
    return conf


def available_executors() -> int:
    """The number of tasks that keep this machine's cores busy."""
    return max(2, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 2)


def _own_name() -> str:
    """The daemon's own name: that of this machine's address, as Java resolves it.

    The application master must use the same name, or it considers the daemon dead after a failed task.
    """
    address = _own_address()
    try:
        name = socket.gethostbyaddr(address)[0]
        return name if socket.gethostbyname(name) == address else address
    except OSError:
        return address


def _own_address() -> str:
    """The address of this machine's name, to which Tez connects even locally."""
    try:
        return socket.gethostbyname(socket.gethostname())
    except OSError:
        raise HiveServerError(
            f"the host name {socket.gethostname()} does not resolve to an address, but Tez needs one; "
            "add the name to the 127.0.0.1 line in /etc/hosts"
        ) from None


def _property(name: str, value: str) -> str:
    return f"  <property><name>{escape(name)}</name><value>{escape(value)}</value></property>"
