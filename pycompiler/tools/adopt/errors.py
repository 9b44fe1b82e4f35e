"""Errors of an adoption."""

from pycompiler.errors import HudiSkipError


class AdoptError(HudiSkipError):
    """The table was not adopted, and is as it was; the message is one line and says what to do."""
