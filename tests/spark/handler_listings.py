"""The handler's listings from the index, held against Hudi's view of the same table by a program in Java."""

from pathlib import Path
from typing import Final

from tests.conformance.agreement.jvm_program import JvmProgram

_MAIN: Final = "io.hudiskip.table.source.CompareListings"
INDEX: Final = "index"
"""What is said of a table that the index lists, as Hudi does."""


class HandlerListings(JvmProgram):
    """A JVM that compares listings, one table after the other."""

    def __init__(self) -> None:
        super().__init__(_MAIN)

    def compared(self, table: Path) -> str:
        """Says who lists a table: `INDEX`, or `files: ` and why the index does not serve.

        Raises:
            AssertionError: The listings differ, or the program ended.
        """
        answer = self.ask(str(table))
        assert not answer.startswith("DIFFERENT"), answer
        return answer
