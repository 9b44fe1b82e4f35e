"""A Hive metastore in a process of its own, and Hudi's hive-sync, which registers tables in it."""

import getpass
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pyspark

from pycompiler.hive.server.configuration import DaemonSettings, write_configuration
from pycompiler.hive.server.launch import HOST, free_ports, write_class_path
from pycompiler.hive.server.runtime import class_path, server_class_path
from pycompiler.installation import JVM_OPTIONS, built, find_java

from ...jvm import JVM_OF_TESTS
from ...stores.processes import is_listening, running, wait_until_up

_PARTITIONED = (
    *("--partition-value-extractor", "org.apache.hudi.hive.MultiPartKeysValueExtractor"),
    "--partitioned-by",
)
_JAVA = ("-Xmx512m", *JVM_OPTIONS, *JVM_OF_TESTS)


@contextmanager
def running_metastore(home: Path) -> Iterator[str]:
    """Runs a metastore in an empty directory, with this user as its administrator; yields its URI."""
    (port,) = free_ports(1)
    settings = {"hive.users.in.admin.role": getpass.getuser()}
    conf = write_configuration(home, 0, DaemonSettings(1, 1, 0, 0, 0, 0, 0), settings)
    arguments = write_class_path(server_class_path(), conf)
    program = ["org.apache.hadoop.hive.metastore.HiveMetaStore", "-p", str(port)]
    command = [str(find_java()), *_JAVA, f"@{arguments}", *program]
    log = home / "logs" / "metastore.out"
    with running(command, log, cwd=home) as process:
        wait_until_up(process, log, lambda: is_listening(port))
        yield f"thrift://{HOST}:{port}"


@dataclass(frozen=True, slots=True)
class HiveSync:
    """Hudi's `HiveSyncTool` in a process of its own, as after a commit of any writer.

    Attributes:
        metastore: URI of the metastore.
        database: Where tables are registered.
    """

    metastore: str
    database: str

    def run(self, path: Path, table: str, *options: str, partition: str | None = "grp") -> str:
        """Synchronizes a table; returns what it prints if it fails, else nothing."""
        partitioned = () if partition is None else (*_PARTITIONED, partition)
        command = [
            *(str(find_java()), *_JAVA, "-cp", ":".join(_class_path())),
            *("org.apache.hudi.hive.HiveSyncTool", "--sync-mode", "hms", "--metastore-uris", self.metastore),
            *("--base-path", str(path), "--database", self.database, "--table", table),
            *(*partitioned, *options),
        ]
        done = subprocess.run(command, capture_output=True, text=True, timeout=180, check=False)
        return "" if done.returncode == 0 else done.stdout + done.stderr


def set_property(metastore: str, database: str, table: str, name: str, value: str) -> None:
    """Sets a table's property without HiveServer2, and without the storage handler."""
    program = str(Path(__file__).parents[1] / "adopt" / "SetProperty.java")
    command = [str(find_java()), *_JAVA, "-cp", class_path("hiveserver"), program]
    subprocess.run([*command, metastore, database, table, name, value], check=True, timeout=180)


def _class_path() -> Sequence[str]:
    """Spark's, with Hive 3 instead of Hive 2: Hive 4's metastore does not answer Hive 2."""
    jars = sorted((Path(pyspark.__file__).parent / "jars").glob("*.jar"))
    kept = [str(jar) for jar in jars if not jar.name.startswith(("hive-", "libthrift", "spark-"))]
    hive = str(built("hive-sync/hive-exec.jar", "test-e2e"))
    return [str(built("spark/hudi-spark-bundle.jar")), *kept, hive, class_path("hiveserver")]
