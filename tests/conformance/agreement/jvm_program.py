"""A program of the handler's tests that answers line by line, so that Java starts once."""

from __future__ import annotations

import os
import subprocess
from types import TracebackType
from typing import Final, TypeVar

from pycompiler.hiveserver.runtime import JVM_OPTIONS
from tests.jvm import JVM_OF_TESTS

from .jvm_evaluator import class_path, java

_Program = TypeVar("_Program", bound="JvmProgram")
_ANSWER: Final = "=> "
_SHOWN: Final = 60


class JvmProgram:
    """A JVM that reads a line and writes one behind `=> `, again and again.

    Args:
        main: Its class.
        arguments: Its arguments.
        jars: What its class path ends with.
    """

    def __init__(self, main: str, *arguments: str, jars: str = "") -> None:
        self._run = [class_path() + (jars and f"{os.pathsep}{jars}"), main, *arguments]

    def __enter__(self: _Program) -> _Program:
        self._jvm = subprocess.Popen(
            [java(), "-Xmx512m", *JVM_OF_TESTS, *JVM_OPTIONS, "-cp", *self._run],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._jvm.communicate(timeout=60)

    def ask(self, line: str) -> str:
        """The answer to a line.

        Raises:
            AssertionError: The program ended.
        """
        assert self._jvm.stdin is not None and self._jvm.stdout is not None
        self._jvm.stdin.write(f"{line}\n")
        self._jvm.stdin.flush()
        said = []
        for answer in self._jvm.stdout:
            if answer.startswith(_ANSWER):
                return answer.removeprefix(_ANSWER).strip()
            said.append(answer)  # of libraries, which log
        raise AssertionError("the program ended: " + "".join(said[-_SHOWN:]))
