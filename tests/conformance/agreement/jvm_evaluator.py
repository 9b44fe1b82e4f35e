"""Runs many expressions through the JVM's evaluator with one start of Java."""

import json
import os
import subprocess
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from pycompiler.compile.expression.evaluator import FileStatistics
from pycompiler.compile.expression.model import HudiExpression
from pycompiler.compile.wire.expression import to_bytes
from tests.contents import statistics_json

_TARGET: Final = Path(__file__).parents[3] / "hive-handler" / "hive" / "target"
_MAIN: Final = "io.hudiskip.compile.expression.EvaluateCorpus"


class JvmEvaluatorError(RuntimeError):
    """The JVM's evaluator has not been built, or it failed."""


def evaluate_in_jvm(
    cases: Iterable[tuple[HudiExpression, Sequence[FileStatistics]]],
    target: Path = _TARGET,
    plugins: Sequence[Path] = (),
) -> list[list[bool]]:
    """Returns for each expression which of its files the Java evaluator keeps.

    Args:
        cases: Expressions, each with the statistics of its files.
        target: Maven's folder with the handler's classes, its tests' classes and `test.classpath`.
        plugins: Jars or folders of classes with index kinds.

    Raises:
        JvmEvaluatorError: The classes are missing, or Java ends with an error.
    """
    everything = os.pathsep.join([*map(str, plugins), class_path(target)])
    with tempfile.TemporaryDirectory() as folder:
        asked, answered = Path(folder, "asked.jsonl"), Path(folder, "answered.txt")
        expected = []
        with asked.open("w", encoding="utf-8") as lines:
            for expression, files in cases:
                expected.append(len(files))
                lines.write(json.dumps(_line(expression, files)) + "\n")
        command = [java(), "-cp", everything, _MAIN, str(asked), str(answered)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise JvmEvaluatorError(f"the Java evaluator failed: {done.stderr[-2000:]}")
        answers = answered.read_text(encoding="ascii").splitlines()
    if [len(answer) for answer in answers] != expected or not set("".join(answers)) <= set("01"):
        raise JvmEvaluatorError("the Java evaluator did not answer with one bit for each file")
    return [[bit == "1" for bit in answer] for answer in answers]


def class_path(target: Path = _TARGET) -> str:
    """Reads the class path of the handler's tests.

    Raises:
        JvmEvaluatorError: They are not compiled.
    """
    dependencies = target / "test.classpath"
    compiled = [target / "test-classes", target / "classes"]
    if not dependencies.is_file() or not all(folder.is_dir() for folder in compiled):
        raise JvmEvaluatorError(f"the Java tests are not compiled in {target}")
    return os.pathsep.join([*map(str, compiled), dependencies.read_text(encoding="utf-8").strip()])


def java() -> str:
    """Returns the path of the Java executable."""
    home = os.environ.get("JAVA_HOME")
    return str(Path(home, "bin", "java")) if home else "java"


def _line(expression: HudiExpression, files: Sequence[FileStatistics]) -> Mapping[str, Any]:
    columns = [{name: statistics_json(statistics) for name, statistics in file.items()} for file in files]
    return {"expression": to_bytes(expression).hex(), "files": columns}
