"""A query whose answer is known, before and after all others: is the server still right?"""

from collections import Counter, defaultdict
from pathlib import Path
from typing import Final

from ..tables import ORDERS
from .check import assert_same_rows
from .session import Session

MANY_TASKS: Final = {
    "hive.fetch.task.conversion": "none",
    # A task for each file.
    "tez.grouping.min-size": "1",
    "tez.grouping.max-size": "1",
}
FOREIGN_PATH: Final = "Invalid input path"
"""In the log if a task was given a file of another query."""


def assert_server_is_right(session: Session, log: Path, when: str) -> None:
    """Runs an aggregate of many tasks over all files, and looks for tasks that saw another's files.

    It changes settings of the session, and needs one of its own.
    """
    rows = [row for file in ORDERS.files for row in file]
    counts = Counter(row["qty"] % 5 for row in rows)
    sums: dict[int, int] = defaultdict(int)
    for row in rows:
        sums[row["qty"] % 5] += row["ord"]
    for name, value in MANY_TASKS.items():
        session.rows(f"SET {name}={value}")
    answer = session.rows("select qty % 5, count(*), sum(ord) from orders group by qty % 5")
    assert_same_rows(answer, [(k, counts[k], sums[k]) for k in counts], f"the canary, {when}")
    with log.open(encoding="utf-8", errors="replace") as lines:
        foreign = [line.strip() for line in lines if FOREIGN_PATH in line]
    assert not foreign, f"{when}, tasks were given files of another query:\n" + "\n".join(foreign[:5])
