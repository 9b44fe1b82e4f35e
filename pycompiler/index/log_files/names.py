"""Names of log files: `.<file id>_<instant>.log.<version>_<write token>`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_NAME: Final = re.compile(
    r"\.(?P<file_id>.+)_(?P<instant>\d+)\.log\.\d+(?:_\d+-\d+-\d+(?P<changes>\.cdc)?)?", re.ASCII
)


@dataclass(frozen=True, slots=True)
class LogName:
    """The parts of a log file's name.

    Attributes:
        instant: Instant of the delta commit that wrote the file; before table version 8, of the slice's base
            file.
        holds_changes: Whether it holds change data capture records, which no snapshot contains.
    """

    file_id: str
    instant: str
    holds_changes: bool

    @staticmethod
    def parse(name: str) -> LogName | None:
        """Parses a file name without folder; None if it is not a log file's."""
        found = _NAME.fullmatch(name)
        if found is None:
            return None
        return LogName(found["file_id"], found["instant"], found["changes"] is not None)
