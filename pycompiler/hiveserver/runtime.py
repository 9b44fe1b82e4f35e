"""The server's class paths, the handler's bundle, and a Java, as set up by `make setup`."""

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pycompiler.hiveserver.errors import HiveServerError
from pycompiler.installation import NotInstalledError, built, find_java


@dataclass(frozen=True, slots=True)
class HiveRuntime:
    """Class paths, as for `java -cp`, and the `java` to use."""

    java: Path
    server_class_path: str
    beeline_class_path: str

    @staticmethod
    def find() -> "HiveRuntime":
        """Finds what `make setup` has installed.

        Raises:
            HiveServerError: Something is missing; the message names it.
        """
        try:
            bundle, server = built("hive/hive-handler-bundle.jar"), built("hive/embedded-hiveserver.jar")
            return HiveRuntime(
                java=find_java(),
                # Last, like a jar in Hive's auxlib: the bundle must work behind Hive's own jars.
                server_class_path=os.pathsep.join([_class_path("hiveserver"), str(server), str(bundle)]),
                beeline_class_path=_class_path("beeline"),
            )
        except NotInstalledError as error:
            raise HiveServerError(str(error)) from error

    def with_jars(self, jars: Sequence[Path]) -> "HiveRuntime":
        """The runtime with more jars beside the bundle."""
        return replace(self, server_class_path=os.pathsep.join([self.server_class_path, *map(str, jars)]))


def compiler_command() -> str:
    """The `hudi-skip` of this Python, so that the server compiles with the code that started it."""
    beside = Path(sys.executable).parent / "hudi-skip"
    # The setting is a command line: quotes protect blanks in the path.
    return f'"{beside}"' if beside.exists() else "hudi-skip"


def _class_path(of: str) -> str:
    return built(f"hive/{of}.classpath").read_text(encoding="utf-8").strip()
