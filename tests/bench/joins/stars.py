"""Times TPC-DS and TPC-H in Hive: with values of joins, without, without skipping, natively, and in Spark."""

import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import partial
from itertools import islice
from typing import Final

from pyspark.sql import SparkSession

from ..environment import WORK, spark_session
from ..hive import Asked, Hive, hive_session
from ..results import Result, at_least, at_most
from ..timing import in_turns, median_ratio, seconds
from .answers import compare_answers
from .partners import files_with_partners
from .suites import TPC_DS, TPC_H, Suite
from .warehouse import Kind, Warehouse

_ROUNDS: Final = 2
_ROUNDS_OF_WAITING: Final = 7
_FILES: Final = 400
_SMALL_FILES: Final = 40
_SMALL_SCALE: Final = 0.1
_SMALL_QUERIES: Final = 2

_MOST_TIMES_THE_NEEDED_FILES: Final = 1.2
_LEAST_TIMES_FASTER: Final = 3.0
_MOST_TIMES_WITHOUT_GAIN: Final = 1.05


class Way(Enum):
    """How Hive runs a query; the value says it in a table of results."""

    JOINS = "values of joins"
    FILTERS = "filters alone"
    OFF = "skipping off"
    NATIVE = "native partitions"

    @property
    def kind(self) -> Kind:
        """The tables that it reads."""
        return Kind.NATIVE if self is Way.NATIVE else Kind.HUDI

    @property
    def settings(self) -> Mapping[str, str]:
        """The settings of the session."""
        return {
            "hudi.skipping.mode": "off" if self is Way.OFF else "on",
            "hudi.skipping.joins": "on" if self is Way.JOINS else "off",
        }


@dataclass(frozen=True)
class _Runs:
    """A query's runs, by way, and the seconds that Spark took in the same rounds."""

    number: int
    hive: Mapping[Way, Sequence[Asked]]
    spark: Sequence[float]

    def seconds(self, way: Way) -> Sequence[float]:
        return [asked.seconds for asked in self.hive[way]]

    def ratio(self, way: Way) -> float:
        """How many times as long a way takes as with values of joins."""
        return median_ratio(self.seconds(way), self.seconds(Way.JOINS))


def run(small: bool, suites: Sequence[Suite] = (TPC_DS, TPC_H)) -> Iterator[Result]:
    """Writes the tables, and runs the queries in turns."""
    for suite in suites:
        yield from _suite(suite, small)


def _suite(suite: Suite, small: bool) -> Iterator[Result]:
    folder = WORK / suite.name
    sources = suite.generate(_SMALL_SCALE if small else suite.scale, folder)
    queries = suite.queries(folder)
    with spark_session() as spark:
        files = _SMALL_FILES if small else _FILES
        warehouse = Warehouse.write(spark, suite, sources, files, folder / "lake")
        warehouse.show_to_spark(spark)
        with hive_session() as hive:
            warehouse.show_to_hive(hive)
            runs = []
            for number, query in islice(queries.items(), _SMALL_QUERIES if small else None):
                found = _run(hive, warehouse, spark, number, query)
                compare_answers(f"query {number}", {way.value: asked for way, asked in found.hive.items()})
                yield from _results(suite, found)
                if suite.is_sorted_by_key:
                    yield _needed(suite, found, files_with_partners(spark, query, suite.fact))
                runs.append(found)
            if suite.without_gain is not None:
                yield from _waiting(hive, warehouse, suite, suite.without_gain)
    yield from _summary(suite, runs)


def _run(hive: Hive, warehouse: Warehouse, spark: SparkSession, number: int, query: str) -> _Runs:
    def ask_spark() -> Asked:
        rows: list[tuple[object, ...]] = []
        return Asked(rows, seconds(lambda: rows.extend(spark.sql(query).collect())), ())

    works: list[Callable[[], Asked]] = [
        *(partial(warehouse.ask, hive, way.kind, way.settings, query) for way in Way),
        ask_spark,
    ]
    *of_hive, of_spark = in_turns(works, _ROUNDS)
    return _Runs(number, dict(zip(Way, of_hive, strict=True)), [asked.seconds for asked in of_spark])


