"""The ways in which Hive runs a query."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Final

_FETCH: Final = {"hive.fetch.task.conversion": "more", "hive.fetch.task.conversion.threshold": "-1"}
_JOB: Final = {"hive.fetch.task.conversion": "none"}

WAYS: Final[Mapping[str, Mapping[str, str]]] = {
    "fetch": _FETCH,
    "Tez in vectors": {**_JOB, "hive.vectorized.execution.enabled": "true"},
    "Tez row by row": {**_JOB, "hive.vectorized.execution.enabled": "false"},
    "MapReduce": {**_JOB, "hive.execution.engine": "mr"},
    "without skipping": {**_FETCH, "hudi.skipping.mode": "off"},
}
"""The settings of a session by the name of the way."""

_WEIGHTS: Final = (60, 12, 10, 4, 14)
"""How often each is drawn: most of all the fetch, which starts no job."""


def random_way(rng: random.Random) -> str:
    """The name of one of the ways."""
    return rng.choices(list(WAYS), _WEIGHTS)[0]
