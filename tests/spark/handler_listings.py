"""The handler's listings from the index, held against Hudi's view of the same table by a program in Java."""

from __future__ import annotations

import subprocess
from pathlib import Path
from types import TracebackType
from typing import Final

from tests.conformance.agreement.jvm_evaluator import class_path, java

_MAIN: Final = "io.hudiskip.hive.catalogue.CompareListings"
_ANSWER: Final = "=> "
INDEX: Final = "index"
"""What is said of a table that the index lists, as Hudi does."""


class HandlerListings:
    """A JVM that compares listings, one table after the other."""

    def __enter__(self) -> HandlerListings:
        self._jvm = subprocess.Popen(
            [java(), "-Xmx512m", "-cp", class_path(), _MAIN],
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

    def compared(self, table: Path) -> str:
        """Says who lists a table: `INDEX`, or `files: ` and why the index does not serve.

        Raises:
            AssertionError: The listings differ, or the program ended.
        """
        assert self._jvm.stdin is not None and self._jvm.stdout is not None
        self._jvm.stdin.write(f"{table}\n")
        self._jvm.stdin.flush()
        said = []
        for line in self._jvm.stdout:
            if line.startswith(_ANSWER):
                answer = line.removeprefix(_ANSWER).strip()
                assert not answer.startswith("DIFFERENT"), answer
                return answer
            said.append(line)  # of libraries, which log
        raise AssertionError("the program ended: " + "".join(said[-20:]))
