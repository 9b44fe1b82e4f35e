"""A metastore and HiveServer2s that ask for tickets, in processes of their own."""

import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pycompiler.hive.server.launch import SERVER_CLASS, free_ports
from pycompiler.hive.server.runtime import server_class_path

from ..clusters.hive import CONTAINER_JVM, hive_settings, tez_settings
from ..e2e.harness.scans import ScanLog
from ..stores.hadoop_settings import site_xml
from ..stores.hive_processes import directories, output, running_hive_process, running_metastore
from ..stores.processes import is_listening, wait_until_up
from .hdfs import Hdfs
from .kdc import HOST, REALM, Kdc, service
from .yarn import Yarn

_LOCAL: Final = {
    "tez.local.mode": "true",
    "tez.local.mode.without.network": "true",
    "tez.runtime.optimize.local.fetch": "true",
    "tez.ignore.lib.uris": "true",
    "tez.staging-dir": "/tmp/tez",
    # Hive keeps the state of a task in static variables.
    "tez.am.inline.task.execution.max-tasks": "1",
    "tez.am.tez-ui.webservice.enable": "false",
}
"""Tez in the process of HiveServer2."""


@dataclass(frozen=True, slots=True)
class SecureHive:
    """A running HiveServer2.

    Attributes:
        address: `host:port`.
        protection: Its `hive.server2.thrift.sasl.qop`.
        log: Its log, which has what application masters and tasks log as well.
        process: Its process.
    """

    address: str
    protection: str
    log: Path
    process: subprocess.Popen[bytes]

    @property
    def url(self) -> str:
        """What JDBC connects to."""
        return f"jdbc:hive2://{self.address}/default;principal={service('hive')};saslQop={self.protection}"

    @property
    def principal_url(self) -> str:
        """What `hudi-skip` connects to."""
        return f"{self.address}/;principal=hive/_HOST@{REALM}"

    @property
    def scans(self) -> ScanLog:
        """The scans of its queries."""
        return ScanLog(self.log)


@contextmanager
def running_secure_metastore(home: Path, kdc: Kdc, hdfs: Hdfs) -> Iterator[str]:
    """Starts an empty metastore, and kills it at the end; yields its URI."""
    settings = _of_metastore() | {"hive.metastore.kerberos.keytab.file": str(kdc.keytab)}
    with running_metastore(home, extra=settings, core=hdfs.core, jvm_options=(kdc.jvm_option,)) as uri:
        yield uri


@contextmanager
def running_secure_hive(
    home: Path,
    kdc: Kdc,
    hdfs: Hdfs,
    metastore: str,
    *,
    impersonates: bool,
    protection: str,
    yarn: Yarn | None = None,
) -> Iterator[SecureHive]:
    """Starts a HiveServer2 with the handler's jar, and kills it at the end.

    Args:
        home: Its directory.
        kdc: Whose tickets it accepts.
        hdfs: Where its tables are.
        metastore: URI of the metastore.
        impersonates: Whether queries read files as the user who asks, and not as the server's user.
        protection: What it does to what it sends: `auth` for nothing, `auth-int` or `auth-conf`.
        yarn: Where its queries run; None for the server's own process.
    """
    conf = directories(home)
    (port,) = free_ports(1)
    settings = {
        **hive_settings(home, port, metastore),
        **_of_metastore(),
        "hive.server2.authentication": "KERBEROS",
        "hive.server2.authentication.kerberos.principal": service("hive"),
        "hive.server2.authentication.kerberos.keytab": str(kdc.keytab),
        "hive.server2.enable.doAs": str(impersonates).lower(),
        "hive.server2.thrift.sasl.qop": protection,
        # Each user gets a folder there.
        "hive.user.install.directory": "/user",
        "hive.support.concurrency": "false",
        "hive.txn.manager": "org.apache.hadoop.hive.ql.lockmgr.DummyTxnManager",
        "hive.query.results.cache.enabled": "false",
        "hive.stats.autogather": "false",
    }
    if yarn is None:
        tez = _LOCAL
        # Whoever may renew the delegation tokens that Tez asks for.
        of_yarn: Mapping[str, str] = {"yarn.resourcemanager.principal": service("hive")}
    else:
        # A JVM that has no tickets needs to know the realm all the same.
        jvm = f"{CONTAINER_JVM} {kdc.jvm_option}"
        settings["hive.tez.java.opts"] = jvm
        tez, of_yarn = tez_settings(hdfs.uri, jvm), yarn.settings
    for name, values in (
        ("core-site.xml", {**hdfs.core, "hadoop.tmp.dir": str(home / "tmp" / "hadoop")}),
        ("hdfs-site.xml", hdfs.hdfs),
        ("yarn-site.xml", of_yarn),
        ("tez-site.xml", tez),
        ("hive-site.xml", settings),
    ):
        (conf / name).write_text(site_xml(values), encoding="utf-8")
    with running_hive_process(home, server_class_path(), (SERVER_CLASS,), (kdc.jvm_option,)) as process:
        wait_until_up(process, output(home), lambda: is_listening(port))
        yield SecureHive(f"{HOST}:{port}", protection, home / "logs" / "hiveserver.log", process)


def _of_metastore() -> dict[str, str]:
    """What the metastore and its clients must agree on."""
    return {
        "hive.metastore.sasl.enabled": "true",
        "hive.metastore.kerberos.principal": service("metastore"),
    }
