"""The address of a HiveServer2, as beeline takes it."""

from __future__ import annotations

import re
import socket
from dataclasses import dataclass
from typing import Final

from pycompiler.hive.client.errors import HiveError

KERBEROS_FORMAT: Final = "HOST:PORT/;principal=hive/_HOST@REALM"

_PREFIX: Final = "jdbc:hive2://"
_ADDRESS: Final = re.compile(r"(?P<host>[^/;,]+):(?P<port>\d+)(?:/(?P<database>\w*))?(?P<variables>;.*)?")
_PRINCIPAL: Final = "principal"
_HOST: Final = "_HOST"


@dataclass(frozen=True, slots=True)
class HiveAddress:
    """Where a HiveServer2 listens, and its Kerberos principal if it asks for tickets."""

    host: str
    port: int
    database: str = "default"
    principal: str | None = None

    @staticmethod
    def parse(text: str) -> HiveAddress:
        """Parses `host:port`, which a database and a principal may follow as in beeline's URLs."""
        found = _ADDRESS.fullmatch(text.removeprefix(_PREFIX))
        if found is None:
            raise HiveError(
                f"{text} is not an address; use the format host:port, or with Kerberos {KERBEROS_FORMAT}"
            )
        principal = None
        for variable in filter(None, (found["variables"] or "").split(";")):
            name, _, value = variable.partition("=")
            if name != _PRINCIPAL:
                raise HiveError(f"{text}: hudi-skip knows no variable but {_PRINCIPAL}; leave out {name}")
            principal = _checked_principal(value, found["host"])
        return HiveAddress(found["host"], int(found["port"]), found["database"] or "default", principal)

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


def _checked_principal(principal: str, host: str) -> str:
    """The principal with the host's name for `_HOST`, as Hive's JDBC driver has it."""
    service, slash, rest = principal.partition("/")
    instance, _, realm = rest.partition("@")
    if not service or not slash or not instance or not realm:
        raise HiveError(f"{principal} is not the principal of a server; use the format hive/_HOST@REALM")
    return f"{service}/{socket.getfqdn(host).lower() if instance == _HOST else instance}@{realm}"
