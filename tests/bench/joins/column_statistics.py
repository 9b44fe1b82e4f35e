"""Times TPC-DS and TPC-H in Hive, planned with column statistics and without.

The statistics are ours, and those of ANALYZE on native tables. The ways of a query run in turns. Plans are
compared by their operators, without estimates.

Queries that read all of a native table's thousands of partitions take Hive minutes, so that only ours are
asked for them.
"""

import re
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import partial
from itertools import islice
from typing import Final

from pycompiler.index.options import IndexOptions

from ..environment import WORK, spark_session
from ..hive import Asked, Hive, hive_session
from ..results import Result, at_most
from ..timing import in_turns, median_ratio
from .answers import compare_answers
from .suites import TPC_DS, TPC_H, Suite
from .warehouse import Kind, Warehouse

_ROUNDS: Final = 2
_FILES: Final = 400
_SMALL_FILES: Final = 40
_SMALL_SCALE: Final = 0.1
_SMALL_QUERIES: Final = 2

_MOST_OF_THE_SUM: Final = 1.0
_MOST_OF_A_QUERY: Final = 1.2

_BROADCAST: Final = {"hive.auto.convert.join.noconditionaltask.size": str(256 << 20)}
"""What is sent to every task: a third of the server's containers of 768 MB, as distributions set it.

By default, Hive sends 10 MB. The better it knows that a side is larger, the more joins it then sorts instead.
"""

_NOT_OF_THE_OPERATORS: Final = re.compile(r"\(rows=\d+ width=\d+\)|Col:\w+|\[\w+\]|,properties:\{[^}]*\}")
"""Estimates, numbers of operators, and what the handler says of a scan."""


class Way(Enum):
    """How Hive plans a query; the value says it in a table of results."""

    WITHOUT = "no column statistics"
    WITH = "column statistics"
    NATIVE = "native, no column statistics"
    ANALYZED = "native, ANALYZE"

    @property
    def kind(self) -> Kind:
        """The tables that it reads."""
        return Kind.HUDI if self in (Way.WITHOUT, Way.WITH) else Kind.NATIVE

    @property
    def settings(self) -> Mapping[str, str]:
        """The settings of the session."""
        return {
            **_BROADCAST,
            "hudi.skipping.column.statistics": "on" if self is Way.WITH else "off",
            "hive.stats.fetch.column.stats": "false" if self is Way.NATIVE else "true",
        }


@dataclass(frozen=True)
class _Runs:
    """A query's runs, and its plan, by way."""

    suite: str
    number: int
    asked: Mapping[Way, Sequence[Asked]]
    plans: Mapping[Way, str]

    @property
    def title(self) -> str:
        return f"{self.suite} {self.number}"

    def times(self, way: Way) -> Sequence[float]:
        return [asked.seconds for asked in self.asked[way]]

    def seconds(self, way: Way) -> float:
        return statistics.median(self.times(way))

    def ratio(self, way: Way, peer: Way) -> float:
        return median_ratio(self.times(way), self.times(peer))

    def is_changed(self, way: Way, peer: Way) -> bool:
        return self.plans[way] != self.plans[peer]


_PAIRS: Final = ((Way.WITH, Way.WITHOUT), (Way.ANALYZED, Way.NATIVE))
"""A way and what it is compared with."""


def run(small: bool, suites: Sequence[Suite] = (TPC_DS, TPC_H)) -> Iterator[Result]:
    """Writes the tables, and runs the queries in turns."""
    runs = []
    for suite in suites:
        for found in _suite(suite, small):
            runs.append(found)
            yield from _results(found)
    yield from _summary(runs)


def _suite(suite: Suite, small: bool) -> Iterator[_Runs]:
    folder = WORK / suite.name
    sources = suite.generate(_SMALL_SCALE if small else suite.scale, folder)
    queries = suite.queries(folder)
    files = _SMALL_FILES if small else _FILES
    with spark_session() as spark:
        counted = IndexOptions({"*": "ndv"})
        warehouse = Warehouse.write(spark, suite, sources, files, folder / "lake", counted)
    with hive_session() as hive:
        warehouse.show_to_hive(hive)
        ways = [way for way in Way if suite.is_sorted_by_key or way.kind is Kind.HUDI]
        if Way.ANALYZED in ways:
            warehouse.analyze(hive)
        for number, query in islice(queries.items(), _SMALL_QUERIES if small else None):
            plans = {way: _plan(hive, warehouse, way, query) for way in ways}
            works = [partial(warehouse.ask, hive, way.kind, way.settings, query) for way in ways]
            asked = in_turns(works, _ROUNDS)
            found = dict(zip(ways, asked, strict=True))
            compare_answers(f"query {number}", {way.value: of_way for way, of_way in found.items()})
            yield _Runs(suite.name, number, found, plans)


def _plan(hive: Hive, warehouse: Warehouse, way: Way, query: str) -> str:
    warehouse.use(hive, way.kind)
    hive.set(way.settings)
    lines = "\n".join(str(line) for (line,) in hive.execute(f"EXPLAIN {query}"))
    return _NOT_OF_THE_OPERATORS.sub("", lines.replace(warehouse.database(way.kind), ""))


def _results(runs: _Runs) -> Iterator[Result]:
    title = f"statistics: {runs.title}"
    for way, peer in _PAIRS:
        if way not in runs.asked:
            continue
        yield Result(title, f"seconds, {peer.value}", runs.seconds(peer), "s")
        changed = "another plan" if runs.is_changed(way, peer) else "the same plan"
        yield Result(
            title,
            f"seconds, {way.value}: {changed}",
            runs.seconds(way),
            "s",
            peer.value,
            runs.ratio(way, peer),
        )


def _summary(all_runs: Sequence[_Runs]) -> Iterator[Result]:
    for way, peer in _PAIRS:
        runs = [found for found in all_runs if way in found.asked]
        if not runs:
            continue
        suites = " and ".join(dict.fromkeys(found.suite for found in runs))
        title = f"statistics: {suites}, {len(runs)} queries"
        is_ours = way is Way.WITH
        changed = sum(found.is_changed(way, peer) for found in runs)
        yield Result(title, f"plans changed, {way.value}", changed, "queries", peer.value)
        total = sum(found.seconds(way) for found in runs)
        ratio = total / sum(found.seconds(peer) for found in runs)
        goal = at_most(_MOST_OF_THE_SUM if is_ours else None, ratio, "times")
        yield Result(title, f"sum of seconds, {way.value}", total, "s", peer.value, ratio, *goal)
        worst = max(runs, key=lambda found: found.ratio(way, peer))
        slowest = worst.ratio(way, peer)
        goal = at_most(_MOST_OF_A_QUERY if is_ours else None, slowest, "times")
        yield Result(
            title, f"worst, {way.value}: {worst.title}", worst.seconds(way), "s", peer.value, slowest, *goal
        )
