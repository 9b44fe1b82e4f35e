"""Errors of HiveServer2, and on the way to it."""

from pycompiler.errors import HudiSkipError


class HiveError(HudiSkipError):
    """No server answers, or it rejected a statement; the message is one line and says why."""


class ConnectionLostError(HiveError):
    """The connection broke; whether the server still runs the last statement is unknown."""

    def __init__(self, reason: str, remedy: str = "run the command again") -> None:
        super().__init__(f"{reason}; when the server answers again, {remedy}")
        self.reason = reason
