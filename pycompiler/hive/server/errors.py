"""Errors of an embedded HiveServer2."""

from pycompiler.errors import HudiSkipError


class HiveServerError(HudiSkipError):
    """The server cannot be started, found or stopped. The message says what to do."""
