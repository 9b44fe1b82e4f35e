"""A NameNode and a DataNode of Hadoop in a process of their own, on free ports of 127.0.0.1."""

import json
import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pycompiler.installation import find_java, installation

from ..jvm import JVM_OF_TESTS

_MAIN_CLASS = "org.apache.hadoop.test.MiniDFSClusterManager"
_START_SECONDS = 120.0


@contextmanager
def running_hdfs(home: Path) -> Iterator[str]:
    """Starts an empty HDFS and stops it at the end.

    Args:
        home: Directory for all that it writes.

    Yields:
        Its URI, `hdfs://host:port`.
    """
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
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=home,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        yield f"hdfs://127.0.0.1:{_port(process, details, log)}"
    finally:
        # Nothing of it is kept, so that an orderly end would be for nothing.
        process.kill()
        process.wait()


def _port(process: subprocess.Popen[bytes], details: Path, log: Path) -> int:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        if details.is_file() and (text := details.read_text(encoding="utf-8")).endswith("}"):
            return int(json.loads(text)["namenode_port"])
        time.sleep(0.1)
    end = "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-20:])
    raise RuntimeError(f"HDFS did not start:\n{end}")
