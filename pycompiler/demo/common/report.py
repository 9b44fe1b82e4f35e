"""What came out: a table for people, a file for programs, and the verdict."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.table import Table

from pycompiler.demo.common.hive import Run
from pycompiler.demo.common.query import DemoQuery


@dataclass(frozen=True, slots=True)
class Outcome:
    """A query with its two runs on Hive and whether they and Spark agree."""

    query: DemoQuery
    skipping: Run
    full: Run
    same_answer: bool

    @property
    def files_total(self) -> int:
        """Base files of the tables that it scans."""
        return sum(scan.files for scan in self.skipping.scans)

    @property
    def files_opened(self) -> int:
        """Base files that it read with skipping on."""
        return sum(scan.kept for scan in self.skipping.scans)

    def failure(self) -> str | None:
        """Says what is wrong with it, or None."""
        if not self.same_answer:
            return f"{self.query.title}: the answers of Hive with skipping, Hive without it and Spark differ"
        if not self.skipping.scans:
            return f"{self.query.title}: the server's log tells of no scan"
        if self.query.selective and self.files_opened * 3 > self.files_total:
            reasons = "; ".join(scan.reason or scan.expression for scan in self.skipping.scans)
            opened = f"{self.files_opened} of {self.files_total}"
            return f"{self.query.title}: opened {opened} files, more than a third ({reasons})"
        return None


def table(outcomes: Sequence[Outcome], title: str) -> Table:
    """Lays the outcomes out as a table."""
    result = Table(title=title)
    for heading in (
        "query",
        "files opened / total",
        "MB read / total",
        "rows",
        "seconds",
        "without",
        "answers",
    ):
        result.add_column(heading, justify="left" if heading in ("query", "answers") else "right")
    for outcome in outcomes:
        scans = outcome.skipping.scans
        result.add_row(
            outcome.query.title,
            f"{outcome.files_opened} / {outcome.files_total}",
            f"{_megabytes(scan.kept_size for scan in scans)} / {_megabytes(scan.size for scan in scans)}",
            str(len(outcome.skipping.answer)),
            f"{outcome.skipping.seconds:.2f}",
            f"{outcome.full.seconds:.2f}",
            "identical" if outcome.same_answer else "DIFFERENT",
        )
    return result


def write_summary(outcomes: Sequence[Outcome], file: Path) -> None:
    """Writes the outcomes as JSON: one object for each query; times are in seconds."""
    summary = [
        {
            "query": outcome.query.sql,
            "files_total": outcome.files_total,
            "files_opened": outcome.files_opened,
            "rows": len(outcome.skipping.answer),
            "seconds": round(outcome.skipping.seconds, 3),
            "seconds_without": round(outcome.full.seconds, 3),
            "same_answer": outcome.same_answer,
        }
        for outcome in outcomes
    ]
    file.write_text(json.dumps(summary, indent=2) + "\n", encoding="utf-8")


def _megabytes(sizes: Iterable[int]) -> str:
    return f"{sum(sizes) / 1e6:.1f}"
