"""A HiveServer2 session over PyHive."""

from typing import Any

from pycompiler.pull.errors import PullError


class HiveSession:
    """One session; not thread-safe.

    Args:
        address: `host:port` of the server.
        user: User name; None for the process's user.

    Raises:
        PullError: No server answers, or PyHive is not installed.
    """

    def __init__(self, address: str, user: str | None) -> None:
        try:
            from pyhive import hive
            from thrift.transport.TTransport import TTransportException
        except ImportError as error:
            raise PullError(f"PyHive is missing ({error}); run: pip install 'hudi-skip[hive]'") from error
        host, _, port = address.rpartition(":")
        if not host or not port.isdigit():
            raise PullError(f"{address} is not an address; use the format host:port")
        try:
            self._connection = hive.connect(host=host, port=int(port), username=user)
        except (TTransportException, OSError) as error:
            raise PullError(f"no HiveServer2 answers at {address}: {str(error).splitlines()[0]}") from error

    def close(self) -> None:
        """Ends the session."""
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
