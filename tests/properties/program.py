"""Options, Spark and Hive sessions, and progress output for the programs that draw random cases."""

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from pyspark.sql import SparkSession

from pycompiler.hive.server import HiveServer
from pycompiler.spark.session import hudi_session
from tests.conftest import HUDI_CONF, SPARK_SETTINGS
from tests.e2e.harness.servers import SERVER_SETTINGS
from tests.e2e.harness.session import ServerSession, Session
from tests.hudi_releases import DEFAULT, write_with
from tests.jvm import JVM_OF_TESTS
from tests.reaper import leave_nothing_behind

_PROGRESS_SECONDS: Final = 10.0


def read_options(
    name: str, description: str | None, arguments: Sequence[str] | None, **counts: int
) -> argparse.Namespace:
    """Reads `--hudi`, `--seed`, `--failures`, and one option with a default per count."""
    parser = argparse.ArgumentParser(prog=f"python -m {name}", description=description)
    for count, default in counts.items():
        explained = f"number of {count} (default {default:,})"
        parser.add_argument(f"--{count}", type=int, default=default, help=explained)
    parser.add_argument(
        "--hudi",
        default=DEFAULT,
        metavar="RELEASE",
        help=f"the release that writes tables (default {DEFAULT})",
    )
    parser.add_argument("--seed", type=int, default=int(time.time()), help="first seed (default: the time)")
    parser.add_argument("--failures", type=int, default=5, help="stop after this many failures (default 5)")
    leave_nothing_behind()
    options = parser.parse_args(arguments)
    write_with(options.hudi)
    return options


@contextmanager
def spark_session(name: str, jvm: Sequence[str] = JVM_OF_TESTS) -> Iterator[SparkSession]:
    """Opens a session like that of the tests, with options for its JVM."""
    os.environ["HUDI_CONF_DIR"] = str(HUDI_CONF)
    settings = {
        **SPARK_SETTINGS,
        "spark.driver.extraJavaOptions": " ".join(jvm),
        "spark.ui.showConsoleProgress": "false",
    }
    session = hudi_session(name, master="local[2]", conf=settings)
    session.sparkContext.setLogLevel("ERROR")
    try:
        yield session
    finally:
        session.stop()


@contextmanager
def hive_session(home: str) -> Iterator[Session]:
    """Starts a server and opens a session."""
    options = ("-Duser.timezone=UTC", *JVM_OF_TESTS)
    with HiveServer.start(Path(home), jvm_options=options, extra_conf=SERVER_SETTINGS) as server:
        host, _, port = server.address.partition(":")
        with ServerSession(host, int(port)) as session:
            yield session


def run(
    steps: Iterable[Iterable[object]], tally: object, is_enough: Callable[[], bool], most_failures: int
) -> int:
    """Prints failures as they are found, and progress.

    Args:
        steps: For each table or statement, its failures. Iterating updates `tally`.
        tally: Printed as progress.
        is_enough: Whether to stop after a step.
        most_failures: Number of failures after which to stop.

    Returns:
        The number of failures.
    """
    failures, started, shown = 0, time.monotonic(), 0.0
    for wrong in steps:
        for failure in wrong:
            failures += 1
            print(failure, file=sys.stderr, flush=True)
            if failures >= most_failures:
                break
        now, is_last = time.monotonic(), is_enough() or failures >= most_failures
        if is_last or now - shown > _PROGRESS_SECONDS:
            print(f"   {now - started:6.0f} s  {tally}", flush=True)
            shown = now
        if is_last:
            break
    return failures
