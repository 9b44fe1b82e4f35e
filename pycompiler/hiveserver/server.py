"""Starting, finding and stopping an embedded HiveServer2."""

import contextlib
import fcntl
import json
import os
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pycompiler.hiveserver.configuration import write_configuration
from pycompiler.hiveserver.errors import HiveServerError
from pycompiler.hiveserver.process import start_mark, terminate
from pycompiler.hiveserver.runtime import JVM_OPTIONS, HiveRuntime

HOST = "127.0.0.1"
_RECORD = "hiveserver.json"
_MAIN_CLASS = "org.apache.hive.service.server.HiveServer2"


@dataclass(frozen=True, slots=True)
class StopResult:
    """What `stop` did: whether a server was running in the directory, and whether it had to be killed."""

    was_running: bool
    killed: bool


@dataclass(frozen=True, slots=True)
class HiveServer:
    """A running HiveServer2, listening on loopback, with everything that it writes under `home`.

    As a context manager it stops the server at the end.
    """

    home: Path
    port: int
    pid: int
    mark: str

    @property
    def address(self) -> str:
        """`host:port` as Thrift clients take it."""
        return f"{HOST}:{self.port}"

    @property
    def jdbc_url(self) -> str:
        """The address as beeline takes it."""
        return f"jdbc:hive2://{self.address}/default"

    @property
    def log(self) -> Path:
        """The server's log; each scan leaves one line of the logger `io.hudiskip.scan` in it."""
        return self.home / "logs" / "hiveserver.log"

    @staticmethod
    def start(
        home: Path,
        port: int | None = None,
        *,
        extra_conf: Mapping[str, str] | None = None,
        jvm_options: tuple[str, ...] = (),
        heap: str = "2g",
        timeout: float = 180.0,
        on_wait: Callable[[float], None] | None = None,
    ) -> "HiveServer":
        """Starts a server and waits until it answers. It outlives the caller: stop it.

        Args:
            home: Directory for the metastore, the logs and all temporary files; made if it is not there. A
                metastore that it holds is used again.
            port: TCP port on 127.0.0.1; None or 0 takes a free one.
            extra_conf: Settings over those of `hive-site.xml`.
            jvm_options: Further options for `java`, such as `-Duser.timezone=UTC`.
            heap: Heap as `-Xmx` takes it.
            timeout: Seconds until it must answer; it is stopped when it does not.
            on_wait: Called about five times a second with the seconds waited, to show progress.

        Raises:
            HiveServerError: Something is missing, one already runs in `home`, the port is taken, or it did
                not come up; the message ends with the last lines of its log.
        """
        home = home.expanduser().resolve()
        runtime = HiveRuntime.find()
        home.mkdir(parents=True, exist_ok=True)
        with _starting(home):
            running = HiveServer.find(home)
            if running is not None:
                raise HiveServerError(
                    f"a HiveServer2 already runs in {home} at {running.address} (process {running.pid}); "
                    f"stop it with: hudi-skip hiveserver stop --home {home}"
                )
            chosen = _claim(port or 0)
            conf = write_configuration(home, chosen, extra_conf or {})
            process = _launch(runtime, home, conf, heap, jvm_options)
            server = HiveServer(home, chosen, process.pid, start_mark(process.pid) or "")
            try:
                _wait_until_it_answers(server, process, timeout, on_wait)
            except BaseException:
                process.kill()
                process.wait()
                raise
            server._record()
        return server

    @staticmethod
    def find(home: Path) -> "HiveServer | None":
        """Returns the server that runs in `home`, or None."""
        home = home.expanduser().resolve()
        try:
            record = json.loads((home / _RECORD).read_text(encoding="utf-8"))
            server = HiveServer(home, int(record["port"]), int(record["pid"]), str(record["mark"]))
        except (FileNotFoundError, ValueError, KeyError, TypeError):
            return None
        return server if server.is_running() else None

    @staticmethod
    def stop_home(home: Path, *, grace_seconds: float = 20.0) -> StopResult:
        """Stops the server that runs in `home`, if one does."""
        server = HiveServer.find(home)
        if server is None:
            return StopResult(was_running=False, killed=False)
        return server.stop(grace_seconds=grace_seconds)

    def is_running(self) -> bool:
        """Tells whether the process that was started still runs."""
        return start_mark(self.pid) == self.mark

    def stop(self, *, grace_seconds: float = 20.0) -> StopResult:
        """Stops the server; another process that got its id meanwhile is left alone."""
        was_running = self.is_running()
        killed = was_running and terminate(self.pid, self.mark, grace_seconds)
        (self.home / _RECORD).unlink(missing_ok=True)
        return StopResult(was_running, killed)

    def __enter__(self) -> "HiveServer":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _record(self) -> None:
        record = {"pid": self.pid, "mark": self.mark, "host": HOST, "port": self.port}
        (self.home / _RECORD).write_text(json.dumps(record) + "\n", encoding="utf-8")


