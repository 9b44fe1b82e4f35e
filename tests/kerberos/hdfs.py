"""HDFS that asks for tickets and checks permissions, in a process of its own."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pycompiler.hive.server.launch import free_ports, write_class_path
from pycompiler.installation import JVM_OPTIONS, built, find_java

from ..jvm import JVM_OF_TESTS
from ..stores.hadoop_settings import site_xml
from ..stores.processes import running, wait_until_up
from .kdc import HOST, Kdc, service

_MAIN_CLASS: Final = "org.apache.hadoop.test.MiniDFSClusterManager"


@dataclass(frozen=True, slots=True)
class Hdfs:
    """A running NameNode and DataNode.

    Attributes:
        uri: The URI of HDFS.
        conf: The directory with the configuration of its clients.
        core: The settings of `core-site.xml` there.
        hdfs: The settings of `hdfs-site.xml` there.
    """

    uri: str
    conf: Path
    core: Mapping[str, str]
    hdfs: Mapping[str, str]


@contextmanager
def running_hdfs(home: Path, kdc: Kdc, groups: Mapping[str, str]) -> Iterator[Hdfs]:
    """Starts an empty HDFS, and kills it at the end.

    Args:
        home: Its directory.
        kdc: Whose tickets it accepts.
        groups: The groups of each user, separated by commas.
    """
    conf = home / "conf"
    conf.mkdir(parents=True)
    (port,) = free_ports(1)
    core = {
        "fs.defaultFS": f"hdfs://{HOST}:{port}",
        "hadoop.security.authentication": "kerberos",
        "hadoop.security.authorization": "true",
        "hadoop.tmp.dir": str(home / "tmp"),
        "hadoop.user.group.static.mapping.overrides": ";".join(f"{u}={g}" for u, g in groups.items()),
        # They act for users.
        **{
            f"hadoop.proxyuser.{server}.{what}": "*"
            for server in ("hive", "metastore")
            for what in ("hosts", "groups")
        },
    }
    hdfs = {
        "dfs.namenode.kerberos.principal": service("hdfs"),
        "dfs.datanode.kerberos.principal": service("hdfs"),
        # Not `privacy`: encrypting jars for each session takes a minute.
        "dfs.data.transfer.protection": "integrity",
        "dfs.replication": "1",
    }
    server = {
        "dfs.namenode.keytab.file": str(kdc.keytab),
        "dfs.datanode.keytab.file": str(kdc.keytab),
        "dfs.web.authentication.kerberos.principal": service("HTTP"),
        "dfs.web.authentication.kerberos.keytab": str(kdc.keytab),
        "dfs.block.access.token.enable": "true",
        "dfs.permissions.enabled": "true",
        # Else the web pages would need certificates; data is protected without them.
        "ignore.secure.ports.for.testing": "true",
    }
    servers = home / "servers"
    servers.mkdir()
    for folder, more in ((conf, {}), (servers, server)):
        (folder / "core-site.xml").write_text(site_xml(core), encoding="utf-8")
        (folder / "hdfs-site.xml").write_text(site_xml(hdfs | more), encoding="utf-8")
    class_path = (built("hdfs/hdfs.classpath", "setup")).read_text(encoding="utf-8").strip()
    arguments = write_class_path(class_path, servers)
    details, log = home / "details.json", home / "hdfs.log"
    command = [
        *(str(find_java()), "-Xmx512m", *JVM_OF_TESTS, *JVM_OPTIONS),
        *(kdc.jvm_option, f"-Dtest.build.data={home / 'data'}", f"@{arguments}"),
        *(_MAIN_CLASS, "-format", "-nnport", str(port), "-writeDetails", str(details)),
    ]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("HADOOP_")}
    with running(command, log, cwd=home, env=environment) as process:
        wait_until_up(process, log, lambda: details.is_file() or None)
        yield Hdfs(core["fs.defaultFS"], conf, core, hdfs)
