"""The ways in which Hive runs a query, as settings of a session."""

import itertools
import os
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Final, TypeVar
from zlib import crc32

_Way = TypeVar("_Way")
_Question = TypeVar("_Question")

FETCH: Final = {"hive.fetch.task.conversion": "more"}
"""Row by row in HiveServer2, if the query is one that needs no job."""
TEZ: Final = {"hive.fetch.task.conversion": "none"}
"""In batches of rows, if the types allow it."""
ROW_BY_ROW: Final = {**TEZ, "hive.vectorized.execution.enabled": "false"}
MAPREDUCE: Final = {**TEZ, "hive.execution.engine": "mr"}

MODES: Final[Mapping[str, Mapping[str, str]]] = {
    "vectorised": TEZ,
    "rows": ROW_BY_ROW,
    "fetch task": FETCH,
}
ENGINES: Final[Mapping[str, Mapping[str, str]]] = {
    "fetch task": FETCH,
    "tez": TEZ,
    "tez, row by row": ROW_BY_ROW,
    "mapreduce": MAPREDUCE,
}

_ASKED: Final[Counter[str]] = Counter()


def in_turn(ways: Collection[_Way], questions: Collection[_Question]) -> Iterator[tuple[_Way, _Question]]:
    """Pairs instead of the product: each way and each question at least once, in other pairs the next time.

    Where it begins depends on the running test, and on how often that has asked.
    """
    test = os.environ.get("PYTEST_CURRENT_TEST", "").partition(" ")[0]
    start = (crc32(test.encode()) + _ASKED[test]) % len(ways)
    _ASKED[test] += 1
    most = max(len(ways), len(questions))
    in_order = itertools.islice(itertools.cycle(ways), start, start + most)
    return zip(in_order, itertools.cycle(questions), strict=False)
