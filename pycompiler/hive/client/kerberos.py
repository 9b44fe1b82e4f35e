"""The login with a Kerberos ticket: SASL's mechanism GSSAPI, RFC 4752."""

import struct
from typing import Final

from pycompiler.hive.client.gssapi import GssapiError, SecurityContext

MECHANISM: Final = "GSSAPI"

_PLAIN, _SIGNED, _ENCRYPTED = 1, 2, 4
"""Layers that a server may offer, weakest first."""
_LARGEST: Final = 0xFFFFFF
"""Bytes of a message that we take: the most that the protocol can say."""
_LENGTH: Final = struct.Struct(">I")


class KerberosLogin:
    """One login, and the layer that then protects the connection; what `thrift_sasl` calls a SASL client.

    Raises:
        GssapiError: The system's library is missing.
    """

    def __init__(self, principal: str) -> None:
        self._context = SecurityContext(principal)
        self._layer = _PLAIN

    def start(self, mechanism: str) -> tuple[bool, str, bytes]:
        """The first message.

        Raises:
            TicketError: There is no valid ticket.
        """
        return True, mechanism, self._context.step(b"")

    def step(self, challenge: bytes | str) -> tuple[bool, bytes]:
        """The answer to a message of the server."""
        received = challenge if isinstance(challenge, bytes) else b""  # thrift_sasl has "" for no bytes
        if not self._context.is_complete:
            return True, self._context.step(received)
        offer = self._context.unwrap(received, encrypted=False)
        if len(offer) != _LENGTH.size:
            raise GssapiError("the server offers no layer of protection")
        known = [layer for layer in (_ENCRYPTED, _SIGNED, _PLAIN) if offer[0] & layer]
        if not known:
            raise GssapiError(f"the server offers only unknown layers of protection: {offer[0]}")
        self._layer = known[0]
        largest = 0 if self._layer == _PLAIN else _LARGEST
        choice = _LENGTH.pack(self._layer << 24 | largest)
        return True, self._context.wrap(choice, encrypts=False)

    def encode(self, data: bytes) -> tuple[bool, bytes]:
        """What is sent instead of the data; the data itself if nothing protects it."""
        if self._layer == _PLAIN:
            return True, data
        wrapped = self._context.wrap(data, encrypts=self._layer == _ENCRYPTED)
        return True, _LENGTH.pack(len(wrapped)) + wrapped

    def decode(self, received: bytes) -> tuple[bool, bytes]:
        """The data of a message that includes its length."""
        wrapped = received[_LENGTH.size :]
        return True, self._context.unwrap(wrapped, encrypted=self._layer == _ENCRYPTED)

    def close(self) -> None:
        """Forgets the ticket."""
        self._context.close()
