"""What our JVMs need: a Java, its options, and the jars that `make` has built."""

import os
import shutil
from pathlib import Path
from typing import Final

from pycompiler.errors import HudiSkipError

HOME_VARIABLE: Final = "HUDI_SKIP_HOME"
"""Environment variable for the directory where `make setup` was run."""

JVM_OPTIONS: Final = (
    # Hive 4.0 and Hadoop 3.3 access these by reflection, which Java 17 forbids.
    *(
        f"--add-opens=java.base/java.{package}=ALL-UNNAMED"
        for package in (
            *("lang", "util", "net", "nio", "io", "time", "text"),
            *("util.concurrent", "util.concurrent.atomic", "util.regex"),
        )
    ),
    "--add-opens=java.sql/java.sql=ALL-UNNAMED",
    # No X server is needed, and IPv6 would make Hadoop resolve names.
    "-Djava.awt.headless=true",
    "-Djava.net.preferIPv4Stack=true",
)


class NotInstalledError(HudiSkipError):
    """Java, or a file that `make` builds, is missing. The message says what to do."""


def installation() -> Path:
    """Where `make setup` was run: `HUDI_SKIP_HOME`, or else this file's checkout."""
    named = os.environ.get(HOME_VARIABLE)
    return Path(named).expanduser().resolve() if named else Path(__file__).resolve().parents[1]


def built(path: str, target: str = "setup") -> Path:
    """A file below the installation's `build`.

    Raises:
        NotInstalledError: The file is missing.
    """
    file = installation() / "build" / path
    if not file.exists():
        raise NotInstalledError(
            f"{file} is missing; run `make {target}`, or set {HOME_VARIABLE} to a checkout that has it"
        )
    return file


def find_java() -> Path:
    """The `java` of JAVA_HOME, or else the one on the path.

    Raises:
        NotInstalledError: There is none.
    """
    home = os.environ.get("JAVA_HOME")
    if home:
        java = Path(home) / "bin" / "java"
        if not os.access(java, os.X_OK):
            raise NotInstalledError(f"{java} is missing; set JAVA_HOME to a JDK 17, or unset it")
        return java
    on_path = shutil.which("java")
    if on_path is None:
        raise NotInstalledError(
            "no java found; install JDK 17 (Debian: openjdk-17-jdk-headless) or set JAVA_HOME"
        )
    return Path(on_path)
