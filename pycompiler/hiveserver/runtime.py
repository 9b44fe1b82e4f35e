"""What `make setup` leaves for the server: class paths, the handler's bundle, and a Java to run them."""

import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pycompiler.hiveserver.errors import HiveServerError

HOME_VARIABLE = "HUDI_SKIP_HOME"
"""Environment variable that names the directory in which `make setup` was run."""

JVM_OPTIONS: tuple[str, ...] = (
    # Hive 4.0 and Hadoop 3.3 reach into these by reflection; Java 17 closes them.
    *(
        f"--add-opens=java.base/java.{package}=ALL-UNNAMED"
        for package in (
            "lang",
            "util",
            "net",
            "nio",
            "io",
            "util.concurrent",
            "util.concurrent.atomic",
            "util.regex",
            "time",
            "text",
        )
    ),
    "--add-opens=java.sql/java.sql=ALL-UNNAMED",
    # No X server is ever needed, and IPv6 would make Hadoop look names up.
    "-Djava.awt.headless=true",
    "-Djava.net.preferIPv4Stack=true",
)


@dataclass(frozen=True, slots=True)
class HiveRuntime:
    """Class paths as `java -cp` takes them, and the `java` to use."""

    java: Path
    server_class_path: str
    beeline_class_path: str

    @staticmethod
    def find() -> "HiveRuntime":
        """Finds what `make setup` has left.

        Raises:
            HiveServerError: Something is missing; the message names it.
        """
        directory = installation() / "build" / "hive"
        bundle = directory / "hive-handler-bundle.jar"
        if not bundle.is_file():
            raise HiveServerError(_missing(bundle))
        return HiveRuntime(
            java=find_java(),
            # The bundle comes last, as a jar of Hive's auxlib does: it must work behind whatever Hive has.
            server_class_path=f"{_class_path(directory / 'hiveserver.classpath')}{os.pathsep}{bundle}",
            beeline_class_path=_class_path(directory / "beeline.classpath"),
        )

    def with_jars(self, jars: Sequence[Path]) -> "HiveRuntime":
        """The same, with more jars beside the bundle."""
        return replace(self, server_class_path=os.pathsep.join([self.server_class_path, *map(str, jars)]))


def installation() -> Path:
    """Returns where `make setup` was run: `HUDI_SKIP_HOME`, else the checkout of this file."""
    named = os.environ.get(HOME_VARIABLE)
    return Path(named).expanduser().resolve() if named else Path(__file__).resolve().parents[2]


def find_java() -> Path:
    """Returns the `java` of JAVA_HOME, else the one on the path.

    Raises:
        HiveServerError: There is none.
    """
    home = os.environ.get("JAVA_HOME")
    if home:
        java = Path(home) / "bin" / "java"
        if not os.access(java, os.X_OK):
            raise HiveServerError(f"there is no {java}; set JAVA_HOME to a JDK 17, or unset it")
        return java
    on_path = shutil.which("java")
    if on_path is None:
        raise HiveServerError(
            "no java found; install JDK 17 (Debian: openjdk-17-jdk-headless) or set JAVA_HOME"
        )
    return Path(on_path)


def compiler_command() -> str:
    """Returns the `hudi-skip` of this Python, so that the server compiles with the code that started it."""
    beside = Path(sys.executable).parent / "hudi-skip"
    # The setting is a command line: quotes keep a path with blanks together.
    return f'"{beside}"' if beside.exists() else "hudi-skip"


def _class_path(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        raise HiveServerError(_missing(file)) from None


def _missing(file: Path) -> str:
    return f"{file} is not there; run `make setup`, or set {HOME_VARIABLE} to a checkout where it was run"
