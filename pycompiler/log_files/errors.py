"""Errors in reading log files."""

from pycompiler.errors import HudiSkipError


class LogUnreadableError(HudiSkipError):
    """A log file is incomplete or not understood; the message says why.

    It does not name the file, so that files with the same problem can be counted together.
    """
