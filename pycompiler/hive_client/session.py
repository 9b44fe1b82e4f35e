"""A HiveServer2 session over PyHive."""

import logging
from contextlib import ExitStack, closing
from typing import Any, Final

from pycompiler.hive_client.address import KERBEROS_FORMAT, HiveAddress
from pycompiler.hive_client.errors import HiveError
from pycompiler.hive_client.gssapi import GssapiError, TicketError
from pycompiler.hive_client.kerberos import MECHANISM, KerberosLogin
from pycompiler.hive_client.statements import identifier, text

# In the answers of servers that ask for another login: with Kerberos, and without.
_NO_USER_NAMES: Final = "Unsupported mechanism type PLAIN"
_NO_TICKETS: Final = f"Unsupported mechanism type {MECHANISM}"

# Python prints what has no handler to stderr, and our errors say it too.
logging.getLogger("thrift").addHandler(logging.NullHandler())


class HiveSession:
    """One session; not thread-safe.

    Args:
        url: Address of the server, see `HiveAddress.parse`. If it has a principal, the ticket in the default
            cache logs in.
        user: User name; None for the process's user, or that of the ticket.

    Raises:
        HiveError: No server answers, it requires another login, it has no such database, or PyHive is not
            installed.
    """

    def __init__(self, url: str, user: str | None) -> None:
        try:
            from pyhive import hive
            from pyhive.exc import Error
            from thrift.transport.TSocket import TSocket
            from thrift.transport.TTransport import TTransportException
            from thrift_sasl import TSaslClientTransport
        except ImportError as error:
            raise HiveError(f"PyHive is missing ({error}); run: pip install 'hudi-skip[hive]'") from error
        address = HiveAddress.parse(url)
        how: dict[str, Any] = {"host": address.host, "port": address.port, "username": user}
        with ExitStack() as opened:
            if address.principal is not None:
                if user is not None:
                    raise HiveError(
                        f"a Kerberos ticket tells the user: leave out {user}, or run kinit as {user}"
                    )
                login = opened.enter_context(closing(KerberosLogin(address.principal)))
                socket = TSocket(address.host, address.port)
                how = {"thrift_transport": TSaslClientTransport(lambda: login, MECHANISM, socket)}
            try:
                self._connection = hive.connect(database=address.database, **how)
            except Error as error:
                raise _rejected(error) from error
            except (GssapiError, TTransportException, OSError) as error:
                raise HiveError(_why_not_connected(error, address)) from error
            # Closing it sends a message that the login may have to encrypt, so it is closed first.
            opened.enter_context(closing(self._connection))
            self._opened = opened.pop_all()

    def close(self) -> None:
        """Ends the session."""
        self._opened.close()

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
            raise _rejected(error) from error
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


def _why_not_connected(error: Exception, address: HiveAddress) -> str:
    if isinstance(error, GssapiError):
        told = f"{error}; kinit gets a ticket" if isinstance(error, TicketError) else str(error)
        return f"cannot log in to the HiveServer2 at {address} as a client of {address.principal}: {told}"
    if _NO_USER_NAMES in str(error):
        return (
            f"the HiveServer2 at {address} requires another login than a user name; if that is Kerberos, use "
            f"an address with its principal: {KERBEROS_FORMAT}"
        )
    if _NO_TICKETS in str(error):
        return f"the HiveServer2 at {address} does not use Kerberos: leave out the principal"
    return f"no HiveServer2 answers at {address}: {str(error).splitlines()[0]}"


def _rejected(error: Exception) -> HiveError:
    """What the server said, on one line."""
    status = getattr(error.args[0], "status", None) if error.args else None
    message = getattr(status, "errorMessage", None) or str(error)
    return HiveError(f"Hive: {str(message).splitlines()[0]}")
