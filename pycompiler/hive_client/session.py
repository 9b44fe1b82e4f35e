"""A HiveServer2 session over PyHive."""

from typing import Any, Final

from pycompiler.hive_client.errors import HiveError
from pycompiler.hive_client.statements import identifier, text

# In the answer of a server whose hive.server2.authentication is KERBEROS.
_OTHER_LOGIN: Final = "Unsupported mechanism type PLAIN"


class HiveSession:
    """One session; not thread-safe.

    Args:
        address: `host:port` of the server.
        user: User name; None for the process's user.

    Raises:
        HiveError: No server answers, it requires another login, or PyHive is not installed.
    """

    def __init__(self, address: str, user: str | None) -> None:
        try:
            from pyhive import hive
            from thrift.transport.TTransport import TTransportException
        except ImportError as error:
            raise HiveError(f"PyHive is missing ({error}); run: pip install 'hudi-skip[hive]'") from error
        host, _, port = address.rpartition(":")
        if not host or not port.isdigit():
            raise HiveError(f"{address} is not an address; use the format host:port")
        try:
            self._connection = hive.connect(host=host, port=int(port), username=user)
        except (TTransportException, OSError) as error:
            if _OTHER_LOGIN in str(error):
                raise HiveError(
                    f"the HiveServer2 at {address} requires another login, such as a Kerberos ticket; "
                    "hudi-skip can log in only with a user name"
                ) from error
            raise HiveError(f"no HiveServer2 answers at {address}: {str(error).splitlines()[0]}") from error

    def close(self) -> None:
        """Ends the session."""
        self._connection.close()

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        """Runs a statement and returns its rows, if any.

        Raises:
            HiveError: The server rejected the statement, or it failed.
        """
        from pyhive.exc import Error

        cursor = self._connection.cursor()
        try:
            cursor.execute(statement)
            return [tuple(row) for row in cursor.fetchall()] if cursor.description else []
        except Error as error:
            status = getattr(error.args[0], "status", None) if error.args else None
            message = getattr(status, "errorMessage", None) or str(error)
            raise HiveError(f"Hive: {str(message).splitlines()[0]}") from error
        finally:
            cursor.close()

    def has_table(self, table: str) -> bool:
        """Whether there is a table or view of this name, `database.table`.

        Raises:
            HiveError: The server does not tell.
        """
        database, _, name = table.partition(".")
        found = self.rows(f"SHOW TABLES IN {identifier(database)} {text(name)}")
        return any(str(row[0]).lower() == name.lower() for row in found)  # `_` matches any letter.
