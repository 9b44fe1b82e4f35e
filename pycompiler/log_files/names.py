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
    """What the name of a log file says.

    Attributes:
        file_id: Hudi's id of the file group.
        instant: Of the delta commit that wrote it; before table version 8, of the slice's base file.
        holds_changes: Whether it is of change data capture: no snapshot has rows of it.
    """

    file_id: str
    instant: str
    holds_changes: bool

    @staticmethod
    def parse(name: str) -> LogName | None:
        """Reads the name of a file, without its folder; None if it is no log file's."""
        found = _NAME.fullmatch(name)
        if found is None:
            return None
        return LogName(found["file_id"], found["instant"], found["changes"] is not None)
