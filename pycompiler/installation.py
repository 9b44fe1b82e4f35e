"""What our JVMs need: a Java, its options, and the jars that `make` has built.

The jars are in the wheel, and in a checkout where `make setup` was run.
"""

import importlib.util
import os
import shutil
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pycompiler.errors import HudiSkipError

HOME_VARIABLE: Final = "HUDI_SKIP_HOME"
"""Environment variable for a checkout whose jars are used instead of the installed ones."""

HANDLER: Final = "hive/hive-handler-bundle.jar"
"""The storage handler: all that HiveServer2 needs."""

_PACKAGED: Final = Path(__file__).resolve().parent / "jars"
"""The files of `build` that the wheel contains."""
_BUILD_PROPERTIES: Final = "io/hudiskip/hive/version/build.properties"
"""In the handler's jar: what it was built from."""

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


@dataclass(frozen=True, slots=True)
class HandlerBuild:
    """What a handler's jar was built from.

    Attributes:
        version: Release of the handler.
        hive: Release of Hive that it was compiled with.
        hudi: Release of Hudi that it contains.
    """

    version: str
    hive: str
    hudi: str


def installation() -> Path:
    """The checkout: `HUDI_SKIP_HOME`, or else the one of this file."""
    named = os.environ.get(HOME_VARIABLE)
    return Path(named).expanduser().resolve() if named else Path(__file__).resolve().parents[1]


def find_built(path: str) -> Path | None:
    """A file that `make` builds, by its path below `build`, or None.

    It is searched in the checkout that `HUDI_SKIP_HOME` names; without that variable, in the installed
    package and then in this file's checkout.
    """
    build = installation() / "build"
    places = (build,) if os.environ.get(HOME_VARIABLE) else (_PACKAGED, build)
    return next((place / path for place in places if (place / path).exists()), None)


def built(path: str, target: str = "setup") -> Path:
    """A file that `make` builds; see `find_built`.

    Args:
        path: Its path below `build`.
        target: What builds it.

    Raises:
        NotInstalledError: The file is missing.
    """
    file = find_built(path)
    if file is None:
        raise NotInstalledError(
            f"{installation() / 'build' / path} is missing; run `make {target}` in a checkout, and set "
            f"{HOME_VARIABLE} to it unless hudi-skip runs from there"
        )
    return file


def handler_build(jar: Path) -> HandlerBuild:
    """What a handler's jar was built from.

    Raises:
        NotInstalledError: It is not the handler's jar, or a broken one.
    """
    try:
        with zipfile.ZipFile(jar) as archive:
            lines = archive.read(_BUILD_PROPERTIES).decode("utf-8").splitlines()
        values = dict(line.split("=", 1) for line in lines if not line.startswith("#"))
        return HandlerBuild(values["version"], values["hive"], values["hudi"])
    except (KeyError, ValueError, zipfile.BadZipFile) as error:
        raise NotInstalledError(f"{jar} is not a jar of the handler: {error}") from error


def find_hadoop_jars() -> Path:
    """The directory with the Hadoop client that PySpark brings: `jars` in SPARK_HOME, or else in PySpark.

    Raises:
        NotInstalledError: PySpark is not installed.
    """
    home = os.environ.get("SPARK_HOME")
    package = None if home else importlib.util.find_spec("pyspark")
    if package is not None and package.submodule_search_locations:
        home = package.submodule_search_locations[0]
    if home is None:
        raise NotInstalledError("PySpark is not installed; run: pip install 'hudi-skip[spark]'")
    jars = Path(home) / "jars"
    if not jars.is_dir():
        raise NotInstalledError(f"{jars} is missing; install PySpark, or set SPARK_HOME to a Spark")
    return jars


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