def _waiting(hive: Hive, warehouse: Warehouse, suite: Suite, query: str) -> Iterator[Result]:
    """What it costs to wait for values that skip no file."""
    ways = Way.JOINS, Way.FILTERS
    works = [partial(warehouse.ask, hive, way.kind, way.settings, query) for way in ways]
    joins, filters = in_turns(works, _ROUNDS_OF_WAITING)
    title = f"joins: {suite.name}, a join that gains nothing"
    compare_answers(title, {Way.FILTERS.value: filters, Way.JOINS.value: joins})
    for way, asked in zip(ways, (joins, filters), strict=True):
        yield Result(title, f"files opened, {way.value}", _opened(asked[0], suite.fact), "files")
    times, peers = ([one.seconds for one in asked] for asked in (joins, filters))
    yield Result(title, f"seconds, {Way.FILTERS.value}", statistics.median(peers), "s")
    cost = median_ratio(times, peers)
    goal = at_most(_MOST_TIMES_WITHOUT_GAIN, cost, "times")
    peer = Way.FILTERS.value
    yield Result(title, f"seconds, {Way.JOINS.value}", statistics.median(times), "s", peer, cost, *goal)


def _opened(asked: Asked, fact: str) -> int:
    return sum(scan.kept for scan in asked.scans if scan.table.endswith(f"/{fact}"))


def _results(suite: Suite, runs: _Runs) -> Iterator[Result]:
    title = f"joins: {suite.name} {runs.number}"
    ours = Way.JOINS.value
    for way in (Way.JOINS, Way.FILTERS, Way.OFF):
        yield Result(title, f"files opened, {way.value}", _opened(runs.hive[way][0], suite.fact), "files")
    yield Result(title, f"seconds, {ours}", statistics.median(runs.seconds(Way.JOINS)), "s")
    for way in (Way.FILTERS, Way.OFF, Way.NATIVE):
        taken = statistics.median(runs.seconds(way))
        yield Result(title, f"seconds, {way.value}", taken, "s", ours, runs.ratio(way))
    ratio = median_ratio(runs.spark, runs.seconds(Way.JOINS))
    yield Result(title, "seconds, Spark", statistics.median(runs.spark), "s", ours, ratio)


def _needed(suite: Suite, runs: _Runs, needed: int) -> Result:
    opened = _opened(runs.hive[Way.JOINS][0], suite.fact)
    ratio = opened / max(1, needed)
    goal = at_most(_MOST_TIMES_THE_NEEDED_FILES, ratio, "times")
    return Result(
        f"joins: {suite.name} {runs.number}", "files opened", opened, "files", "needed files", ratio, *goal
    )


def _summary(suite: Suite, runs: Sequence[_Runs]) -> Iterator[Result]:
    title = f"joins: {suite.name}, median of {len(runs)} queries"
    for way in (Way.FILTERS, Way.OFF, Way.NATIVE):
        ratio = statistics.median(one.ratio(way) for one in runs)
        goal = at_least(
            _LEAST_TIMES_FASTER if suite.is_sorted_by_key and way is Way.OFF else None, ratio, "times"
        )
        yield Result(title, f"times as long, {way.value}", ratio, "times", Way.JOINS.value, ratio, *goal)
    spark = statistics.median(median_ratio(one.spark, one.seconds(Way.JOINS)) for one in runs)
    yield Result(title, "times as long, Spark", spark, "times", Way.JOINS.value, spark)
    if not suite.is_sorted_by_key:
        # No value of a join can skip a file of it: what is left is the cost.
        cost = statistics.median(1 / one.ratio(Way.FILTERS) for one in runs)
        goal = at_most(_MOST_TIMES_WITHOUT_GAIN, cost, "times")
        yield Result(title, "times as long, values of joins", cost, "times", Way.FILTERS.value, cost, *goal)
