"""Lists a table under filters with the real handler, in a Java program."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, Final

from pycompiler.compile.expression.model import HudiExpression
from pycompiler.compile.wire.expression import to_bytes
from tests.conformance.agreement.jvm_program import JvmProgram

_MAIN: Final = "io.hudiskip.scan.ListSlices"


@dataclass(frozen=True, slots=True)
class File:
    """A base file or a log file.

    Attributes:
        path: Path relative to the table.
        size: Bytes, as listed.
    """

    path: str
    size: int


@dataclass(frozen=True, slots=True)
class Slice:
    """A file slice.

    Attributes:
        partition: Partition path relative to the table.
        file_id: Hudi's id of the file group.
        base: The base file, if there is one.
        logs: The log files, newest first.
        rows: The rows that the handler reads, as `records.IDENTITY` in `snapshot`.
    """

    partition: str
    file_id: str
    base: File | None
    logs: tuple[File, ...]
    rows: tuple[tuple[str, str], ...]

    @property
    def group(self) -> tuple[str, str]:
        """Identifies the slice within a snapshot."""
        return self.partition, self.file_id

    @staticmethod
    def of(described: dict[str, Any]) -> Slice:
        """Parses a slice from the program's answer."""
        partition = described["partition"]

        def file(name: str, size: int) -> File:
            return File(f"{partition}/{name}" if partition else name, size)

        base = described["base"]
        logs = tuple(file(*log) for log in described["logs"])
        rows = tuple(sorted((number, key) for number, key in described["rows"]))
        return Slice(partition, described["id"], None if base is None else file(*base), logs, rows)


class Handler(JvmProgram):
    """A JVM that lists tables for one caller at a time."""

    def __init__(self) -> None:
        super().__init__(_MAIN)
        self._lock = Lock()

    def listing(
        self, table: Path, expressions: Sequence[HudiExpression]
    ) -> tuple[tuple[Slice, ...], list[frozenset[int]]]:
        """Returns the slices of the latest snapshot, and for each expression the positions of those read.

        Raises:
            AssertionError: The table cannot be read.
        """
        asked = {"table": str(table), "expressions": [to_bytes(each).hex() for each in expressions]}
        with self._lock:
            answer = json.loads(self.ask(json.dumps(asked)))
        kept = [frozenset(positions) for positions in answer["kept"]]
        assert not any(None in positions for positions in kept), f"{table}: a slice comes from nowhere"
        return tuple(map(Slice.of, answer["slices"])), kept
