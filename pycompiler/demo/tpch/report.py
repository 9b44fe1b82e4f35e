"""What came out of the queries on lineitem: a table for people and a file for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rich.table import Table

from pycompiler.demo.tpch.comparison import ROUNDS, Comparison, Way

EXPLANATION: Final = f"""\
All three read the same Parquet files; the native table is one of Hive's own over links to those of the Hudi
table. Seconds are those of the client. CPU seconds are what HiveServer2 and the daemon that runs its tasks
took meanwhile, user and system, JIT compiler and garbage collector included. Each is the least of
{ROUNDS} runs, taken by turns, those with skipping first.

On a cluster as many files are opened: that depends on how the table is laid out, and on the condition.
Seconds differ: a cluster starts tasks for each query and divides the CPU seconds among them, and each file
that is opened costs round trips to HDFS or an object store. Here all files are in this machine's memory.
"""


@dataclass(frozen=True, slots=True)
class TpchReport:
    """The comparisons at a scale.

    Attributes:
        scale: TPC-H's scale factor.
        rows: Rows of lineitem.
        files: Its base files.
        comparisons: One for each query.
    """

    scale: float
    rows: int
    files: int
    comparisons: Sequence[Comparison]

    def table(self) -> Table:
        """Lays the comparisons out as a table."""
        title = f"TPC-H lineitem in Hive: {self.rows:,} rows in {self.files:,} files (--scale {self.scale:g})"
        result = Table(title=title)
        headings = ("query", "files opened / total", *(way.value for way in Way), "answers")
        for heading in headings:
            result.add_column(heading, justify="left" if heading in ("query", "answers") else "right")
        for done in self.comparisons:
            result.add_row(
                done.query.title,
                f"{done.files_opened:,} / {done.files_total:,}",
                *(f"{done.seconds(way):.1f} s\n{done.cpu_seconds(way):.1f} s CPU" for way in Way),
                "identical" if done.same_answer else "DIFFERENT",
            )
        return result

    def write(self, file: Path) -> None:
        """Writes the comparisons as JSON; times are in seconds."""
        summary = {
            "scale": self.scale,
            "rows": self.rows,
            "files": self.files,
            "queries": [_entry(done) for done in self.comparisons],
        }
        file.write_text(json.dumps(summary, indent=2) + "\n", encoding="utf-8")


def _entry(done: Comparison) -> dict[str, object]:
    return {
        "title": done.query.title,
        "query": done.query.sql,
        "files_total": done.files_total,
        "files_opened": done.files_opened,
        "seconds": {way.value: round(done.seconds(way), 3) for way in Way},
        "cpu_seconds": {way.value: round(done.cpu_seconds(way), 3) for way in Way},
        "same_answer": done.same_answer,
    }
