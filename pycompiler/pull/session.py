"""A HiveServer2 session over PyHive."""

from __future__ import annotations

from types import TracebackType
from typing import Any

from pycompiler.pull.errors import PullError


class HiveSession:
    """One session; not thread-safe."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    @staticmethod
    def connect(address: str, user: str | None) -> HiveSession:
        """Connects to a server.

        Args:
            address: `host:port`.
            user: User name; None for the process's user.

        Raises:
            PullError: No server answers, or PyHive is not installed.
        """
        try:
            from pyhive import hive
            from thrift.transport.TTransport import TTransportException
        except ImportError as error:
            raise PullError(f"PyHive is missing ({error}); run: pip install 'hudi-skip[hive]'") from error
        host, _, port = address.rpartition(":")
        if not host or not port.isdigit():
            raise PullError(f"{address} is not an address; use the format host:port")
        try:
            return HiveSession(hive.connect(host=host, port=int(port), username=user))
        except (TTransportException, OSError) as error:
            raise PullError(f"no HiveServer2 answers at {address}: {str(error).splitlines()[0]}") from error

    def __enter__(self) -> HiveSession:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        """Runs a statement and returns its rows, if any.

        Raises:
            PullError: The server rejected the statement, or it failed.
        """
        from pyhive.exc import Error

        cursor = self._connection.cursor()
        try:
            cursor.execute(statement)
            return [tuple(row) for row in cursor.fetchall()] if cursor.description else []
        except Error as error:
            status = getattr(error.args[0], "status", None) if error.args else None
            message = getattr(status, "errorMessage", None) or str(error)
            raise PullError(f"Hive: {str(message).splitlines()[0]}") from error
        finally:
            cursor.close()
