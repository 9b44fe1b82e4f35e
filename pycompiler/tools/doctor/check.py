"""What was checked, and what came of it."""

from dataclasses import dataclass
from enum import Enum


class State(Enum):
    """What came of a check."""

    OK = "ok"
    ABSENT = "absent"
    """Not there, and only some machines need it."""
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the report.

    Attributes:
        found: What was found, or what is wrong.
        remedy: What to do about it; empty if there is nothing to do.
    """

    subject: str
    state: State
    found: str
    remedy: str = ""