@contextlib.contextmanager
def _starting(home: Path) -> Iterator[None]:
    """Lets one caller at a time start a server in a directory: two would fight over the metastore."""
    with (home / "starting.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise HiveServerError(f"another command is starting a HiveServer2 in {home} right now") from None
        yield


def _claim(port: int) -> int:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            raise HiveServerError(
                f"port {port} of {HOST} cannot be used ({error.strerror}); name another, or 0 for a free one"
            ) from None
        return int(probe.getsockname()[1])


def _launch(
    runtime: HiveRuntime, home: Path, conf: Path, heap: str, jvm_options: tuple[str, ...]
) -> subprocess.Popen[bytes]:
    # A class path of hundreds of jars goes through an argument file: the command line stays readable in `ps`.
    arguments = conf / "java.arguments"
    class_path = f"{conf}{os.pathsep}{runtime.server_class_path}".replace("\\", "\\\\").replace('"', '\\"')
    arguments.write_text(f'-cp "{class_path}"\n', encoding="utf-8")
    command = [
        str(runtime.java),
        f"-Xmx{heap}",
        *JVM_OPTIONS,
        f"-Djava.io.tmpdir={home / 'tmp'}",
        f"-Dderby.stream.error.file={home / 'logs' / 'derby.log'}",
        *jvm_options,
        f"@{arguments}",
        _MAIN_CLASS,
    ]
    # Settings of another Hive or Hadoop on the machine must not reach this one.
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("HIVE_", "HADOOP_", "TEZ_"))}
    with (home / "logs" / "hiveserver.out").open("wb") as output:
        return subprocess.Popen(
            command,
            cwd=home,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            # Ctrl-C in the terminal is for the caller, who stops the server in an orderly way.
            start_new_session=True,
        )


def _wait_until_it_answers(
    server: HiveServer,
    process: subprocess.Popen[bytes],
    timeout: float,
    on_wait: Callable[[float], None] | None,
) -> None:
    began = time.monotonic()
    while not _answers(server.port):
        waited = time.monotonic() - began
        if on_wait is not None:
            on_wait(waited)
        if process.poll() is not None:
            raise HiveServerError(
                f"HiveServer2 ended with exit code {process.returncode}.{_last_lines(server.home)}"
            )
        if waited > timeout:
            raise HiveServerError(
                f"HiveServer2 did not answer within {timeout:.0f} s.{_last_lines(server.home)}"
            )
        time.sleep(0.2)


def _answers(port: int) -> bool:
    try:
        with socket.create_connection((HOST, port), timeout=1.0):
            return True
    except OSError:
        return False


def _last_lines(home: Path, count: int = 15) -> str:
    """Returns the ends of the server's two logs, under their names, for an error message."""
    text = ""
    for name in ("hiveserver.out", "hiveserver.log"):
        file = home / "logs" / name
        if file.exists():
            lines = file.read_text(encoding="utf-8", errors="replace").splitlines()[-count:]
            text += "".join(f"\n  {line}" for line in [f"Last lines of {file}:", *lines])
    return text
