"""Ways in which Hive runs a query."""

import random
from collections.abc import Mapping
from typing import Final

USUAL: Final = {
    "hive.fetch.task.conversion": "more",
    "hive.fetch.task.conversion.threshold": "-1",
    "hive.vectorized.execution.enabled": "true",
    "hive.execution.engine": "tez",
    "hudi.skipping.mode": "on",
}
"""Settings of the first way; the other ways set the same keys."""

_JOB: Final = {**USUAL, "hive.fetch.task.conversion": "none"}

WAYS: Final[Mapping[str, Mapping[str, str]]] = {
    "fetch": USUAL,
    "Tez in vectors": _JOB,
    "Tez row by row": {**_JOB, "hive.vectorized.execution.enabled": "false"},
    "MapReduce": {**_JOB, "hive.execution.engine": "mr"},
    "without skipping": {**USUAL, "hudi.skipping.mode": "off"},
}
"""Session settings by name of the way."""

_WEIGHTS: Final = (60, 12, 10, 4, 14)
"""How often each way is drawn: mostly fetch, which starts no job."""


def random_way(rng: random.Random) -> str:
    """Draws the name of a way."""
    return rng.choices(list(WAYS), _WEIGHTS)[0]
