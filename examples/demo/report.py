"""The results: tables to read, a file for benchmarks, and the verdict."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final

from rich.table import Table

from examples.demo.hive import Run
from examples.demo.part import DemoQuery, PreparedPart
from examples.demo.steps import Step


class Way(Enum):
    """How Hive reads the files."""

    SKIPPING = "with skipping"
    OFF = "mode=off"
    PARQUET = "native Parquet"


ON_AND_OFF: Final = (Way.SKIPPING, Way.OFF)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A query, its runs in each way, and whether all answers equal Spark's."""

    query: DemoQuery
    runs: Mapping[Way, Sequence[Run]]
    same_answer: bool

    @property
    def skipping(self) -> Run:
        """The first run with skipping."""
        return self.runs[Way.SKIPPING][0]

    @property
    def files_total(self) -> int:
        """Base files of the tables that the query scans."""
        return sum(scan.files for scan in self.skipping.scans)

    @property
    def files_opened(self) -> int:
        """Base files that the query read with skipping."""
        return sum(scan.kept for scan in self.skipping.scans)

    def seconds(self, way: Way) -> float:
        """The shortest run: other load on the machine only adds time."""
        return min(run.seconds for run in self.runs[way])

    def cpu_seconds(self, way: Way) -> float:
        """The least CPU time of the runs."""
        return min(run.cpu_seconds for run in self.runs[way])

    def failure(self) -> str | None:
        """What is wrong with the outcome; None if nothing is."""
        if not self.same_answer:
            return f"{self.query.title}: Hive's answers and Spark's differ"
        if not self.skipping.scans:
            return f"{self.query.title}: the server's log contains no scan"
        if self.files_opened > self.query.most * self.files_total:
            reasons = "; ".join(scan.reason or scan.expression for scan in self.skipping.scans)
            return f"{self.query.title}: read {self.files_opened} of {self.files_total} files ({reasons})"
        return None


def run_queries(
    prepared: PreparedPart,
    step: Step,
    run: Callable[[DemoQuery, Way], Run],
    ways: Sequence[Way] = ON_AND_OFF,
    rounds: int = 1,
) -> Sequence[Outcome]:
    """Runs each query in each way in turn, and compares the answers with Spark's.

    Skipping comes first, because warm-up effects favour later runs.
    """
    outcomes = []
    for number, (query, expected) in enumerate(prepared.expected.items(), start=1):
        step.update(f"{number} of {len(prepared.expected)}, {query.title}")
        runs: dict[Way, list[Run]] = {way: [] for way in ways}
        for way in [*ways] * rounds:
            runs[way].append(run(query, way))
        same = all(one.answer == expected for several in runs.values() for one in several)
        outcomes.append(Outcome(query, runs, same))
    step.result = f"{len(outcomes)} queries, each {rounds} times in {len(ways)} ways"
    return outcomes


def table(outcomes: Sequence[Outcome], title: str) -> Table:
    """Formats outcomes with the same ways as a table."""
    ways = list(outcomes[0].runs)
    result = Table(title=title)
    numbers = ("files opened / total", "MB read / total", "rows", *(way.value for way in ways))
    for heading in ("query", *numbers, "answers"):
        result.add_column(heading, justify="right" if heading in numbers else "left")
    for done in outcomes:
        scans = done.skipping.scans
        result.add_row(
            done.query.title,
            f"{done.files_opened:,} / {done.files_total:,}",
            f"{_megabytes(scan.kept_size for scan in scans)} / {_megabytes(scan.size for scan in scans)}",
            str(len(done.skipping.answer)),
            *(f"{done.seconds(way):.1f} s\n{done.cpu_seconds(way):.1f} s CPU" for way in ways),
            "identical" if done.same_answer else "DIFFERENT",
        )
    return result


def write_summary(outcomes: Sequence[Outcome], file: Path, **about: int) -> None:
    """Writes what benchmarks read, as JSON: facts about all outcomes, then times in seconds."""
    queries = [
        {
            "title": done.query.title,
            "files_total": done.files_total,
            "files_opened": done.files_opened,
            "seconds": {way.value: round(done.seconds(way), 3) for way in done.runs},
            "cpu_seconds": {way.value: round(done.cpu_seconds(way), 3) for way in done.runs},
        }
        for done in outcomes
    ]
    file.write_text(json.dumps({**about, "queries": queries}, indent=2) + "\n", encoding="utf-8")


def _megabytes(sizes: Iterable[int]) -> str:
    return f"{sum(sizes) / 1e6:.1f}"
