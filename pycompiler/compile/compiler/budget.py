"""Limits the work for one filter: compiler steps, and time."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_MAX_STEPS: Final = 40_000
_MAX_STEPS_OF_A_TEST: Final = 8_000
"""Conditions nested in functions may be inverted once per wanted result, at every level: without this limit
the work could double with each."""
_MAX_SECONDS: Final = 1.5
"""Steps vary in cost. The handler waits for two seconds (`hudi.skipping.compiler.timeout.ms`)."""


class TooMuchWorkError(Exception):
    """A test needs more than its share of the work."""


class WorkBudget:
    """The steps and time left for one filter; each test gets a limited share."""

    def __init__(self) -> None:
        self._steps_left = _MAX_STEPS
        self._deadline = time.monotonic() + _MAX_SECONDS
        self._share_left: int | None = None

    @property
    def is_in_a_test(self) -> bool:
        """Whether a test's share is in use; nested tests draw on the same share."""
        return self._share_left is not None

    @contextmanager
    def share_of_a_test(self) -> Iterator[None]:
        """Reserves a share for one test of the filter; what it does not use is left for others."""
        share = self._share_left = min(_MAX_STEPS_OF_A_TEST, self._steps_left)
        try:
            yield
        finally:
            self._steps_left -= share - self._share_left
            self._share_left = None

    def take_step(self) -> None:
        """Counts a step against the current test's share; steps outside tests are free.

        Raises:
            TooMuchWorkError: The share or the time is used up.
        """
        if self._share_left is not None:
            if self._share_left == 0 or time.monotonic() > self._deadline:
                raise TooMuchWorkError
            self._share_left -= 1
