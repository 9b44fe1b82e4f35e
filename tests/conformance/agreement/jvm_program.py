"""Talks to a program of the handler's tests line by line, so that Java starts only once."""

import os
import subprocess
from collections.abc import Sequence
from types import TracebackType
from typing import Final, TypeVar

from pycompiler.installation import JVM_OPTIONS
from tests.jvm import JVM_OF_TESTS

from .jvm_evaluator import class_path, java

_Program = TypeVar("_Program", bound="JvmProgram")
_ANSWER: Final = "=> "
_SHOWN: Final = 60
_OPTIONS: Final = ("-Xmx512m", *JVM_OF_TESTS)


class JvmProgram:
    """A JVM that answers each line with one that begins with `=> `.

    Args:
        main: Its main class.
        arguments: Its arguments.
        jars: Appended to its class path.
        options: JVM options: heap and compilers.
    """

    def __init__(self, main: str, *arguments: str, jars: str = "", options: Sequence[str] = _OPTIONS) -> None:
        self._run = [*options, "-cp", class_path() + (jars and f"{os.pathsep}{jars}"), main, *arguments]

    def __enter__(self: _Program) -> _Program:
        self._jvm = subprocess.Popen(
            [java(), *JVM_OPTIONS, *self._run],
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

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._jvm.pid

    def ask(self, line: str) -> str:
        """Sends a line and returns the answer.

        Raises:
            AssertionError: The program ended.
        """
        assert self._jvm.stdin is not None and self._jvm.stdout is not None
        self._jvm.stdin.write(f"{line}\n")
        self._jvm.stdin.flush()
        printed = []
        for answer in self._jvm.stdout:
            if answer.startswith(_ANSWER):
                return answer.removeprefix(_ANSWER).strip()
            printed.append(answer)  # Libraries log to standard output too.
        raise AssertionError("the program ended: " + "".join(printed[-_SHOWN:]))
