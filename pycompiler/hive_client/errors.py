"""Errors of HiveServer2, and on the way to it."""

from pycompiler.errors import HudiSkipError


class HiveError(HudiSkipError):
    """No server answers, or it rejected a statement; the message is one line and says why."""
