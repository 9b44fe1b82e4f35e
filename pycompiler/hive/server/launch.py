"""Starts the two processes of an embedded server, and waits for them."""

import getpass
import os
import socket
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from pycompiler.hive.server.configuration import LOG_CONFIGURATION
from pycompiler.hive.server.errors import HiveServerError
from pycompiler.installation import JVM_OPTIONS

HOST = "127.0.0.1"

SERVER_CLASS = "io.hudiskip.hiveserver.EmbeddedHiveServer"
DAEMON_CLASS = "org.apache.hadoop.hive.llap.daemon.impl.LlapDaemon"

_SERVER_OUTPUT = "hiveserver.out"
_DAEMON_OUTPUT = "llap-daemon.out"
_FOREIGN = ("HIVE_", "HADOOP_", "TEZ_", "LLAP_")
_QUOTED_LINES = 15
_LOGS = (_SERVER_OUTPUT, _DAEMON_OUTPUT, "hiveserver.log")


def claim(port: int) -> int:
    """Verifies that a loopback port can be used, and returns it; 0 picks a free one."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            raise HiveServerError(
                f"port {port} of {HOST} cannot be used ({error.strerror}); choose another, or 0 for any"
            ) from None
        return int(probe.getsockname()[1])


def free_ports(count: int) -> list[int]:
    """Returns different ports that are free on all addresses."""
    with ExitStack() as probes:
        ports = []
        for _ in range(count):
            probe = probes.enter_context(socket.socket())
            probe.bind(("", 0))
            ports.append(int(probe.getsockname()[1]))
        return ports


def write_class_path(class_path: str, conf: Path) -> Path:
    """Writes both processes' class path, behind their configuration, to an argument file.

    Hundreds of jars on the command line would make `ps` unreadable.
    """
    arguments = conf / "java.arguments"
    quoted = f"{conf}{os.pathsep}{class_path}".replace("\\", "\\\\").replace('"', '\\"')
    arguments.write_text(f'-cp "{quoted}"\n', encoding="utf-8")
    return arguments


def launch(
    java: Path, home: Path, arguments: Path, main_class: str, heap: str, jvm_options: Sequence[str]
) -> subprocess.Popen[bytes]:
    """Starts one of the two processes."""
    command = [
        str(java),
        f"-Xmx{heap}",
        *JVM_OPTIONS,
        f"-Djava.io.tmpdir={home / 'tmp'}",
        f"-Dderby.stream.error.file={home / 'logs' / 'derby.log'}",
        *jvm_options,
        f"@{arguments}",
        main_class,
    ]
    # Keep out settings of other Hives and Hadoops on this machine.
    environment = {k: v for k, v in os.environ.items() if not k.startswith(_FOREIGN)}
    # The application master passes it to each task, and fails without it.
    environment.setdefault("USER", getpass.getuser())
    environment["LLAP_LOG4J2_PROPERTIES_FILE_NAME"] = LOG_CONFIGURATION
    output_name = _SERVER_OUTPUT if main_class == SERVER_CLASS else _DAEMON_OUTPUT
    with (home / "logs" / output_name).open("wb") as output:
        return subprocess.Popen(
            command,
            cwd=home,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            # Ctrl-C in the terminal is for the caller, who stops the server in order.
            start_new_session=True,
        )


def wait_until_ready(
    home: Path,
    server: tuple[subprocess.Popen[bytes], int],
    daemon: tuple[subprocess.Popen[bytes], int],
    timeout: float,
    on_wait: Callable[[float], None] | None,
) -> None:
    """Waits until HiveServer2 and the daemon listen on their ports, together at most `timeout` seconds.

    Calls `on_wait` about five times a second with the seconds waited. Errors quote the logs in `home`.
    """
    began = time.monotonic()
    for name, (_, port) in (("the LLAP daemon", daemon), ("HiveServer2", server)):
        while not _answers(port):
            waited = time.monotonic() - began
            if on_wait is not None:
                on_wait(waited)
            for other, (running, _) in (("HiveServer2", server), ("the LLAP daemon", daemon)):
                if running.poll() is not None:
                    raise HiveServerError(
                        f"{other} ended with exit code {running.returncode}.{_last_lines(home)}"
                    )
            if waited > timeout:
                raise HiveServerError(f"{name} did not answer within {timeout:.0f} s.{_last_lines(home)}")
            time.sleep(0.2)


def _answers(port: int) -> bool:
    try:
        with socket.create_connection((HOST, port), timeout=1.0):
            return True
    except OSError:
        return False


def _last_lines(home: Path) -> str:
    """The last lines of the logs, with file names, for an error message."""
    text = ""
    for name in _LOGS:
        file = home / "logs" / name
        if file.exists():
            lines = file.read_text(encoding="utf-8", errors="replace").splitlines()[-_QUOTED_LINES:]
            text += "".join(f"\n  {line}" for line in [f"Last lines of {file}:", *lines])
    return text
