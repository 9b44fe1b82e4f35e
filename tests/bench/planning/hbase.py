"""Looks up plans over a million partitions in HBase, on a real server started for it."""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from pycompiler.compile.planner.keys import KeyLayout, key_columns
from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.types import HiveType
from pycompiler.hbase.catalogue import DEFAULT_TABLE, HBaseCatalogue
from pycompiler.index.file_systems.location import Location
from pycompiler.table.catalogue.errors import CatalogueError
from pycompiler.table.catalogue.partitions import Generation, Partition
from tests.planning import plan_by_filter

from ...conformance.plan_vectors import plan_bytes
from ...stores.hbase import CLIENT, generation_of, running_hbase
from ...stores.processes import wait_until_up
from .. import jvm
from ..results import Result, limited
from ..timing import Timing, seconds

_DAYS: Final = 1_000
"""Partitions per store."""

_INT: Final = HiveType.parse("int")
_GOAL_MS: Final = 100


def run(small: bool) -> list[Result]:
    """Publishes the partitions of a thousand stores and a thousand days, and looks up three ranges."""
    stores = 20 if small else 1_000
    low, middle, high = stores // 7, stores // 2, stores - 3
    filters = {
        "3 ranges, 30 partitions": (
            " OR ".join(f"store = {of} AND day BETWEEN 100 AND 109" for of in (low, middle, high)),
            30,
        ),
        "3 ranges, 3,000 partitions": (f"store IN ({low}, {middle}, {high})", 3_000),
        "3 ranges of 9,000 partitions and a filter, 9 partitions": (
            " OR ".join(f"store BETWEEN {of} AND {of + 2} AND day = 7" for of in (low, middle, high)),
            9,
        ),
    }
    with tempfile.TemporaryDirectory() as folder, running_hbase(home := Path(folder, "hbase")) as hbase:
        table = Path(folder, "table")
        table.mkdir()
        location = Location.parse(str(table))
        layout = KeyLayout(key_columns([("store", _INT), ("day", _INT)]))
        generation = _generation(layout, stores)
        published = wait_until_up(
            hbase.process, home / "hbase.log", lambda: _publish(hbase.quorum, generation, location)
        )
        timings = jvm.handler_program(
            "CatalogueTimings",
            {
                "table": str(table),
                "settings": {
                    "hudi.skipping.catalogue": "hbase",
                    "hudi.skipping.catalogue.hbase.quorum": hbase.quorum,
                    "hudi.skipping.catalogue.hbase.table": DEFAULT_TABLE,
                    "hudi.skipping.catalogue.hbase.timeout.ms": "60000",
                },
                "queries": {
                    name: plan_bytes(plan_by_filter(text, layout)).hex()
                    for name, (text, _) in filters.items()
                },
            },
            jars=str(CLIENT / "*"),
        )
    in_order = {name: timings[name].checked(count, name) for name, (_, count) in filters.items()}
    return list(_results(f"HBase: {stores * _DAYS:,} partitions", published, in_order))


def _publish(quorum: str, generation: Generation, table: Location) -> float | None:
    """Returns the seconds; None if the server is still starting."""
    with suppress(CatalogueError):
        return seconds(lambda: HBaseCatalogue(quorum).send(generation, table))
    return None


def _results(benchmark: str, published: float, timings: Mapping[str, Timing]) -> Iterator[Result]:
    yield Result(benchmark, "published", published, "s")
    earliest, timing = next(iter(timings.items()))
    yield Result(benchmark, f"{earliest}, the first look of a JVM", timing.first, "ms")
    for name, timing in timings.items():
        yield limited(benchmark, name, timing.best, "ms", _GOAL_MS)


def _generation(layout: KeyLayout, stores: int) -> Generation:
    days = [encode_value(_INT, day) for day in range(_DAYS)]
    partitions = tuple(
        Partition(f"{store}/{day}", layout.key((encode_value(_INT, store), key)), 10, 1, "1")
        for store in range(stores)
        for day, key in enumerate(days)
    )
    return generation_of(layout, partitions)
