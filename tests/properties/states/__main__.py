"""`python -m tests.properties.states`: statements over several states; `make fuzz-states` runs it."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from pycompiler.hiveserver import HiveServer
from pycompiler.spark.session import hudi_session
from tests.conftest import HUDI_CONF, SPARK_SETTINGS
from tests.e2e.harness.servers import SERVER_SETTINGS
from tests.e2e.harness.session import Session
from tests.jvm import JVM_OF_TESTS

from .campaign import Tally, names, outcomes
from .table import TYPES, StatesTable, write

_PROGRESS: Final = 100


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs so many statements; ends with 1 if an answer was wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.properties.states", description=__doc__)
    parser.add_argument("--statements", type=int, default=1_000, help="how many (default 1,000)")
    parser.add_argument("--seed", type=int, default=None, help="seed (default: the time)")
    parser.add_argument("--failures", type=int, default=5, help="stop after so many (default 5)")
    options = parser.parse_args(arguments)
    seed = int(time.time()) if options.seed is None else options.seed
    with tempfile.TemporaryDirectory() as folder:
        tables = _written(Path(folder))
        jvm = ("-Duser.timezone=UTC", *JVM_OF_TESTS)
        home = Path(folder, "hive")
        with HiveServer.start(home, jvm_options=jvm, heap="2g", extra_conf=SERVER_SETTINGS) as server:
            return _run(server, tables, options.statements, seed, options.failures)


def _written(folder: Path) -> list[StatesTable]:
    os.environ["HUDI_CONF_DIR"] = str(HUDI_CONF)
    settings = {
        **SPARK_SETTINGS,
        "spark.driver.extraJavaOptions": " ".join(JVM_OF_TESTS),
        "spark.ui.showConsoleProgress": "false",
    }
    spark = hudi_session("fuzz-states", master="local[2]", conf=settings)
    spark.sparkContext.setLogLevel("ERROR")
    try:
        return [write(spark, folder / name, of_table) for name, of_table in TYPES.items()]
    finally:
        spark.stop()


def _run(server: HiveServer, tables: list[StatesTable], wanted: int, seed: int, most_failures: int) -> int:
    print(f"== {wanted:,} statements of seed {seed}", flush=True)
    host, _, port = server.address.partition(":")
    tally, started = Tally(), time.monotonic()
    with Session(host, int(port)) as session, names(session, tables) as named:
        for outcome in islice(outcomes(session, named, seed), wanted):
            tally.add(outcome)
            if not outcome.is_right:
                print(outcome, file=sys.stderr, flush=True)
            if tally.statements.total() % _PROGRESS == 0:
                print(f"   {time.monotonic() - started:6.0f} s  {tally}", flush=True)
            if tally.wrong.total() >= most_failures:
                break
    print(f"== {tally}")
    return 1 if tally.wrong.total() else 0


if __name__ == "__main__":
    sys.exit(main())
