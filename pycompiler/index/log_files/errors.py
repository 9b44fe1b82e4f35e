"""Errors in reading log files, and base files whose statistics prove nothing."""

from pycompiler.errors import HudiSkipError


class StatisticsUntrustedError(HudiSkipError):
    """A file gets no statistics, so it is always read; the message says why.

    It does not name the file, so that files with the same problem can be counted together.
    """


class LogUnreadableError(StatisticsUntrustedError):
    """A log file is incomplete or not understood."""
