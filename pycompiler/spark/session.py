"""A Spark session with Hudi."""

import os
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from pyspark import SparkContext
from pyspark.sql import SparkSession

from pycompiler.installation import find_built
from pycompiler.spark.causes import cause_of
from pycompiler.spark.errors import SparkUnavailableError
from pycompiler.spark.jvm import JvmError, jvm

HUDI_PACKAGE: Final = "org.apache.hudi:hudi-spark3.5-bundle_2.12:1.0.2"
"""Hudi's bundle for this line of Spark, for `spark.jars.packages` if there is no local copy."""

NEWER_HUDI_PACKAGE: Final = "org.apache.hudi:hudi-spark3.5-bundle_2.12:1.2.0"
"""The same for tables of a version that this one does not know."""

BUNDLE_VARIABLE: Final = "HUDI_SPARK_BUNDLE"

_BUNDLE_PATH: Final = "spark/hudi-spark-bundle.jar"
_NEWER_BUNDLE_PATH: Final = "spark/hudi-spark-bundle-1.2.0.jar"
_NEWEST_VERSION: Final = 8
"""The newest table version that the Hudi of `HUDI_PACKAGE` knows."""
_HUDI_NAME: Final = re.compile(r"hudi-spark[^/,:]*-bundle")
"""In the names of jars and Maven coordinates that bring Hudi."""
_META_CLIENT: Final = "org.apache.hudi.common.table.HoodieTableMetaClient"

_SERIALIZER: Final = "spark.serializer"
_JARS: Final = "spark.jars"
_PACKAGES: Final = "spark.jars.packages"

_HUDI_CONF: Final[Mapping[str, str]] = {
    # Hudi's records go through Spark's serializer, and must not use Java's.
    _SERIALIZER: "org.apache.spark.serializer.KryoSerializer",
    "spark.kryo.registrator": "org.apache.spark.HoodieSparkKryoRegistrar",
    "spark.sql.extensions": "org.apache.spark.sql.hudi.HoodieSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.hudi.catalog.HoodieCatalog",
}
_LOCAL_CONF: Final[Mapping[str, str]] = {
    "spark.ui.enabled": "false",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
}


def hudi_package(table_version: int = 0) -> str:
    """The Maven coordinates of a Hudi bundle that knows tables of a version."""
    return HUDI_PACKAGE if table_version <= _NEWEST_VERSION else NEWER_HUDI_PACKAGE


def find_bundle(table_version: int = 0) -> Path | None:
    """Finds a local copy of Hudi's Spark bundle: HUDI_SPARK_BUNDLE, or else that of `make setup`.

    Args:
        table_version: Version of the tables to be read. For one that the latter does not know, that of
            `make hudi-releases` takes its place.

    Raises:
        SparkUnavailableError: HUDI_SPARK_BUNDLE is not a file.
    """
    named = os.environ.get(BUNDLE_VARIABLE)
    if named:
        if not Path(named).is_file():
            raise SparkUnavailableError(f"{BUNDLE_VARIABLE} is not a file: {named}")
        return Path(named)
    return find_built(_BUNDLE_PATH if table_version <= _NEWEST_VERSION else _NEWER_BUNDLE_PATH)


