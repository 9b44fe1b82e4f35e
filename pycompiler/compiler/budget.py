"""How much work one filter may cost: steps of the compiler, and time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_MAX_STEPS: Final = 40_000
_MAX_STEPS_OF_A_TEST: Final = 8_000
"""A condition or a branch inside of a function may be looked into for each of several results, and so at
every level: the work could double with each."""
_MAX_SECONDS: Final = 1.5
"""Steps are not all alike. The handler waits for two seconds (`hudi.skipping.compiler.timeout.ms`)."""


class TooMuchWorkError(Exception):
    """A test needs more than its share of the work."""


class WorkBudget:
    """The steps and the time that are left for one filter; each of its tests has a share of them at most."""

    def __init__(self) -> None:
        self._steps_left = _MAX_STEPS
        self._deadline = time.monotonic() + _MAX_SECONDS
        self._share_left: int | None = None

    @property
    def is_in_a_test(self) -> bool:
        """Whether a share is being used: what is inside of a test takes its steps from it."""
        return self._share_left is not None

    @contextmanager
    def share_of_a_test(self) -> Iterator[None]:
        """Gives one test of the filter its share; what it does not use is left for the others."""
        share = self._share_left = min(_MAX_STEPS_OF_A_TEST, self._steps_left)
        try:
            yield
        finally:
            self._steps_left -= share - self._share_left
            self._share_left = None

    def take_step(self) -> None:
        """Counts a step of the test whose share is being used; outside of tests steps are free.

        Raises:
            TooMuchWorkError: The share or the time is used up.
        """
        if self._share_left is not None:
            if self._share_left == 0 or time.monotonic() > self._deadline:
                raise TooMuchWorkError
            self._share_left -= 1
