"""Configures the log of a command's Spark, which goes to stderr."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_OPTIONS: Final = "SPARK_SUBMIT_OPTS"
_CONFIGURATION: Final = "log4j2.configurationFile"
_PREFIX: Final = "spark: "
"""Begins the lines of the log, see the file."""
_FILE: Final = Path(__file__).with_name("log4j2.properties")


@contextlib.contextmanager
def spark_log(quiet: bool) -> Iterator[str]:
    """If the block starts Spark's JVM, limits its log to messages that the user can act on.

    A log configuration in the environment takes precedence.

    Yields:
        What the lines of the log begin with; empty if only that configuration knows.
    """
    before = os.environ.get(_OPTIONS)
    if _CONFIGURATION in (before or ""):
        yield ""
        return
    settings = {_CONFIGURATION: _FILE, "hudiskip.log.level": "error" if quiet else "warn"}
    options = [*([before] if before else []), *(f'"-D{name}={value}"' for name, value in settings.items())]
    os.environ[_OPTIONS] = " ".join(options)
    try:
        yield _PREFIX
    finally:
        if before is None:
            del os.environ[_OPTIONS]
        else:
            os.environ[_OPTIONS] = before
