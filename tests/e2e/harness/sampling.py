"""Selects the queries that run once more in shadow mode: some of each kind, to keep the suite quick."""

import os
from collections import Counter
from collections.abc import Mapping

SHADOW_EVERY = int(os.environ.get("HUDI_SKIP_SHADOW_EVERY", "4"))
"""The first query of a kind and every n-th after it also run in shadow mode; 1 runs all.

Running all took 7 of the suite's 27 minutes on two busy cores.
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
    """The running test function, without its parameters, and the settings of its query."""
    test = os.environ.get("PYTEST_CURRENT_TEST", "").partition("[")[0]
    return test, tuple(sorted((settings or {}).items()))
