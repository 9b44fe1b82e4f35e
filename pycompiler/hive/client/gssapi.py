"""Kerberos tickets, by the system's GSSAPI library.

It is called directly because the packages that bind it have no wheels for Linux: users would need a compiler.
`hdfs-native` finds the same library in the same way.
"""

import ctypes
from ctypes import POINTER, Structure, byref, c_char_p, c_int, c_size_t, c_uint32, c_void_p
from typing import Final

from pycompiler.hive.client.errors import HiveError

_LIBRARY: Final = "libgssapi_krb5.so.2"

# RFC 2744.
_CONTINUE_NEEDED: Final = 1
_ERRORS: Final = 0xFFFF0000
_OUT_OF_ORDER: Final = 2 | 4 | 8 | 16
"""A message comes twice, late, or too early."""
_MUTUAL, _SEQUENCE, _CONFIDENTIAL, _INTEGRITY = 2, 8, 16, 32
_GSS_STATUS, _MECHANISM_STATUS = 1, 2


class GssapiError(HiveError):
    """The library is missing, there is no valid ticket, or what the server sent is wrong."""


class TicketError(GssapiError):
    """There is no valid ticket for the server."""


class _Buffer(Structure):
    """Bytes: ours, which Python frees, or the library's, which `_taken` releases."""

    _fields_ = (("length", c_size_t), ("value", c_void_p))


class _Oid(Structure):
    _fields_ = (("length", c_uint32), ("elements", c_char_p))


def _oid(encoded: bytes) -> _Oid:
    return _Oid(len(encoded), encoded)


# RFC 1964: 1.2.840.113554.1.2.2, and its names of principals.
_KERBEROS: Final = _oid(b"\x2a\x86\x48\x86\xf7\x12\x01\x02\x02")
_PRINCIPAL_NAME: Final = _oid(b"\x2a\x86\x48\x86\xf7\x12\x01\x02\x02\x01")


class SecurityContext:
    """The client's end of a connection that a ticket for the server's principal secures.

    Raises:
        GssapiError: The library is missing.
    """

    def __init__(self, principal: str) -> None:
        self.is_complete = False
        self._gss = _load()
        self._context = c_void_p()
        self._server = c_void_p()
        minor = c_uint32()
        encoded = principal.encode()
        name = _input(encoded)
        self._check(
            self._gss.gss_import_name(byref(minor), byref(name), byref(_PRINCIPAL_NAME), byref(self._server)),
            minor,
        )

    def step(self, token: bytes) -> bytes:
        """The answer to what the server sent; at first, to nothing."""
        minor, received, sent = c_uint32(), _input(token), _Buffer()
        major = self._gss.gss_init_sec_context(
            byref(minor),
            None,  # the default cache
            byref(self._context),
            self._server,
            byref(_KERBEROS),
            c_uint32(_MUTUAL | _SEQUENCE | _CONFIDENTIAL | _INTEGRITY),
            c_uint32(0),
            None,
            byref(received),
            None,
            byref(sent),
            None,
            None,
        )
        answer = self._taken(sent)
        if major & _ERRORS:
            raise TicketError(self._reason(major, minor))
        self.is_complete = not major & _CONTINUE_NEEDED
        return answer

    def wrap(self, data: bytes, *, encrypts: bool) -> bytes:
        """Signs data, and encrypts it if asked to."""
        minor, plain, wrapped, was_encrypted = c_uint32(), _input(data), _Buffer(), c_int()
        major = self._gss.gss_wrap(
            byref(minor),
            self._context,
            c_int(encrypts),
            c_uint32(0),
            byref(plain),
            byref(was_encrypted),
            byref(wrapped),
        )
        taken = self._taken(wrapped)
        self._check(major, minor)
        if encrypts and not was_encrypted.value:
            raise GssapiError("the Kerberos library could not encrypt")
        return taken

    def unwrap(self, data: bytes, *, encrypted: bool) -> bytes:
        """Verifies what the server signed, and decrypts it."""
        minor, wrapped, plain, was_encrypted = c_uint32(), _input(data), _Buffer(), c_int()
        major = self._gss.gss_unwrap(
            byref(minor), self._context, byref(wrapped), byref(plain), byref(was_encrypted), None
        )
        taken = self._taken(plain)
        if major & _ERRORS:
            # The mechanism's own text may be "Success".
            told = self._text(major, _GSS_STATUS)
            raise GssapiError(f"an answer did not arrive as the server sent it: {told}")
        if major & _OUT_OF_ORDER:
            raise GssapiError("answers of the server are missing, or come twice")
        if encrypted and not was_encrypted.value:
            raise GssapiError("the server did not encrypt its answer")
        return taken

    def close(self) -> None:
        """Releases what the library holds."""
        minor = c_uint32()
        self._gss.gss_delete_sec_context(byref(minor), byref(self._context), None)
        self._gss.gss_release_name(byref(minor), byref(self._server))

    def _taken(self, buffer: _Buffer) -> bytes:
        data = ctypes.string_at(buffer.value, buffer.length) if buffer.value else b""
        self._gss.gss_release_buffer(byref(c_uint32()), byref(buffer))
        return data

    def _check(self, major: int, minor: c_uint32) -> None:
        if major & _ERRORS:
            raise GssapiError(self._reason(major, minor))

    def _reason(self, major: int, minor: c_uint32) -> str:
        told = self._text(minor.value, _MECHANISM_STATUS) if minor.value else ""
        return told or self._text(major, _GSS_STATUS)

    def _text(self, status: int, kind: int) -> str:
        more, text = c_uint32(), _Buffer()
        self._gss.gss_display_status(
            byref(c_uint32()), c_uint32(status), c_int(kind), byref(_KERBEROS), byref(more), byref(text)
        )
        return self._taken(text).decode(errors="replace")


def _input(data: bytes) -> _Buffer:
    """Our bytes, valid as long as `data` is referenced."""
    return _Buffer(len(data), ctypes.cast(c_char_p(data), c_void_p))


def _load() -> ctypes.CDLL:
    try:
        gss = ctypes.CDLL(_LIBRARY)
    except OSError as error:
        raise GssapiError(
            f"Kerberos needs the system's library libgssapi_krb5 (Debian: libgssapi-krb5-2): {error}"
        ) from error
    buffer, oid, handle, number = POINTER(_Buffer), POINTER(_Oid), POINTER(c_void_p), POINTER(c_uint32)
    flag = POINTER(c_int)
    for name, arguments in {
        "gss_import_name": (number, buffer, oid, handle),
        "gss_init_sec_context": (
            *(number, c_void_p, handle, c_void_p, oid, c_uint32, c_uint32),
            *(c_void_p, buffer, c_void_p, buffer, number, number),
        ),
        "gss_wrap": (number, c_void_p, c_int, c_uint32, buffer, flag, buffer),
        "gss_unwrap": (number, c_void_p, buffer, buffer, flag, number),
        "gss_delete_sec_context": (number, handle, buffer),
        "gss_release_name": (number, handle),
        "gss_release_buffer": (number, buffer),
        "gss_display_status": (number, c_uint32, c_int, oid, number, buffer),
    }.items():
        function = getattr(gss, name)
        function.argtypes = arguments
        function.restype = c_uint32
    return gss
