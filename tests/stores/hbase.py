"""ZooKeeper, a master and a region server of HBase in a process of their own, on free ports of 127.0.0.1."""

import os
import signal
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pycompiler.compile.planner.keys import KeyLayout
from pycompiler.hive.server.launch import free_ports, write_class_path
from pycompiler.index.manifest import LiveTotals, Manifest, SeenTimeline
from pycompiler.installation import JVM_OPTIONS, find_java, installation
from pycompiler.table.catalogue.partitions import Generation, Partition

from ..jvm import JVM_OF_TESTS
from .hadoop_settings import site_xml
from .processes import is_listening, running, wait_until_up

CLIENT: Final = installation() / "build" / "hbase" / "client"
"""The jars that a Hive needs for the catalogue, as `make hbase` leaves them."""

_MAIN_CLASS: Final = "org.apache.hadoop.hbase.master.HMaster"
_OPENED: Final = [
    f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in ("jdk.internal.misc", "sun.nio.ch")
]
_HOST: Final = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class HBase:
    """A running HBase.

    Attributes:
        quorum: Its ZooKeeper, `host:port`.
    """

    quorum: str
    process: subprocess.Popen[bytes]

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """It takes connections for the block, and answers nothing."""
        self.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        """Ends it at once."""
        self.process.kill()
        self.process.wait()


@contextmanager
def running_hbase(home: Path) -> Iterator[HBase]:
    """Starts an empty HBase, and kills it at the end; who asks it first waits until it is up."""
    conf = home / "conf"
    conf.mkdir(parents=True)
    (port,) = free_ports(1)
    (conf / "hbase-site.xml").write_text(_site(home, port), encoding="utf-8")
    server = (installation() / "build" / "hbase" / "server.classpath").read_text(encoding="utf-8").strip()
    arguments = write_class_path(server, conf)
    log = home / "hbase.log"
    command = [str(find_java()), "-Xmx512m", *JVM_OF_TESTS, *JVM_OPTIONS, *_OPENED]
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("HADOOP_", "HBASE_"))
    }
    with running(
        [*command, f"@{arguments}", _MAIN_CLASS, "start"], log, cwd=home, env=environment
    ) as process:
        wait_until_up(process, log, lambda: is_listening(port))
        yield HBase(f"{_HOST}:{port}", process)


def generation_of(layout: KeyLayout, partitions: Iterable[Partition]) -> Generation:
    """Partitions of a table that is not there, as they are published."""
    timeline = SeenTimeline(frozenset({"20260101000000000.commit"}))
    manifest = Manifest(1, "t", "20260101000000000", "", "", LiveTotals(), (), timeline=timeline)
    return Generation(layout.columns, tuple(partitions), manifest, timeline)


def _site(home: Path, port: int) -> str:
    settings = {
        "hbase.rootdir": (home / "root").as_uri(),
        "hbase.tmp.dir": home / "tmp",
        "hbase.zookeeper.property.dataDir": home / "zookeeper",
        "hbase.zookeeper.quorum": _HOST,
        "hbase.zookeeper.property.clientPort": port,
        # The local file system has no hflush.
        "hbase.wal.provider": "filesystem",
        "hbase.unsafe.stream.capability.enforce": "false",
        "hbase.localcluster.assign.random.ports": "true",
        "hbase.master.info.port": -1,
        "hbase.regionserver.info.port": -1,
        "hbase.regionserver.handler.count": 8,
        **{
            f"hbase.{server}.{name}": _HOST
            for server in ("master", "regionserver")
            for name in ("hostname", "ipc.address")
        },
    }
    return site_xml(settings)