def hudi_session(
    app_name: str = "hudi-skip",
    *,
    master: str = "local[*]",
    conf: Mapping[str, str] | None = None,
    packages: Sequence[str] = (),
    table_version: int = 0,
) -> SparkSession:
    """Returns the active Spark session, or that of the application, if it has Hudi; else starts one.

    Args:
        app_name: Name of a new session.
        master: Spark master of a new session, if neither `conf` nor spark-submit sets one.
        conf: Further settings of a new session, which override the built-in ones. Jars and packages that they
            name come beside Hudi's, unless one of them is Hudi's bundle for Spark.
        packages: Maven coordinates for a new session besides Hudi, `group:artifact:version`.
        table_version: Newest version of the Hudi tables that the session is to know. A new one gets Hudi
            1.0.2, or 1.2.0 for version 9, unless HUDI_SPARK_BUNDLE, jars or packages name another.

    Raises:
        SparkUnavailableError: The existing session has no Hudi, or not one that knows the tables, or
            Spark cannot be started.
    """
    existing = SparkSession.getActiveSession() or _session_of_application()
    if existing is not None:
        require_hudi(existing)
        _require_version(existing, table_version)
        return existing
    settings = session_settings(master, conf or {}, packages, table_version)
    # Workers need the driver's Python, whatever `python3` is on the path.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName(app_name)
    if "spark.master" not in settings and "PYSPARK_GATEWAY_PORT" not in os.environ:
        builder = builder.master(master)
    for key, value in settings.items():
        builder = builder.config(key, value)
    try:
        session = builder.getOrCreate()
    except Exception as error:
        raise SparkUnavailableError(f"Spark could not be started: {cause_of(error)}") from error
    require_hudi(session)
    return session


def _session_of_application() -> SparkSession | None:
    """The first session of the running application, whose settings a builder would change.

    The active session is that of a thread, and threads of a pool have none.
    """
    first: SparkSession | None = SparkSession._instantiatedSession
    return first if first is not None and first.sparkContext is SparkContext._active_spark_context else None


def session_settings(
    master: str, conf: Mapping[str, str], packages: Sequence[str] = (), table_version: int = 0
) -> dict[str, str]:
    """The settings with which `hudi_session` starts a session.

    Raises:
        SparkUnavailableError: HUDI_SPARK_BUNDLE is not a file.
    """
    is_local = conf.get("spark.master", master).startswith("local")
    settings = {**_HUDI_CONF, **(_LOCAL_CONF if is_local else {}), **conf}
    jars = [settings[_JARS]] if settings.get(_JARS) else []
    coordinates = [*([settings[_PACKAGES]] if settings.get(_PACKAGES) else []), *packages]
    if not any(map(_HUDI_NAME.search, [*jars, *coordinates])):
        bundle = find_bundle(table_version)
        if bundle:
            jars.insert(0, str(bundle))
        else:
            coordinates.insert(0, hudi_package(table_version))
    for name, values in ((_JARS, jars), (_PACKAGES, coordinates)):
        if values:
            settings[name] = ",".join(values)
    return settings


def require_hudi(session: SparkSession) -> None:
    """Verifies that a session can read Hudi tables.

    Raises:
        SparkUnavailableError: Hudi is not on its class path.
    """
    packages = jvm(session)
    try:
        loader = packages.java.lang.Thread.currentThread().getContextClassLoader()
        packages.java.lang.Class.forName(_META_CLIENT, False, loader)
    except JvmError:
        raise SparkUnavailableError(
            f"the Spark session has no Hudi; start it with --packages {HUDI_PACKAGE}, or let "
            "pycompiler.hudi_session() start it (docs/guides/write.md)"
        ) from None


def _require_version(session: SparkSession, table_version: int) -> None:
    newest = jvm(session).org.apache.hudi.common.table.HoodieTableVersion.current().versionCode()
    if table_version > newest:
        raise SparkUnavailableError(
            f"the Hudi of the Spark session knows tables up to version {newest}, not {table_version}; "
            f"stop the session, or start it with --packages {hudi_package(table_version)}"
        )


def require_hudi_writer(session: SparkSession) -> None:
    """Verifies that a session can write Hudi tables.

    Raises:
        SparkUnavailableError: Hudi is not on its class path, or it has another serializer.
    """
    require_hudi(session)
    serializer = session.sparkContext.getConf().get(_SERIALIZER)
    if serializer != _HUDI_CONF[_SERIALIZER]:
        raise SparkUnavailableError(
            f"Hudi can write only in sessions with {_SERIALIZER}={_HUDI_CONF[_SERIALIZER]}, but the "
            f"serializer of this session is {serializer or 'not set'}; start the session with that setting, "
            "or let pycompiler.hudi_session() start it (docs/guides/write.md)"
        )
