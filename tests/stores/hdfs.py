"""A NameNode and a DataNode of Hadoop in a process of their own, on free ports of 127.0.0.1."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pycompiler.installation import find_java, installation

from ..jvm import JVM_OF_TESTS
from .processes import running, wait_until_up

_MAIN_CLASS = "org.apache.hadoop.test.MiniDFSClusterManager"


@contextmanager
def running_hdfs(home: Path) -> Iterator[str]:
    """Starts an empty HDFS, and kills it at the end; yields its URI, `hdfs://host:port`."""
    home.mkdir(parents=True)
    class_path = (installation() / "build" / "hdfs" / "hdfs.classpath").read_text(encoding="utf-8").strip()
    arguments = home / "java.arguments"
    arguments.write_text(f'-cp "{class_path}"\n', encoding="utf-8")
    details = home / "details.json"
    log = home / "hdfs.log"
    command = [
        str(find_java()),
        "-Xmx512m",
        *JVM_OF_TESTS,
        "-Djava.net.preferIPv4Stack=true",
        f"-Dtest.build.data={home / 'data'}",
        f"@{arguments}",
        _MAIN_CLASS,
        *("-format", "-writeDetails", str(details)),
    ]
    # Settings of another Hadoop on the machine must not reach this one.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("HADOOP_")}
    with running(command, log, cwd=home, env=environment) as process:
        yield f"hdfs://127.0.0.1:{wait_until_up(process, log, lambda: _port(details))}"


def _port(details: Path) -> int | None:
    text = details.read_text(encoding="utf-8") if details.is_file() else ""
    return int(json.loads(text)["namenode_port"]) if text.endswith("}") else None
