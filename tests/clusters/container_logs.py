"""What the containers of a cluster have logged."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ..e2e.harness.scans import ScanLog

_JOB: Final = re.compile(r"syslog_dag_(?P<job>\d+_\d+_\d+)")


@dataclass(frozen=True, slots=True)
class Attempt:
    """A task that a container has begun.

    Attributes:
        container: The container's name.
        vertex: Number of the vertex of the job.
        task: Number of the task in the vertex.
        attempt: How often the task was begun before.
    """

    container: str
    vertex: int
    task: int
    attempt: int


class ContainerLogs(ScanLog):
    """The logs of all containers of the cluster in a directory, which stay when a container ends."""

    def position(self) -> int:
        """Every query has a tag of its own, so all logs may be read."""
        return 0

    def since(self, position: int) -> str:
        """All that was logged."""
        return "".join(_text(file) for file in self.files())

    def files(self, container: str = "container_*", name: str = "syslog*") -> list[Path]:
        """The log files of a container: Tez begins a new one for each query and each attempt of a task."""
        return sorted(self._path.glob(f"data/*/*/*-logDir-nm-*/application_*/{container}/{name}"))

    def attempts(self, line: str) -> list[Attempt]:
        """The attempts of tasks in the job whose application master has logged this line."""
        job = next(
            match["job"]
            for file in self.files(name="syslog_dag_*")
            if (match := _JOB.fullmatch(file.name)) and line in _text(file)
        )
        return [
            Attempt(file.parent.name, *map(int, file.name.split("_")[-3:]))
            for file in self.files(name=f"syslog_attempt_{job}_*")
        ]

    def containers_with(self, text: str) -> set[str]:
        """The names of the containers that have logged a text."""
        return {file.parent.name for file in self.files() if text in _text(file)}


def is_master(container: str) -> bool:
    """Whether a container of this name is an application master."""
    return container.endswith("_000001")


def application_of(container: str) -> str:
    """The application that a container of this name belongs to, `application_…`."""
    # container_TIME_NUMBER_ATTEMPT_CONTAINER, and an epoch in front after a restart of the ResourceManager.
    return "application_" + "_".join(container.split("_")[-4:-2])


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace")
