"""Privileges that the metastore has on a table."""

from collections.abc import Sequence
from dataclasses import dataclass

from pycompiler.hive.client.errors import HiveError
from pycompiler.hive.client.session import HiveSession
from pycompiler.hive.client.statements import identifier, quoted


@dataclass(frozen=True, slots=True)
class Grant:
    """One privilege of one principal.

    Attributes:
        column: The only column that it is for; empty for the whole table.
        principal: Name of a user, role or group.
        kind: `USER`, `ROLE` or `GROUP`.
        privilege: Such as `SELECT`.
        is_grantable: Whether the principal may grant it.
    """

    column: str
    principal: str
    kind: str
    privilege: str
    is_grantable: bool

    def statement(self, table: str) -> str:
        """The statement that grants it on a table."""
        column = f" ({identifier(self.column)})" if self.column else ""
        option = " WITH GRANT OPTION" if self.is_grantable else ""
        return (
            f"GRANT {self.privilege}{column} ON TABLE {quoted(table)}"
            f" TO {self.kind} {identifier(self.principal)}{option}"
        )


def read_grants(session: HiveSession, table: str) -> Sequence[Grant]:
    """The privileges on a table; takes the session's role ADMIN if they are not visible otherwise.

    Raises:
        HiveError: Hive does not show them: not to this user, or because something else keeps them.
    """
    query = f"SHOW GRANT ON TABLE {quoted(table)}"
    try:
        rows = session.rows(query)
    except HiveError:
        session.rows("SET ROLE ADMIN")
        rows = session.rows(query)
    # database, table, partition, column, principal, kind, privilege, grant option, time, grantor
    return [
        Grant(str(row[3] or ""), str(row[4]), str(row[5]), str(row[6]), str(row[7]).lower() == "true")
        for row in rows
    ]
