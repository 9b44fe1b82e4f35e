"""Runs a campaign of ranges on its own server."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from threading import Event

from pyspark.sql import SparkSession

from tests.e2e.harness.session import Session

from .. import program
from ..slices.ahead import tables_ahead
from .asking import Asked, asked
from .campaign import Written, written
from .tally import Tally


def run(spark: SparkSession, wanted: int, seed: int, most_failures: int) -> bool:
    """Runs until enough ranges are checked.

    Args:
        spark: Writes the tables and provides the correct rows.
        wanted: Number of ranges.
        seed: Seed of the first table.
        most_failures: Number of wrong answers after which to stop.

    Returns:
        Whether all answers were right and the campaign was meaningful.
    """
    print(f"== {wanted:,} ranges of commits from seed {seed} on", flush=True)
    with tempfile.TemporaryDirectory() as home, program.hive_session(home) as session:
        return _run(spark, session, wanted, seed, most_failures)


def _run(spark: SparkSession, session: Session, wanted: int, seed: int, most_failures: int) -> bool:
    def make(folder: Path, number: int, _: Event) -> Written:
        return written(spark, folder, number)

    def wrong(table: Written) -> Iterator[Asked]:
        for each in asked(session, table):
            tally.add(each)
            if each.is_wrong:
                yield each

    tally = Tally()
    failures = program.run(
        map(wrong, tables_ahead(make, seed)), tally, lambda: tally.ranges >= wanted, most_failures
    )
    for name, ranges in tally.told_apart.items():
        print(f"   {ranges:8,} ranges have other rows if {name}")
    reasons = tally.shows_nothing_because
    print("; ".join([f"== {failures} wrong", *reasons]))
    return not failures and not reasons
