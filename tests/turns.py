"""Which tests have their turn today: of those that take seconds each run takes a part.

A test that needs Hive or Spark or breaks a rule, or is marked `in_turn(N)`, runs on one day of N, in `make
test` as in CI; `HUDI_SKIP_TURN` names another day's turn by its number, or `all`. So every test is run over
the days, and a failure is seen again by whoever sets the number that the run printed.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Sequence
from datetime import datetime, timezone
from typing import Final, NamedTuple, TypeVar

import pytest

T = TypeVar("T")

VARIABLE: Final = "HUDI_SKIP_TURN"
ALL: Final = "all"


class Parts(NamedTuple):
    """Into how many parts the tests of a folder are divided: cases of tests with parameters, and others."""

    cases: int
    others: int


_OF_FOLDERS: Final = {
    "tests/e2e/": Parts(10, 5),
    "tests/spark/": Parts(6, 4),
    "tests/properties/": Parts(6, 1),
    "tests/unit/cli/": Parts(3, 2),
    "tests/unit/index/test_publish_faults.py": Parts(4, 2),
}


def fix_turn() -> str:
    """Decides for a run and all of its processes, and returns the number."""
    return os.environ.setdefault(VARIABLE, str(datetime.now(timezone.utc).date().toordinal()))


def turn() -> int | None:
    """The number of this run's turn; None if everything has its turn."""
    value = fix_turn()
    return None if value == ALL else int(value)


def in_turn(items: Sequence[T], parts: int) -> Sequence[T]:
    """Those of some items that have their turn: one of `parts`, or all."""
    number = turn()
    return items if number is None else items[number % parts :: parts]


def select(items: list[pytest.Item]) -> list[pytest.Item]:
    """Takes the tests that have no turn now out of a list, and returns them."""
    number = turn()
    waiting = [item for item in items if number is not None and not _has_turn(item, number)]
    left_out = {id(item) for item in waiting}
    items[:] = [item for item in items if id(item) not in left_out]
    return waiting


def _has_turn(item: pytest.Item, number: int) -> bool:
    # By name, so that a test which is added moves no other.
    return (zlib.crc32(item.nodeid.encode()) + number) % _parts(item) == 0


def _parts(item: pytest.Item) -> int:
    mark = item.get_closest_marker("in_turn")
    if mark is not None:
        return int(mark.args[0])
    if getattr(item, "cls", None) is not None:
        return 1  # Tests of a class follow on one another.
    for folder, parts in _OF_FOLDERS.items():
        if item.nodeid.startswith(folder):
            return parts.cases if hasattr(item, "callspec") else parts.others
    return 1
