"""A HiveServer2 session over PyHive."""

import getpass
import json
import logging
import socket
from contextlib import ExitStack, closing, suppress
from typing import Any, Final

from pycompiler.hive.client.address import KERBEROS_FORMAT, HiveAddress
from pycompiler.hive.client.errors import ConnectionLostError, HiveError
from pycompiler.hive.client.gssapi import GssapiError, TicketError
from pycompiler.hive.client.kerberos import MECHANISM, KerberosLogin
from pycompiler.hive.client.statements import identifier, quoted, text

# In the answers of servers that ask for another login: with Kerberos, and without.
_NO_USER_NAMES: Final = "Unsupported mechanism type PLAIN"
_NO_TICKETS: Final = f"Unsupported mechanism type {MECHANISM}"

_KEEP_ALIVE: Final = {"TCP_KEEPIDLE": 60, "TCP_KEEPINTVL": 15, "TCP_KEEPCNT": 4}
"""Finds out within two minutes that a server is gone which says nothing: a statement may take hours."""

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
        self._address = address = HiveAddress.parse(url)
        self._rejection = Error
        self._breaks = (GssapiError, TTransportException, OSError)
        self._lost = ""
        """Why no statement can be sent any more; empty while it can."""
        with ExitStack() as opened:
            if address.principal is None:
                user = user or getpass.getuser()
                login, mechanism = hive.get_installed_sasl(address.host, "PLAIN", None, user, "x"), "PLAIN"
            else:
                if user is not None:
                    raise HiveError(
                        f"a Kerberos ticket tells the user: leave out {user}, or run kinit as {user}"
                    )
                login, mechanism = opened.enter_context(closing(KerberosLogin(address.principal))), MECHANISM
            connected = TSocket(address.host, address.port, socket_keepalive=True)
            transport = TSaslClientTransport(lambda: login, mechanism, connected)
            opened.callback(transport.close)
            try:
                self._connection = hive.connect(
                    username=user, database=address.database, thrift_transport=transport
                )
            except Error as error:
                raise _rejected(error) from error
            except self._breaks as error:
                raise HiveError(_why_not_connected(error, address)) from error
            for option, value in _KEEP_ALIVE.items():
                if hasattr(socket, option):  # those of Linux
                    connected.handle.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)
            self._opened = opened.pop_all()

    def close(self) -> None:
        """Ends the session. Never fails: the server ends those of clients that are gone by itself."""
        with self._opened:  # the login is needed to send this message
            if not self._lost:
                with suppress(self._rejection, *self._breaks):
                    self._connection.close()

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        """Runs a statement and returns its rows, if any.

        Raises:
            ConnectionLostError: The connection broke, now or earlier.
            HiveError: The server rejected the statement, or it failed.
        """
        if self._lost:
            raise ConnectionLostError(self._lost)
        try:
            with closing(self._connection.cursor()) as cursor:
                cursor.execute(statement)
                return [tuple(row) for row in cursor.fetchall()] if cursor.description else []
        except self._rejection as error:
            raise _rejected(error) from error
        except self._breaks as error:
            cause = getattr(error, "inner", None) or error
            self._lost = f"the connection to the HiveServer2 at {self._address} broke: {cause}"
            raise ConnectionLostError(self._lost) from error

    def tables(self, database: str) -> list[str]:
        """The tables and views of a database, as `database.table` in lower case.

        Raises:
            HiveError: There is no such database, or the server does not tell.
        """
        rows = self.rows(f"SHOW TABLES IN {identifier(database)}")
        return [f"{database}.{row[0]}".lower() for row in rows]

    def described(self, table: str) -> dict[str, Any]:
        """What the metastore has of a table, `database.table`, as Hive names it in JSON.

        Raises:
            HiveError: There is no such table, or the server does not tell.
        """
        self.rows("SET hive.ddl.output.format=json")
        try:
            ((document,),) = self.rows(f"DESCRIBE EXTENDED {quoted(table)}")
        finally:
            self.rows("SET hive.ddl.output.format=text")
        found: dict[str, Any] = json.loads(document)["tableInfo"]
        return found

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
