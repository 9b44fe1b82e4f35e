"""HiveServer2s in processes of their own, whose queries run on a cluster."""

import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pycompiler.hive.server.launch import free_ports
from pycompiler.hive.server.runtime import class_path
from pycompiler.installation import HANDLER, JVM_OPTIONS, built

from ..e2e.harness.servers import PATIENCE
from ..e2e.harness.session import ServerSession, Session
from ..stores.hadoop_settings import site_xml
from ..stores.hive_processes import directories, output, running_hive_process
from ..stores.processes import is_listening, wait_until_up
from .hadoop import HOST, TEZ_ARCHIVE, Hadoop

_CONTAINER_MB: Final = 512
# What a container's JVM needs beside its heap has the other quarter.
CONTAINER_JVM: Final = " ".join(
    (f"-Xmx{_CONTAINER_MB * 3 // 4}m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", *JVM_OPTIONS)
)


@dataclass(frozen=True, slots=True)
class ClusterHive:
    """A running HiveServer2.

    Attributes:
        port: Its port.
        log: Its log, which is not that of its queries' containers.
        process: Its process.
    """

    port: int
    log: Path
    process: subprocess.Popen[bytes]

    def connect(self) -> Session:
        """A session; its first query on Tez starts an application master of its own."""
        return ServerSession(HOST, self.port)


@contextmanager
def running_hive(
    home: Path, hadoop: Hadoop, metastore: str, *, auxiliary: bool, extra: Mapping[str, str] | None = None
) -> Iterator[ClusterHive]:
    """Starts a HiveServer2 with the handler's jar, and kills it at the end.

    Args:
        home: Its directory.
        hadoop: Where its queries run.
        metastore: URI of the metastore.
        auxiliary: Whether the jar is in `hive.aux.jars.path` as well, as those of `auxlib` are, and not on
            the class path only.
        extra: More settings of `hive-site.xml`.
    """
    conf = directories(home)
    (port,) = free_ports(1)
    bundle = built(HANDLER)
    settings = {**hive_settings(home, port, metastore), **(extra or {})}
    if auxiliary:
        # The jar, not its folder: Hive fails to ship a folder a second time.
        settings["hive.aux.jars.path"] = bundle.as_uri()
    for name, values in (
        ("core-site.xml", hadoop.settings | {"hadoop.tmp.dir": str(home / "tmp" / "hadoop")}),
        ("yarn-site.xml", hadoop.settings),
        ("tez-site.xml", tez_settings(hadoop.uri)),
        ("hive-site.xml", settings),
    ):
        (conf / name).write_text(site_xml(values), encoding="utf-8")
    with_handler = os.pathsep.join((class_path("hiveserver"), str(bundle)))
    main_class = ("org.apache.hive.service.server.HiveServer2",)
    with running_hive_process(home, with_handler, main_class) as process:
        wait_until_up(process, output(home), lambda: is_listening(port))
        yield ClusterHive(port, home / "logs" / "hiveserver.log", process)


def hive_settings(home: Path, port: int, metastore: str) -> dict[str, str]:
    """The settings of `hive-site.xml` for a server with this directory and port."""
    tmp = home / "tmp"
    return {
        **PATIENCE,
        "hive.metastore.uris": metastore,
        "hive.exec.scratchdir": f"/tmp/hive-{port}",
        "hive.user.install.directory": f"/user/hive-{port}",
        **{
            name: str(tmp / name)
            for name in (
                "hive.exec.local.scratchdir",
                "hive.downloaded.resources.dir",
                "hive.querylog.location",
                "hive.server2.logging.operation.log.location",
            )
        },
        "hive.server2.thrift.bind.host": HOST,
        "hive.server2.thrift.port": str(port),
        "hive.server2.webui.port": "0",
        "hive.server2.enable.doAs": "false",
        "hive.server2.materializedviews.registry.impl": "DUMMY",
        "hive.semantic.analyzer.hook": "io.hudiskip.hive.HudiTableGuard",
        "hive.execution.engine": "tez",
        "hive.tez.container.size": str(_CONTAINER_MB),
        "hive.tez.java.opts": CONTAINER_JVM,
        # What tests change must have a value to go back to.
        "tez.grouping.split-count": "0",
        "mapreduce.job.reduces": "-1",
        "hive.server2.tez.initialize.default.sessions": "false",
    }


def tez_settings(hdfs: str, jvm: str = CONTAINER_JVM) -> dict[str, str]:
    """The settings of `tez-site.xml`, for containers.

    Args:
        hdfs: URI of the HDFS that has Tez.
        jvm: Options of the JVMs of application masters.
    """
    return {
        "tez.lib.uris": f"{hdfs}{TEZ_ARCHIVE}",
        "tez.use.cluster.hadoop-libs": "false",
        "tez.staging-dir": "/tmp/tez",
        "tez.am.resource.memory.mb": str(_CONTAINER_MB),
        "tez.am.launch.cmd-opts": jvm,
        "tez.am.tez-ui.webservice.enable": "false",
        "tez.counters.max": "10000",
        "tez.runtime.io.sort.mb": "32",
        "tez.runtime.unordered.output.buffer.size-mb": "8",
        # The next query finds the containers of the last one, and two sessions find memory.
        "tez.am.container.idle.release-timeout-min.millis": "20000",
        "tez.am.container.idle.release-timeout-max.millis": "25000",
    }
