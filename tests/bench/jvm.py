"""Runs the Java side: programs that take a job as JSON and answer with times as JSON."""

import json
import math
import os
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import pyspark

from pycompiler.compile.expression.model import HudiExpression
from pycompiler.compile.wire.expression import to_bytes
from pycompiler.hive.server.runtime import server_class_path
from pycompiler.installation import JVM_OPTIONS
from pycompiler.spark.session import find_bundle

from ..conformance.agreement.jvm_evaluator import class_path, java
from .timing import FULL_SCAN, QUICK, Pace, Timing

PACKAGE: Final = "io.hudiskip.bench"
_TEST_CLASSES: Final = "hive-handler/hive/target/test-classes"
_ICEBERG: Final = Path("build/bench/lib")
_SOURCES: Final = Path("tests/bench/java")
_SPARK_JARS: Final = str(Path(pyspark.__file__).parent / "jars" / "*")
# Spark needs more than the servers' own options.
_OPENS: Final = "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED"


def handler_program(
    name: str, job: Mapping[str, Any], heap: str = "2g", *, jars: str = ""
) -> dict[str, Timing]:
    """Runs a compiled program on the class path of the handler's tests, followed by more jars."""
    return _run([class_path(), jars], f"{PACKAGE}.{name}", job, heap)


def index_timings(
    table: Path, asked: Mapping[str, tuple[HudiExpression, int, Pace]], *, is_cached: bool
) -> dict[str, Timing]:
    """Prunes the first files of a table's listing by the index, which is opened for each repetition.

    Args:
        table: The table, with the listing that `write_listing` left.
        asked: An expression, a number of files and a pace, by name.
        is_cached: Whether columns may stay in memory between repetitions.
    """
    queries = {
        name: {"expression": to_bytes(expression).hex(), "files": files, "pace": asdict(pace)}
        for name, (expression, files, pace) in asked.items()
    }
    job = {"table": str(table), "cache_bytes": 1 << 30 if is_cached else 1, "queries": queries}
    return handler_program("IndexTimings", job)


def planning_timings(
    table: Path, asked: Mapping[str, Mapping[str, Any]], pace: Pace = QUICK
) -> dict[str, Timing]:
    """Times `NAME, listed` and `NAME, planned` of queries, which may have settings, an id, days or a pace."""
    queries = {
        name: {"table": str(table), "settings": {}, "pace": asdict(pace), **query}
        for name, query in asked.items()
    }
    return handler_program("PlanningTimings", {"queries": queries})


def spark_program(name: str, job: Mapping[str, Any]) -> None:
    """Runs a compiled program on the class path of Spark with Hudi, which has Hudi's writers."""
    bundle = find_bundle()
    if bundle is None:
        raise RuntimeError("Hudi's bundle for Spark is missing; run: make setup")
    _run([_TEST_CLASSES, str(bundle), _SPARK_JARS], f"{PACKAGE}.{name}", job, "5g")


def iceberg_program(job: Mapping[str, Any]) -> dict[str, Timing]:
    """Runs IcebergPlanning from source, with Iceberg's jar for Spark."""
    if iceberg_version() == "none":
        raise RuntimeError(f"Iceberg is missing in {_ICEBERG}; make bench installs it")
    jars = [str(_ICEBERG / "*"), _SPARK_JARS, _TEST_CLASSES]
    return _run(jars, str(_SOURCES / "IcebergPlanning.java"), job, "6g")


def hive_program(name: str, job: Mapping[str, Any]) -> dict[str, Timing]:
    """Runs a program from source on HiveServer2's class path."""
    jars = [server_class_path(), _TEST_CLASSES]
    return _run(jars, str(_SOURCES / f"{name}.java"), job, "2g")


def iceberg_version() -> str:
    """Returns the version of Iceberg's jar, or `none`."""
    return next((jar.stem.rsplit("-", 1)[-1] for jar in _ICEBERG.glob("iceberg-*.jar")), "none")


def java_version() -> str:
    """Returns the JDK's version."""
    done = subprocess.run([java(), "-version"], capture_output=True, text=True, check=True)
    return done.stderr.split('"')[1]


def options(heap: str) -> list[str]:
    """Returns the options of every measured JVM."""
    return [f"-Xmx{heap}", *JVM_OPTIONS, _OPENS]


def _run(jars: list[str], main: str, job: Mapping[str, Any], heap: str) -> dict[str, Timing]:
    with tempfile.TemporaryDirectory() as folder:
        asked, answered = Path(folder, "job.json"), Path(folder, "answer.json")
        paces = {"pace": asdict(QUICK), "full_scan_pace": asdict(FULL_SCAN)}
        asked.write_text(json.dumps({**paces, **job}), "utf-8")
        program = ["-cp", os.pathsep.join(filter(None, jars)), main, str(asked), str(answered)]
        done = subprocess.run([java(), *options(heap), *program], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{main} failed: {done.stderr[-3000:]}")
        found = json.loads(answered.read_text("utf-8")) if answered.exists() else {}
    return {
        name: Timing(tuple(entry.get("times", ())), entry["count"], entry.get("first", math.nan))
        for name, entry in found.items()
    }
