"""HDFS and YARN in a process of their own, whose containers are processes as well."""

import contextlib
import io
import os
import shutil
import tarfile
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

import psutil
from hdfs_native import Client

from pycompiler.hive.server.launch import free_ports
from pycompiler.installation import JVM_OPTIONS, built, find_java

from ..jvm import JVM_OF_TESTS
from ..reaper import VARIABLE, marked
from ..stores.processes import running, wait_until_up
from .container_logs import application_of, is_master

HOST: Final = "127.0.0.1"
TEZ_ARCHIVE: Final = "/apps/tez/tez.tar"
"""Where the cluster has Tez, for `tez.lib.uris`."""

_MAIN_CLASS: Final = "org.apache.hadoop.mapreduce.MiniHadoopClusterManager"
_MEMORY_MB: Final = 4096
_PYTHONS: Final = ("python", "pypy", "hudi-skip")
_Found = TypeVar("_Found")


@dataclass(frozen=True, slots=True)
class Container:
    """A container of YARN that runs.

    Attributes:
        name: Its id: `container_…_000001` is an application master.
        process: Its JVM.
    """

    name: str
    process: psutil.Process

    @property
    def is_master(self) -> bool:
        """Whether it is an application master, and not a container for tasks."""
        return is_master(self.name)

    @property
    def application(self) -> str:
        """What the containers of one application have in common."""
        return application_of(self.name)

    def kill(self) -> None:
        """Kills the JVM at once, as a failing machine would."""
        self.process.kill()


@dataclass(frozen=True, slots=True)
class Hadoop:
    """A running cluster of one NameNode, DataNode, ResourceManager and NodeManager.

    Attributes:
        home: Its directory.
        namenode: Port of HDFS.
        resource_manager: Port of YARN, for clients.
        scheduler: Port of YARN, for application masters.
        mark: What `tests.reaper` recognizes its processes by, containers among them.
    """

    home: Path
    namenode: int
    resource_manager: int
    scheduler: int
    mark: str

    @property
    def uri(self) -> str:
        """The URI of HDFS."""
        return f"hdfs://{HOST}:{self.namenode}"

    @property
    def settings(self) -> dict[str, str]:
        """What clients of HDFS and YARN must know."""
        return {
            "fs.defaultFS": self.uri,
            "dfs.replication": "1",
            "yarn.resourcemanager.address": f"{HOST}:{self.resource_manager}",
            "yarn.resourcemanager.scheduler.address": f"{HOST}:{self.scheduler}",
        }

    def containers(self) -> list[Container]:
        """The containers that run now."""
        found = []
        for process in marked(self.mark):
            with contextlib.suppress(psutil.Error):  # it may have ended
                name = process.environ().get("CONTAINER_ID")
                # Each one is a shell that starts a JVM.
                if name and process.name() == "java":
                    found.append(Container(name, process))
        return found


def wait_for(what: str, look: Callable[[], _Found | None], seconds: float = 60.0) -> _Found:
    """Looks until there is something, and returns it.

    Raises:
        AssertionError: There is nothing in time.
    """
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if found := look():
            return found
        time.sleep(0.05)
    raise AssertionError(f"no {what} within {seconds:.0f} s")


