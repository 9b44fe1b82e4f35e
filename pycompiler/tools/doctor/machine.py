"""This machine: Python, Java, Spark, and the jars."""

import re
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version

from pycompiler.errors import HudiSkipError
from pycompiler.installation import HANDLER, NotInstalledError, built, find_java, handler_build
from pycompiler.tools.doctor.check import Check, State
from pycompiler.version import VERSION

_JAVA_VERSION = re.compile(r'version "(?:1\.)?(\d+)[^"]*"')
_SPARK_LINE = "3.5."
_JAVAS = range(8, 22)


def machine_checks() -> list[Check]:
    """The checks of this machine. They start nothing but `java -version`."""
    python = ".".join(map(str, sys.version_info[:3]))
    return [
        Check("Python", State.OK, f"{python} with hudi-skip {VERSION}, {sys.executable}"),
        java_check(),
        *_spark(),
        _handler(),
    ]


def java_check() -> Check:
    """The Java that Spark, the embedded server and `explain` would run on."""
    try:
        java = find_java()
        run = subprocess.run([java, "-version"], capture_output=True, text=True, check=False, timeout=30)
    except NotInstalledError as error:
        return Check("Java", State.ABSENT, "needed for Spark and for the embedded server", str(error))
    except (OSError, subprocess.TimeoutExpired) as error:
        return Check("Java", State.PROBLEM, str(error), "set JAVA_HOME to a JDK 17")
    found = _JAVA_VERSION.search(run.stderr + run.stdout)
    if found is None or int(found[1]) not in _JAVAS:
        shown = (run.stderr + run.stdout).strip().partition("\n")[0]
        return Check("Java", State.PROBLEM, f"{java}: {shown}", "set JAVA_HOME to a JDK 17, or another to 21")
    return Check("Java", State.OK, f"{found[1]}, {java}")


def _spark() -> list[Check]:
    try:
        spark = version("pyspark")
    except PackageNotFoundError:
        extra = "to write or index tables here: pip install 'hudi-skip[spark]'"
        return [Check("Spark", State.ABSENT, "PySpark is not installed", extra)]
    if not spark.startswith(_SPARK_LINE):
        remedy = "pip install 'pyspark>=3.5,<3.6': Hudi's bundle is built for this line"
        return [Check("Spark", State.PROBLEM, f"PySpark {spark}", remedy)]
    return [Check("Spark", State.OK, f"PySpark {spark}"), _hudi()]


def _hudi() -> Check:
    from pycompiler.spark.session import BUNDLE_VARIABLE, HUDI_PACKAGE, find_bundle

    try:
        bundle = find_bundle()
    except HudiSkipError as error:
        return Check("Hudi for Spark", State.PROBLEM, str(error), f"correct or unset {BUNDLE_VARIABLE}")
    if bundle is None:
        return Check("Hudi for Spark", State.OK, f"Spark downloads it at its first start: {HUDI_PACKAGE}")
    return Check("Hudi for Spark", State.OK, str(bundle))


def _handler() -> Check:
    subject = "handler's jar"
    try:
        jar = built(HANDLER)
        build = handler_build(jar)
    except NotInstalledError as error:
        return Check(subject, State.PROBLEM, str(error), "install the wheel again")
    found = f"{build.version} for Hive {build.hive}, with Hudi {build.hudi}, {jar}"
    if build.version != VERSION:
        return Check(
            subject, State.PROBLEM, found, f"install jar and Python package of one release ({VERSION})"
        )
    return Check(subject, State.OK, found)
