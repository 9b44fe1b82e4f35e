"""The handler's listings from the index, held against Hudi's view of the same table by a program in Java."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Final

from tests.conformance.agreement.jvm_program import JvmProgram

_MAIN: Final = "io.hudiskip.hive.catalogue.CompareListings"
INDEX: Final = "index"
"""What is said of a table that the index lists, as Hudi does."""


class HandlerListings:
    """A JVM that compares listings, one table after the other."""

    def __init__(self) -> None:
        self._program = JvmProgram(_MAIN)

    def __enter__(self) -> HandlerListings:
        self._program.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._program.__exit__(kind, error, trace)

    def compared(self, table: Path) -> str:
        """Says who lists a table: `INDEX`, or `files: ` and why the index does not serve.

        Raises:
            AssertionError: The listings differ, or the program ended.
        """
        answer = self._program.ask(str(table))
        assert not answer.startswith("DIFFERENT"), answer
        return answer
