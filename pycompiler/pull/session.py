"""A session of HiveServer2 over PyHive."""

from __future__ import annotations

from types import TracebackType
from typing import Any

from pycompiler.pull.errors import PullError


class HiveSession:
    """One session; not for several threads at once."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    @staticmethod
    def connect(address: str, user: str | None) -> HiveSession:
        """Connects to a server.

        Args:
            address: `host:port`.
            user: Name of the user; None for that of the process.

        Raises:
            PullError: There is none, or PyHive is not installed.
        """
        try:
            from pyhive import hive
            from thrift.transport.TTransport import TTransportException
        except ImportError as error:
            raise PullError(f"PyHive is missing ({error}): pip install 'hudi-skip[hive]'") from error
        host, _, port = address.rpartition(":")
        if not host or not port.isdigit():
            raise PullError(f"{address} is no address: give it as host:port")
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
        """Runs a statement and returns its rows; none for a statement without a result.

        Raises:
            PullError: The server refused or failed it.
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
