"""Errors in a pull."""

from pycompiler.errors import HudiSkipError


class PullError(HudiSkipError):
    """Nothing was pulled; the message is one line and says what to do."""