@contextmanager
def running_hadoop(home: Path) -> Iterator[Hadoop]:
    """Starts an empty cluster, and kills it and its containers at the end.

    No Python is on the path of its containers.
    """
    home.mkdir(parents=True)
    namenode, resource_manager, scheduler, *others = free_ports(8)
    hadoop = Hadoop(home, namenode, resource_manager, scheduler, f"{os.environ[VARIABLE]}/{uuid.uuid4().hex}")
    class_path = built("yarn/cluster.classpath", "test-yarn").read_text(encoding="utf-8").strip()
    arguments = home / "java.arguments"
    arguments.write_text(f'-cp "{class_path}"\n', encoding="utf-8")
    details, log = home / "details.json", home / "hadoop.log"
    java = find_java().resolve()
    settings = {**yarn_settings(home, scheduler, others), "dfs.replication": "1"}
    options = [option for name, value in settings.items() for option in ("-D", f"{name}={value}")]
    command = [
        *(str(java), "-Xmx512m", *JVM_OF_TESTS, *JVM_OPTIONS),
        f"-Dtest.build.data={home / 'data'}",
        f"@{arguments}",
        *(_MAIN_CLASS, "-format", "-datanodes", "1", "-nodemanagers", "1"),
        *("-nnport", str(namenode), "-rmport", str(resource_manager), "-jhsport", str(others[-1])),
        *("-writeDetails", str(details), *options),
    ]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("HADOOP_")}
    environment |= {
        "JAVA_HOME": str(java.parents[1]),
        VARIABLE: hadoop.mark,
    }
    try:
        with running(command, log, cwd=home, env=environment) as process:
            wait_until_up(process, log, lambda: details.is_file() or None)
            upload_tez(hadoop.uri)
            yield hadoop
    finally:
        for left in marked(hadoop.mark):
            with contextlib.suppress(psutil.Error):
                left.kill()


def yarn_settings(home: Path, scheduler: int, ports: list[int]) -> dict[str, str]:
    """The settings of YARN's services, in whose containers no Python is on the path.

    Args:
        home: Their directory.
        scheduler: Port for application masters.
        ports: Four more ports.
    """
    # Hadoop's starter asks for ports that are known in advance, of all services.
    names = (
        "resourcemanager.resource-tracker.address",
        "resourcemanager.admin.address",
        "resourcemanager.webapp.address",
        "nodemanager.localizer.address",
    )
    return {
        **{f"yarn.{name}": f"{HOST}:{port}" for name, port in zip(names, ports, strict=False)},
        "yarn.resourcemanager.scheduler.address": f"{HOST}:{scheduler}",
        "yarn.nodemanager.webapp.address": f"{HOST}:0",
        "mapreduce.jobhistory.webapp.address": f"{HOST}:0",
        "mapreduce.jobhistory.admin.address": f"{HOST}:0",
        "hadoop.tmp.dir": str(home / "tmp"),
        "yarn.minicluster.yarn.nodemanager.resource.memory-mb": str(_MEMORY_MB),
        "yarn.nodemanager.resource.cpu-vcores": "16",
        "yarn.scheduler.minimum-allocation-mb": "256",
        # Two sessions have an application master each.
        "yarn.scheduler.capacity.root.queues": "default",
        "yarn.scheduler.capacity.root.default.capacity": "100",
        "yarn.scheduler.capacity.maximum-am-resource-percent": "0.9",
        "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage": "99.9",
        # So that containers end with the run that has started the cluster, whatever happens to it.
        "yarn.nodemanager.env-whitelist": f"JAVA_HOME,LANG,{VARIABLE}",
        # A whitelisted PATH would be used only if the shell had none of its own.
        "yarn.nodemanager.admin-env": f"PATH={_programs_without_python(home / 'bin')}",
    }


def _programs_without_python(directory: Path) -> Path:
    """Makes a directory of links to the programs on the path, without any Python."""
    directory.mkdir()
    for folder in os.environ["PATH"].split(os.pathsep):
        for program in Path(folder).glob("*") if folder else ():
            link = directory / program.name
            if not program.name.startswith(_PYTHONS) and not link.is_symlink():
                link.symlink_to(program)
    assert shutil.which("bash", path=str(directory)) and not shutil.which("python3", path=str(directory))
    return directory


def upload_tez(hdfs: str) -> None:
    """Puts Tez into the HDFS with this URI, as one archive: YARN copies it once to each machine."""
    archive = io.BytesIO()
    jars = built("yarn/tez.classpath", "test-yarn").read_text(encoding="utf-8").strip().split(os.pathsep)
    with tarfile.open(fileobj=archive, mode="w", dereference=True) as tar:
        for jar in jars:
            tar.add(jar, arcname=Path(jar).name)
    client = Client(hdfs)
    client.mkdirs(str(Path(TEZ_ARCHIVE).parent), create_parent=True)
    with client.create(TEZ_ARCHIVE) as file:
        file.write(archive.getbuffer())
