"""Why a page cannot be written."""

from pycompiler.errors import HudiSkipError


class PageError(HudiSkipError):
    """A page cannot be written; the message says why."""
