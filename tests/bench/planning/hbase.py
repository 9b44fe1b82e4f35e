"""Plans over a catalogue of a million partitions in HBase, a real one that is started for it."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from thrift.protocol.TCompactProtocol import TCompactProtocolAccelerated
from thrift.transport.TTransport import TMemoryBuffer

from pycompiler.catalogue.hbase import DEFAULT_TABLE, HBaseCatalogue
from pycompiler.catalogue.partitions import Generation, Partition
from pycompiler.index.manifest import LiveTotals, Manifest, SeenTimeline
from pycompiler.index.storage.location import Location
from pycompiler.planner.entries import plan_by_filter
from pycompiler.planner.keys import KeyLayout, key_columns
from pycompiler.planner.message import plan_message
from pycompiler.values.encoding import encode_value
from pycompiler.values.types import HiveType

from ...stores.hbase import running_hbase
from .. import jvm
from ..jvm import Timing
from ..results import Result, at_most
from ..stopwatch import QUICK

STORES: Final = 1_000
SMALL_STORES: Final = 10

_DAYS: Final = 1_000
"""Partitions of a store."""

_INT: Final = HiveType.parse("int")
_GOAL_MS: Final = 100
_COMMIT: Final = "20260101000000000.commit"


def run(stores: int) -> list[Result]:
    """Publishes a partition for each of a thousand days of some stores, and looks three ranges of them up."""
    low, middle, high = stores // 7, stores // 2, stores - 2
    filters = {
        "3 ranges, 30 partitions": (
            " OR ".join(f"store = {of} AND day BETWEEN 100 AND 109" for of in (low, middle, high)),
            30,
        ),
        "3 ranges, 3,000 partitions": (f"store IN ({low}, {middle}, {high})", 3_000),
        "3 ranges and a filter on the server, 300 partitions": (
            f"store IN ({low}, {middle}, {high}) AND day % 10 = 3",
            300,
        ),
    }
    with tempfile.TemporaryDirectory() as folder, running_hbase(Path(folder, "hbase")) as hbase:
        table = Path(folder, "table")
        table.mkdir()
        location = Location.parse(str(table))
        layout = KeyLayout(str(location), "f" * 16, key_columns([("store", _INT), ("day", _INT)]))
        started = time.monotonic()
        HBaseCatalogue(hbase.quorum).send(_generation(layout, stores), location)
        published = time.monotonic() - started
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
                    name: {"plan": _plan(text, layout).hex(), "pace": QUICK.job()}
                    for name, (text, _) in filters.items()
                },
            },
        )
    _check(timings, {name: count for name, (_, count) in filters.items()})
    in_order = {name: timings[name] for name in filters}
    return list(_results(f"HBase: {stores * _DAYS:,} partitions", published, in_order))


def _check(timings: Mapping[str, Timing], expected: Mapping[str, int]) -> None:
    found = {name: timings[name].count for name in expected}
    if found != expected:
        raise AssertionError(f"partitions found {found}, expected {expected}")


def _results(benchmark: str, published: float, timings: Mapping[str, Timing]) -> Iterator[Result]:
    yield Result(benchmark, "published", published, "s")
    earliest, timing = next(iter(timings.items()))
    assert timing.first is not None
    yield Result(benchmark, f"{earliest}, the first look of a JVM", timing.first, "ms")
    for name, timing in timings.items():
        value = timing.best
        goal, met = at_most(_GOAL_MS, value, "ms")
        yield Result(benchmark, name, value, "ms", goal=goal, met=met)


def _generation(layout: KeyLayout, stores: int) -> Generation:
    days = [encode_value(_INT, day) for day in range(_DAYS)]
    partitions = tuple(
        Partition(
            f"{store}/{day}", layout.behind_prefix(layout.key((encode_value(_INT, store), key))), 10, 1, "1"
        )
        for store in range(stores)
        for day, key in enumerate(days)
    )
    live = LiveTotals(10 * len(partitions), len(partitions), len(partitions))
    timeline = SeenTimeline(frozenset({_COMMIT}))
    manifest = Manifest(1, "t", _COMMIT.partition(".")[0], "", "", live, (), timeline=timeline)
    return Generation(layout.columns, partitions, manifest, timeline)


def _plan(text: str, layout: KeyLayout) -> bytes:
    buffer = TMemoryBuffer()
    plan_message(plan_by_filter(text, layout)).write(TCompactProtocolAccelerated(buffer))
    return bytes(buffer.getvalue())
