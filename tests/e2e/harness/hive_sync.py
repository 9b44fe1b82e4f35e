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
    """Hudi's `HiveSyncTool`, which one process runs for all tables, as after a commit of any writer.

    Attributes:
        metastore: URI of the metastore.
        database: Where tables are registered.
    """

    metastore: str
    database: str
    _process: subprocess.Popen[str]

    def run(self, path: Path, table: str, *options: str, partition: str | None = "grp") -> str:
        """Synchronizes a table; returns what it prints if it fails, else nothing."""
        partitioned = () if partition is None else (*_PARTITIONED, partition)
        return self._answer(
            *("sync", "--sync-mode", "hms", "--metastore-uris", self.metastore),
            *("--base-path", str(path), "--database", self.database, "--table", table),
            *(*partitioned, *options),
        )

    def set_property(self, table: str, name: str, value: str) -> None:
        """Sets a table's property without HiveServer2, and without the storage handler."""
        assert not self._answer("set", self.metastore, self.database, table, name, value)

    def _answer(self, *words: str) -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(*words, sep="\t", file=self._process.stdin, flush=True)
        answer = self._process.stdout.readline()
        assert answer, "hive-sync has ended; see its log"
        return answer.strip().replace("\t", "\n")


@contextmanager
def running_hive_sync(home: Path, metastore: str, database: str) -> Iterator[HiveSync]:
    """Starts the process, with its log in a directory that exists, and ends it."""
    program = Path(__file__).with_name("HiveSync.java")
    command = [str(find_java()), *_JAVA, "-cp", ":".join(_class_path()), str(program)]
    pipe = subprocess.PIPE
    with (
        (home / "hive-sync.log").open("w") as log,
        subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=log, text=True) as process,
    ):
        yield HiveSync(metastore, database, process)


def _class_path() -> Sequence[str]:
    """Spark's, with Hive 3 instead of Hive 2: Hive 4's metastore does not answer Hive 2."""
    jars = sorted((Path(pyspark.__file__).parent / "jars").glob("*.jar"))
    kept = [str(jar) for jar in jars if not jar.name.startswith(("hive-", "libthrift", "spark-"))]
    hive = str(built("hive-sync/hive-exec.jar", "test-e2e"))
    return [str(built("spark/hudi-spark-bundle.jar")), *kept, hive, class_path("hiveserver")]
