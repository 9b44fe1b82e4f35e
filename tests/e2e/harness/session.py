"""Sessions of Hive whose settings and tables last for a block."""

from __future__ import annotations

import itertools
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

import pytest
from pyhive import hive
from pyhive.exc import Error

HANDLER = "io.hudiskip.hive.HudiStorageHandler"
HUDIS_FORMAT = (
    "ROW FORMAT SERDE 'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe' "
    "STORED AS INPUTFORMAT 'org.apache.hudi.hadoop.HoodieParquetInputFormat' "
    "OUTPUTFORMAT 'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat'"
)
"""How hive-sync registers a copy-on-write table."""
_NUMBERS = itertools.count(1)

SKIPPING_DEFAULTS = {
    "hudi.skipping.mode": "on",
    "hudi.skipping.explain": "false",
    "hudi.skipping.compiler.command": "hudi-skip",
    "hudi.skipping.compiler.address": "",
    "hudi.skipping.compiler.timeout.ms": "2000",
}


class QueryFailed(Exception):
    """Hive refused or failed a statement; the message is Hive's."""


class Session(ABC):
    """One session. Not for several threads at once.

    A block's settings are restored when a statement follows that does not want them: most blocks after one
    another want the same.
    """

    def __init__(self) -> None:
        self._defaults: dict[str, str] = {}
        self._wanted: dict[str, str] = {}
        self._applied: dict[str, str] = {}

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @abstractmethod
    def close(self) -> None:
        """Ends it."""

    @abstractmethod
    def _rows(self, statement: str) -> list[tuple[Any, ...]]:
        """Runs a statement as `rows` does, with the settings that there are."""

    @abstractmethod
    def _messages(self, statement: str) -> list[str]:
        """Runs a statement as `messages` does, with the settings that there are."""

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        """Runs a statement and returns its rows; none for a statement without a result.

        Raises:
            QueryFailed: Hive answered with an error.
        """
        self._set()
        return self._rows(statement)

    def messages(self, statement: str) -> list[str]:
        """Runs a statement and returns what beeline would show of Hive's log while it runs."""
        self._set()
        return self._messages(statement)

    def assert_refused(self, statement: str, message: str) -> None:
        """Asserts that Hive refuses a statement, and that a pattern matches what it says."""
        with pytest.raises(QueryFailed, match=message):
            self.rows(statement)

    def text(self, statement: str) -> str:
        """The rows of a statement such as EXPLAIN or DESCRIBE as lines of text."""
        return "\n".join(
            "\t".join("" if cell is None else str(cell) for cell in row) for row in self.rows(statement)
        )

    @contextmanager
    def settings(self, values: Mapping[str, str]) -> Iterator[None]:
        """Sets session settings for the block."""
        before = self._wanted
        self._wanted = {**before, **values}
        try:
            self._set()
            yield
        finally:
            self._wanted = before

    def create_table(
        self,
        path: Path,
        *,
        name: str | None = None,
        columns: str = "",
        properties: Mapping[str, str] | None = None,
    ) -> str:
        """Creates an external handler table, with a column list if one is given, and returns its name."""
        name = name or f"{path.name}_t{next(_NUMBERS)}"
        self.rows(create_statement(name, path, columns=columns, properties=properties))
        return name

    @contextmanager
    def table(
        self, path: Path, *, columns: str = "", properties: Mapping[str, str] | None = None
    ) -> Iterator[str]:
        """A handler table that is dropped at the end of the block."""
        name = self.create_table(path, columns=columns, properties=properties)
        try:
            yield name
        finally:
            self.rows(f"DROP TABLE {name}")

    def _set(self) -> None:
        """Sets what the blocks around want, and what they do not want as it was before."""
        for name in [*self._applied, *(name for name in self._wanted if name not in self._applied)]:
            value = self._wanted.get(name, self._default(name))
            if self._applied.get(name) != value:
                self._rows(f"SET {name}={value}")
                self._applied[name] = value
            if name not in self._wanted:
                del self._applied[name]

    def _default(self, name: str) -> str:
        if name not in self._defaults:
            ((line,),) = self._rows(f"SET {name}")
            value = line.partition("=")[2] if "is undefined" not in line else ""
            self._defaults[name] = value or SKIPPING_DEFAULTS.get(name, "")
        return self._defaults[name]


class ServerSession(Session):
    """A session of a HiveServer2, over PyHive."""

    def __init__(self, host: str, port: int) -> None:
        super().__init__()
        self._connection = hive.connect(host=host, port=port, username="e2e")

    def close(self) -> None:
        self._connection.close()

    def _rows(self, statement: str) -> list[tuple[Any, ...]]:
        cursor = self._connection.cursor()
        try:
            cursor.execute(statement)
            return [tuple(row) for row in cursor.fetchall()] if cursor.description else []
        except Error as error:
            raise QueryFailed(server_message(error)) from error
        finally:
            cursor.close()

    def _messages(self, statement: str) -> list[str]:
        cursor = self._connection.cursor()
        try:
            cursor.execute(statement)
            cursor.fetchall()
            found: list[str] = []
            quiet_since = time.monotonic()
            while time.monotonic() - quiet_since < 0.5:  # the server logs asynchronously
                if lines := [line for text in cursor.fetch_logs() for line in text.splitlines()]:
                    found += lines
                    quiet_since = time.monotonic()
                time.sleep(0.05)
            return found
        except Error as error:
            raise QueryFailed(server_message(error)) from error
        finally:
            cursor.close()


def create_statement(
    name: str, path: Path, *, columns: str = "", properties: Mapping[str, str] | None = None
) -> str:
    """The CREATE EXTERNAL TABLE statement of a handler table."""
    column_list = f" ({columns})" if columns else ""
    pairs = ", ".join(f"'{key}' = '{value}'" for key, value in (properties or {}).items())
    table_properties = f" TBLPROPERTIES ({pairs})" if pairs else ""
    return f"CREATE EXTERNAL TABLE {name}{column_list} STORED BY '{HANDLER}' LOCATION 'file://{path}'{table_properties}"


def server_message(error: Error) -> str:
    """The message of the server without its stack trace."""
    status = getattr(error.args[0], "status", None) if error.args else None
    return str(getattr(status, "errorMessage", None) or error)
