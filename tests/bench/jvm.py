"""The Java side of benchmarks: small programs that take a job as JSON and answer with times as JSON."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pyspark

from pycompiler.hiveserver.runtime import HiveRuntime
from pycompiler.spark.session import find_bundle

_TARGET: Final = Path("hive-handler/target")
_PACKAGE: Final = "io.hudiskip.bench"
_ICEBERG: Final = Path("build/bench/lib")
_SOURCES: Final = Path("tests/bench/java")
# Hadoop, Hudi and Kryo reach into the JDK by reflection.
_OPENS: Final = [
    f"--add-opens=java.base/{name}=ALL-UNNAMED"
    for name in ("java.lang", "java.util", "java.net", "java.nio", "java.io", "sun.nio.ch")
]


class JavaBenchmarkError(RuntimeError):
    """A program of the Java side failed, or is not compiled."""


@dataclass(frozen=True)
class Timing:
    """How long a piece of work took.

    Attributes:
        times: Milliseconds of each repetition, the JVM's compiler being warm.
        count: Files or rows that it found, or what a figure that is no time says.
        first: Milliseconds of the very first one; None if it was not taken apart.
    """

    times: tuple[float, ...]
    count: int
    first: float | None = None

    @property
    def best(self) -> float:
        """The least of the times, in milliseconds: what else the machine does only ever adds to one."""
        return min(self.times or (self.first or 0.0,))


def handler_program(name: str, job: Mapping[str, Any], heap: str = "2g") -> dict[str, Timing]:
    """Runs a program of the package on the class path of the handler's tests."""
    return _run(_of_handler(name, heap), job)


class Conversation:
    """A program that answers each line that it is asked with a line.

    Args:
        process: The program.
    """

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    @property
    def pid(self) -> int:
        """Id of its process."""
        return self._process.pid

    def ask(self, line: str) -> str:
        """Waits for the answer.

        Raises:
            JavaBenchmarkError: The program has ended.
        """
        process = self._process
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(f"{line}\n")
        process.stdin.flush()
        answer = process.stdout.readline()
        if not answer:
            raise JavaBenchmarkError(f"the program ended instead of answering {line!r}")
        return answer.strip()


@contextmanager
def handler_conversation(name: str, job: Mapping[str, Any], heap: str = "2g") -> Iterator[Conversation]:
    """Runs a program on the class path of the handler's tests until there is no more to ask."""
    with tempfile.TemporaryDirectory() as folder:
        asked = Path(folder, "job.json")
        asked.write_text(json.dumps(job), "utf-8")
        command = [_java(), *_OPENS, *_of_handler(name, heap), str(asked)]
        with (
            Path(folder, "stderr").open("w") as errors,
            subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True
            ) as process,
        ):
            try:
                yield Conversation(process)
            except JavaBenchmarkError as error:
                raise JavaBenchmarkError(f"{error}: {Path(folder, 'stderr').read_text()[-3000:]}") from error
            finally:
                assert process.stdin is not None
                process.stdin.close()


def _of_handler(name: str, heap: str) -> list[str]:
    class_path = _TARGET / "test.classpath"
    if not class_path.is_file():
        raise JavaBenchmarkError("the handler's tests are not compiled; `make bench` does that")
    parts = [
        str(_TARGET / "test-classes"),
        str(_TARGET / "classes"),
        class_path.read_text("utf-8").strip(),
    ]
    return [f"-Xmx{heap}", "-cp", os.pathsep.join(parts), f"{_PACKAGE}.{name}"]


def spark_program(name: str, job: Mapping[str, Any], heap: str = "5g") -> None:
    """Runs a program of the package on the class path of Spark with Hudi, where Hudi's writers are."""
    bundle = find_bundle()
    if bundle is None:
        raise JavaBenchmarkError("there is no copy of Hudi's bundle for Spark; `make setup` gets one")
    parts = [str(_TARGET / "test-classes"), str(bundle), str(_spark_jars())]
    _run([f"-Xmx{heap}", "-cp", os.pathsep.join(parts), f"{_PACKAGE}.{name}"], job)


def iceberg_program(job: Mapping[str, Any], heap: str = "6g") -> dict[str, Timing]:
    """Runs the program about Iceberg, from source, with Iceberg's jar for Spark."""
    if not list(_ICEBERG.glob("iceberg-*.jar")):
        raise JavaBenchmarkError(f"there is no Iceberg in {_ICEBERG}; `make bench` gets it")
    class_path = os.pathsep.join([str(_ICEBERG / "*"), str(_spark_jars())])
    return _run([f"-Xmx{heap}", "-cp", class_path, str(_SOURCES / "IcebergPlanning.java")], job)


def hive_program(name: str, job: Mapping[str, Any], heap: str = "2g") -> dict[str, Timing]:
    """Runs a program from source on HiveServer2's class path."""
    class_path = HiveRuntime.find().server_class_path
    return _run([f"-Xmx{heap}", "-cp", class_path, str(_SOURCES / f"{name}.java")], job)


def iceberg_version() -> str:
    """Version of Iceberg's jar; `none` for a run of benchmarks without it."""
    return next((jar.stem.rsplit("-", 1)[-1] for jar in _ICEBERG.glob("iceberg-*.jar")), "none")


def java_version() -> str:
    """Version of the JDK that the programs run on."""
    done = subprocess.run([_java(), "-version"], capture_output=True, text=True, check=True)
    return done.stderr.split('"')[1]


def _java() -> str:
    home = os.environ.get("JAVA_HOME")
    return str(Path(home, "bin", "java")) if home else "java"


def _spark_jars() -> Path:
    return Path(pyspark.__file__).parent / "jars" / "*"


def _run(arguments: list[str], job: Mapping[str, Any]) -> dict[str, Timing]:
    with tempfile.TemporaryDirectory() as folder:
        asked, answered = Path(folder, "job.json"), Path(folder, "answer.json")
        asked.write_text(json.dumps(job), "utf-8")
        command = [_java(), *_OPENS, *arguments, str(asked), str(answered)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise JavaBenchmarkError(f"{arguments[-1]} failed: {done.stderr[-3000:]}")
        if not answered.exists():
            return {}
        found = json.loads(answered.read_text("utf-8"))
    return {
        name: Timing(tuple(entry.get("times", ())), entry["count"], entry.get("first"))
        for name, entry in found.items()
    }
