"""Which of many queries get one more run, so that a suite stays quick and leaves no kind of query out."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping

SHADOW_EVERY = int(os.environ.get("HUDI_SKIP_SHADOW_EVERY", "4"))
"""Of the queries of one kind the first and then every so-many-th runs in shadow mode as well; 1 runs all.

All of them took 7 of the suite's 27 minutes, on two cores with much else to do.
"""


class EveryNth:
    """Takes the first of each kind and then every n-th."""

    def __init__(self, n: int) -> None:
        self._n = n
        self._seen: Counter[object] = Counter()

    def takes(self, kind: object) -> bool:
        """Whether to take the next one of this kind."""
        self._seen[kind] += 1
        return (self._seen[kind] - 1) % self._n == 0


def kind_of_query(settings: Mapping[str, str] | None) -> object:
    """The test function that is running, whatever its parameters, and the settings that it gives a query."""
    test = os.environ.get("PYTEST_CURRENT_TEST", "").partition("[")[0]
    return test, tuple(sorted((settings or {}).items()))
