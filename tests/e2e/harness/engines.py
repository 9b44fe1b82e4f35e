"""The ways in which Hive runs a query, as settings of a session."""

from collections.abc import Mapping
from typing import Final

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
