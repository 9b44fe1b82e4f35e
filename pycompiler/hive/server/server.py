"""Starts, finds and stops an embedded HiveServer2."""

import contextlib
import fcntl
import json
import re
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from pycompiler.hive.server.configuration import DaemonSettings, available_executors, write_configuration
from pycompiler.hive.server.errors import HiveServerError
from pycompiler.hive.server.launch import (
    DAEMON_CLASS,
    HOST,
    SERVER_CLASS,
    claim,
    free_ports,
    launch,
    wait_until_ready,
    write_class_path,
)
from pycompiler.hive.server.process import ProcessId
from pycompiler.hive.server.runtime import server_class_path
from pycompiler.installation import find_java

_RECORD = "hiveserver.json"


@dataclass(frozen=True, slots=True)
class StopResult:
    """The outcome of `stop`: whether a server was running, and whether it had to be killed."""

    was_running: bool
    killed: bool


@dataclass(frozen=True, slots=True)
class HiveServer:
    """A running HiveServer2 on loopback that keeps all of its files under `home`.

    HiveServer2 plans queries and lists files. Tasks run in an LLAP daemon, a separate process: otherwise Hive
    on Tez keeps state per JVM, and concurrent tasks or sessions would answer each other's queries. As a
    context manager, it stops both at the end.
    """

    home: Path
    port: int
    server: ProcessId
    daemon: ProcessId

    @property
    def pid(self) -> int:
        """Process id of HiveServer2."""
        return self.server.pid

    @property
    def pids(self) -> tuple[int, int]:
        """Process ids of HiveServer2 and its daemon."""
        return self.server.pid, self.daemon.pid

    @property
    def address(self) -> str:
        """`host:port` for Thrift clients."""
        return f"{HOST}:{self.port}"

    @property
    def jdbc_url(self) -> str:
        """The JDBC URL, for beeline."""
        return f"jdbc:hive2://{self.address}/default"

    @property
    def log(self) -> Path:
        """The log of both processes, with one line of the logger `io.hudiskip.scan` per scan."""
        return self.home / "logs" / "hiveserver.log"

    @staticmethod
    def start(
        home: Path,
        port: int | None = None,
        *,
        extra_conf: Mapping[str, str] | None = None,
        extra_jars: Sequence[Path] = (),
        functions: Sequence[str] = (),
        jvm_options: tuple[str, ...] = (),
        heap: str = "2g",
        daemon_heap: str = "2g",
        timeout: float = 180.0,
        on_wait: Callable[[float], None] | None = None,
    ) -> "HiveServer":
        """Starts a server and waits until it answers. It outlives the caller's process until it is stopped.

        Args:
            home: Directory for the metastore, logs and temporary files; created if missing. An existing
                metastore is reused.
            port: TCP port on 127.0.0.1; None or 0 picks a free one.
            extra_conf: Settings that override those of `hive-site.xml`.
            extra_jars: Jars beside the handler's bundle, as in Hive's auxlib.
            functions: Classes of user functions that the daemon may run.
            jvm_options: Further options for `java`, such as `-Duser.timezone=UTC`.
            heap: Heap size of HiveServer2, as for `-Xmx`.
            daemon_heap: Heap size of the daemon, likewise.
            timeout: Seconds within which it must answer, or else it is stopped.
            on_wait: Called about five times a second with the seconds waited, to show progress.

        Raises:
            NotInstalledError: Something is missing.
            HiveServerError: A server is already running in `home`, the port is in use, or the server did not
                start; the message ends with the last lines of its log.
        """
        home = home.expanduser().resolve()
        java, class_path = find_java(), server_class_path(extra_jars)
        home.mkdir(parents=True, exist_ok=True)
        with _starting(home):
            running = HiveServer.find(home)
            if running is not None:
                raise HiveServerError(
                    f"a HiveServer2 is already running in {home}, at {running.address} (pid {running.pid}); "
                    f"stop it with: hudi-skip hiveserver stop --home {home}"
                )
            chosen = claim(port or 0)
            settings = DaemonSettings(available_executors(), _plannable_mb(daemon_heap), *free_ports(5))
            conf = write_configuration(home, chosen, settings, extra_conf or {}, functions)
            arguments = write_class_path(class_path, conf)
            processes: list[subprocess.Popen[bytes]] = []
            try:
                for main_class, size in ((DAEMON_CLASS, daemon_heap), (SERVER_CLASS, heap)):
                    processes.append(launch(java, home, arguments, main_class, size, jvm_options))
                daemon, server = processes
                wait_until_ready(home, (server, chosen), (daemon, settings.rpc_port), timeout, on_wait)
                started = HiveServer(home, chosen, ProcessId.of(server), ProcessId.of(daemon))
                started._record()
            except BaseException:
                for process in processes:
                    process.kill()
                    process.wait()
                raise
        return started

    @staticmethod
    def find(home: Path) -> "HiveServer | None":
        """The server running in `home`; None if there is none."""
        home = home.expanduser().resolve()
        try:
            record = json.loads((home / _RECORD).read_text(encoding="utf-8"))
            server, daemon = (
                ProcessId(int(record[part]["pid"]), str(record[part]["mark"]))
                for part in ("server", "daemon")
            )
            found = HiveServer(home, int(record["port"]), server, daemon)
        except (FileNotFoundError, ValueError, KeyError, TypeError):
            return None
        return found if found.is_running() else None

    @staticmethod
    def stop_home(home: Path) -> StopResult:
        """Stops the server running in `home`, if any."""
        server = HiveServer.find(home)
        return StopResult(was_running=False, killed=False) if server is None else server.stop()

    def is_running(self) -> bool:
        """Whether one of the two processes is still running."""
        return self.server.is_running() or self.daemon.is_running()

    def stop(self, *, grace_seconds: float = 20.0) -> StopResult:
        """Stops both processes, but no others that reuse their ids."""
        running = [process for process in (self.server, self.daemon) if process.is_running()]
        # The server first: it closes its sessions, which involve the daemon.
        killed = [process.terminate(grace_seconds) for process in running]
        (self.home / _RECORD).unlink(missing_ok=True)
        return StopResult(bool(running), any(killed))

    def __enter__(self) -> "HiveServer":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _record(self) -> None:
        processes = {"server": asdict(self.server), "daemon": asdict(self.daemon)}
        record = {"host": HOST, "port": self.port, **processes}
        (self.home / _RECORD).write_text(json.dumps(record) + "\n", encoding="utf-8")


@contextlib.contextmanager
def _starting(home: Path) -> Iterator[None]:
    """Lets only one caller at a time start a server in a directory: two would corrupt the metastore."""
    with (home / "starting.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise HiveServerError(f"another command is already starting a HiveServer2 in {home}") from None
        yield


def _plannable_mb(heap: str) -> int:
    """Megabytes of a heap that the daemon may use for tasks; it needs the rest itself."""
    match = re.fullmatch(r"(\d+)([mMgG])", heap)
    if match is None:
        raise HiveServerError(f"{heap!r} is not a heap size; use a format such as 2g or 1500m")
    megabytes = int(match.group(1)) * (1024 if match.group(2) in "gG" else 1)
    return megabytes * 3 // 4
