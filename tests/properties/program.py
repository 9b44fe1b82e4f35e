"""Options, and sessions of Spark and Hive, of the program that draws random cases."""

import argparse
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from pyspark.sql import SparkSession

from pycompiler.hive.server import HiveServer
from pycompiler.spark.session import hudi_session
from tests.conftest import HUDI_CONF, SPARK_SETTINGS
from tests.e2e.harness.servers import SERVER_SETTINGS
from tests.e2e.harness.session import ServerSession, Session
from tests.hudi_releases import DEFAULT, write_with
from tests.jvm import JVM_OF_TESTS
from tests.reaper import leave_nothing_behind


def read_options(
    name: str, description: str | None, arguments: Sequence[str] | None, **counts: int
) -> argparse.Namespace:
    """Reads what to draw, `--hudi`, `--seed`, `--failures`, and how many of each with a default number."""
    parser = argparse.ArgumentParser(prog=f"python -m {name}", description=description)
    parser.add_argument("drawn", nargs="+", choices=counts, help="what to draw and check, in this order")
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
