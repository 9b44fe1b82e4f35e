"""The option that names a HiveServer2."""

from typing import Annotated, Final, TypeAlias

import typer

from pycompiler.hive.client.address import KERBEROS_FORMAT

_FORMAT: Final = "HOST:PORT[/;principal=…]"
_KERBEROS: Final = (
    "With Kerberos, log in with the ticket that kinit got, and add the server's principal as in beeline's "
    f"URL: {KERBEROS_FORMAT}."
)

HiveOption: TypeAlias = Annotated[
    str, typer.Option(metavar=_FORMAT, help=f"Address of HiveServer2. {_KERBEROS}")
]
OptionalHiveOption: TypeAlias = Annotated[
    str | None, typer.Option(metavar=_FORMAT, help=f"Also check this HiveServer2. {_KERBEROS}")
]
