"""YARN that asks for tickets, in a process of its own, beside HDFS."""

import contextlib
import os
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psutil

from pycompiler.hive.server.launch import free_ports, write_class_path
from pycompiler.installation import JVM_OPTIONS, built, find_java

from ..clusters.hadoop import yarn_settings
from ..jvm import JVM_OF_TESTS
from ..reaper import VARIABLE, marked
from ..stores.hadoop_settings import site_xml
from ..stores.processes import running, wait_until_up
from .hdfs import Hdfs
from .kdc import HOST, Kdc, service

_MAIN: Final = Path(__file__).with_name("SecureYarn.java")
_SERVICES: Final = ("yarn.resourcemanager", "yarn.nodemanager", "mapreduce.jobhistory")


@dataclass(frozen=True, slots=True)
class Yarn:
    """A running ResourceManager and NodeManager.

    Attributes:
        home: Their directory, with the logs of containers.
        settings: What clients must know, for `yarn-site.xml`.
    """

    home: Path
    settings: Mapping[str, str]


@contextmanager
def running_yarn(home: Path, kdc: Kdc, hdfs: Hdfs) -> Iterator[Yarn]:
    """Starts YARN, and kills it and its containers at the end.

    Containers run as the user of this process, and reach HDFS with the tokens of the user who asks.
    """
    home.mkdir(parents=True)
    manager, scheduler, *others = free_ports(7)
    clients = {
        "yarn.resourcemanager.address": f"{HOST}:{manager}",
        "yarn.resourcemanager.scheduler.address": f"{HOST}:{scheduler}",
        "yarn.resourcemanager.principal": service("yarn"),
    }
    services = {
        **clients,
        **yarn_settings(home, scheduler, others),
        **{f"{name}.principal": service("yarn") for name in _SERVICES},
        **{f"{name}.keytab": str(kdc.keytab) for name in _SERVICES},
        # Another user may own the folder that is the default.
        "yarn.app.mapreduce.am.staging-dir": "/tmp/yarn_staging",
    }
    conf = home / "conf"
    conf.mkdir()
    for name, values in (
        ("core-site.xml", hdfs.core),
        ("hdfs-site.xml", hdfs.hdfs),
        ("yarn-site.xml", services),
        ("mapred-site.xml", services),
    ):
        (conf / name).write_text(site_xml(values), encoding="utf-8")
    java = find_java().resolve()
    class_path = built("yarn/cluster.classpath", "test-kerberos").read_text(encoding="utf-8").strip()
    arguments = write_class_path(class_path, conf)
    details, log = home / "details.json", home / "yarn.log"
    command = [
        *(str(java), "-Xmx512m", *JVM_OF_TESTS, *JVM_OPTIONS),
        *(kdc.jvm_option, f"-Dtest.build.data={home / 'data'}", f"@{arguments}"),
        *(str(_MAIN), service("yarn"), str(kdc.keytab)),
        *("-nodfs", "-namenode", hdfs.uri, "-nodemanagers", "1"),
        *("-rmport", str(manager), "-jhsport", str(others[-1]), "-writeDetails", str(details)),
    ]
    mark = f"{os.environ[VARIABLE]}/{uuid.uuid4().hex}"
    environment = kdc.environment(kdc.no_tickets)
    environment |= {"JAVA_HOME": str(java.parents[1]), VARIABLE: mark}
    try:
        with running(command, log, cwd=home, env=environment) as process:
            wait_until_up(process, log, lambda: details.is_file() or None)
            yield Yarn(home, clients)
    finally:
        for left in marked(mark):
            with contextlib.suppress(psutil.Error):
                left.kill()
