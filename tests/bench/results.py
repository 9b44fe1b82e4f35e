"""What a benchmark found, as a table and as build/bench/results.json."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.table import Table

HEADINGS: Final = ("benchmark", "metric", "value", "compared with", "ratio", "goal", "met")


@dataclass(frozen=True)
class Result:
    """One figure.

    Attributes:
        benchmark: What was done.
        metric: What was measured of it.
        value: The figure.
        unit: Its unit.
        compared_with: What the ratio's divisor is, measured in the same run; None if there is no ratio.
        ratio: The figure divided by its peer's.
        goal: What is hoped for, as text.
        met: Whether it is; None if there is no goal.
    """

    benchmark: str
    metric: str
    value: float
    unit: str
    compared_with: str | None = None
    ratio: float | None = None
    goal: str | None = None
    met: bool | None = None


def at_most(limit: float, value: float, unit: str) -> tuple[str, bool]:
    """A goal and whether it is met."""
    return f"< {limit:g} {unit}", value < limit


def at_least(limit: float, value: float, unit: str) -> tuple[str, bool]:
    """A goal and whether it is reached."""
    return f"≥ {limit:g} {unit}", value >= limit


def write(results: Sequence[Result], path: Path) -> None:
    """Adds to the file's results, in place of those of the same benchmarks."""
    names = {result.benchmark for result in results}
    kept = []
    if path.exists():
        kept = [entry for entry in json.loads(path.read_text("utf-8")) if entry["benchmark"] not in names]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps([*kept, *map(asdict, results)], indent=1) + "\n", "utf-8")


def markdown(results: Sequence[Result]) -> str:
    """The results as a table for docs."""
    lines = [
        f"| {' | '.join(HEADINGS)} |",
        "|---|---|--:|---|--:|---|---|",
    ]
    lines += [f"| {' | '.join(_cells(result))} |" for result in results]
    return "\n".join(lines) + "\n"


def show(results: Sequence[Result]) -> None:
    """Prints the results as a table."""
    table = Table(box=None, pad_edge=False)
    for heading in HEADINGS:
        table.add_column(heading, justify="right" if heading in ("value", "ratio") else "left")
    for result in results:
        table.add_row(*_cells(result))
    Console(width=180).print(table)


def _cells(result: Result) -> list[str]:
    return [
        result.benchmark,
        result.metric,
        f"{number(result.value)} {result.unit}",
        result.compared_with or "",
        "" if result.ratio is None else number(result.ratio),
        result.goal or "",
        {None: "", True: "yes", False: "NO"}[result.met],
    ]


def number(value: float) -> str:
    """A figure for people."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
