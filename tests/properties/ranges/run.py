"""A campaign of ranges with a server of its own."""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from threading import Event

from pyspark.sql import SparkSession

from pycompiler.hiveserver import HiveServer
from tests.e2e.harness.servers import SERVER_SETTINGS
from tests.e2e.harness.session import Session
from tests.jvm import JVM_OF_TESTS

from ..slices.ahead import made_ahead
from .asking import asked
from .campaign import Written, written
from .tally import Tally


def run(spark: SparkSession, wanted: int, seed: int, most_failures: int) -> bool:
    """Runs until so many ranges are checked.

    Args:
        spark: Writes the tables, and knows the right rows.
        wanted: How many ranges.
        seed: The first table's.
        most_failures: After how many wrong answers it ends.

    Returns:
        Whether all was right, and something was shown.
    """
    print(f"== {wanted:,} ranges of commits from seed {seed} on", flush=True)
    options = ("-Duser.timezone=UTC", *JVM_OF_TESTS)
    with (
        tempfile.TemporaryDirectory() as home,
        HiveServer.start(Path(home), jvm_options=options, extra_conf=SERVER_SETTINGS) as server,
        _connected(server) as session,
    ):
        return _run(spark, session, wanted, seed, most_failures)


def _connected(server: HiveServer) -> Session:
    host, _, port = server.address.partition(":")
    return Session(host, int(port))


def _run(spark: SparkSession, session: Session, wanted: int, seed: int, most_failures: int) -> bool:
    def make(folder: Path, number: int, _: Event) -> Written:
        return written(spark, folder, number)

    tally, failures, started = Tally(), 0, time.monotonic()
    for table in made_ahead(make, seed):
        for each in asked(session, table):
            tally.add(each)
            if each.is_wrong:
                failures += 1
                print(each, file=sys.stderr, flush=True)
                if failures >= most_failures:
                    break
        print(f"   {time.monotonic() - started:6.0f} s  {tally}", flush=True)
        if tally.ranges >= wanted or failures >= most_failures:
            break
    for name, ranges in tally.told_apart.items():
        print(f"   {ranges:8,} ranges have other rows if {name}")
    reasons = tally.shows_nothing_because
    print("; ".join([f"== {failures} wrong", *reasons]))
    return not failures and not reasons
