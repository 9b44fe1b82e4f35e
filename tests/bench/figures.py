"""docs/benchmarks/figures.md: all figures, in a section for each benchmark with the machine of its run."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from .results import HEADINGS, Result, markdown

FILE: Final = "figures.md"
_VALUE: Final = re.compile(r"(?P<number>-?[\d,.]+(?:e[+-]?\d+)?) (?P<unit>.+)")


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure as it stands in the file, rounded.

    Attributes:
        benchmark: What was done, without the name of the section.
        metric: What was measured of it.
        value: The figure.
        unit: Its unit.
    """

    benchmark: str
    metric: str
    value: float
    unit: str


@dataclass(frozen=True, slots=True)
class Section:
    """The figures of a benchmark.

    Attributes:
        machine: What they were measured with, and when.
        table: The table, in Markdown.
    """

    machine: str
    table: str

    def figures(self) -> list[Figure]:
        """The rows of the table."""
        rows = [line.strip("| ").split(" | ") for line in self.table.splitlines() if line.startswith("| ")]
        return [_figure(row) for row in rows if row[0] != HEADINGS[0]]


def sections_of(results: Sequence[Result], machine: str) -> dict[str, Section]:
    """Sorts results of one run into sections: what stands before the colon is the section's name."""
    names = dict.fromkeys(result.benchmark.partition(":")[0] for result in results)
    return {
        name: Section(machine, markdown([one for one in results if one.benchmark.startswith(f"{name}:")]))
        for name in names
    }


def read(folder: Path) -> dict[str, Section]:
    """Returns the sections of the file in a folder; none if there is no file."""
    file = folder / FILE
    if not file.exists():
        return {}
    _, *parts = re.split(r"^## ", file.read_text("utf-8"), flags=re.MULTILINE)
    found = {}
    for part in parts:
        name, machine, table = part.split("\n\n", maxsplit=2)
        found[name] = Section(machine, table.strip() + "\n")
    return found


def write(folder: Path, sections: Mapping[str, Section]) -> None:
    """Writes the file."""
    parts = [f"## {name}\n\n{section.machine}\n\n{section.table}" for name, section in sections.items()]
    (folder / FILE).write_text("\n".join(["# Figures\n", *parts]), "utf-8")


def _figure(row: Sequence[str]) -> Figure:
    value = _VALUE.fullmatch(row[2])
    if value is None:
        raise ValueError(f"not a figure with a unit: {row[2]!r} in {row}")
    benchmark = row[0].partition(": ")[2]
    return Figure(benchmark, row[1], float(value["number"].replace(",", "")), value["unit"])
