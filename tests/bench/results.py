"""The figures of a benchmark, printed as a table and saved in build/bench/results.json."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from .timing import Timing

Goal = tuple[str, bool] | tuple[None, None]
"""A goal as text, and whether it is met."""


@dataclass(frozen=True)
class Result:
    """One figure.

    Attributes:
        benchmark: Section and subject, `section: subject`.
        metric: What was measured.
        value: The figure.
        unit: Its unit.
        compared_with: The peer of the same run that the ratio is to.
        ratio: The figure divided by its peer's.
        goal: The goal as text.
        met: Whether the goal is met.
    """

    benchmark: str
    metric: str
    value: float
    unit: str
    compared_with: str | None = None
    ratio: float | None = None
    goal: str | None = None
    met: bool | None = None

    @property
    def section(self) -> str:
        """The name of the benchmark that it belongs to."""
        return self.benchmark.partition(": ")[0]

    @property
    def subject(self) -> str:
        """What was measured within the benchmark."""
        return self.benchmark.partition(": ")[2]


def limited(
    benchmark: str, metric: str, value: float, unit: str, limit: float | None, goal_unit: str | None = None
) -> Result:
    """A figure that should stay below a limit, if there is one."""
    return Result(benchmark, metric, value, unit, None, None, *at_most(limit, value, goal_unit or unit))


def grown(
    benchmark: str, metric: str, growth: float, unit: str, of: tuple[int, str], limit: float | None
) -> Result:
    """By how much a figure grew while something else grew `of` times."""
    times, what = of
    goal = at_most(limit, growth, unit)
    return Result(benchmark, metric, growth, unit, f"{times:,} times the {what}", growth / times, *goal)


def beside(
    section: str,
    base: str,
    found: Mapping[str, Mapping[str, Timing]],
    goals: Mapping[tuple[str, str], float],
) -> Iterator[Result]:
    """The best times by peer and metric. All peers but the base are compared with the base."""
    for peer, timings in found.items():
        for metric, timing in timings.items():
            subject = f"{section}: {peer}"
            if peer == base:
                yield Result(subject, metric, timing.best, "ms")
            else:
                ratio = timing.best / found[base][metric].best
                goal = at_least(goals.get((peer, metric)), ratio, "times as long")
                yield Result(subject, metric, timing.best, "ms", base, ratio, *goal)


def at_most(limit: float | None, value: float, unit: str) -> Goal:
    """The goal to stay below a limit."""
    return (None, None) if limit is None else (f"< {limit:g} {unit}", value < limit)


def at_least(limit: float | None, value: float, unit: str) -> Goal:
    """The goal to reach a limit."""
    return (None, None) if limit is None else (f"≥ {limit:g} {unit}", value >= limit)


def write(results: Sequence[Result], path: Path) -> None:
    """Adds results to a file, replacing those of the same benchmarks."""
    names = {result.benchmark for result in results}
    old = json.loads(path.read_text("utf-8")) if path.exists() else []
    kept = [entry for entry in old if entry["benchmark"] not in names]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps([*kept, *map(asdict, results)], indent=1) + "\n", "utf-8")


def show(results: Sequence[Result]) -> None:
    """Prints the results as a table."""
    table = Table(box=None, pad_edge=False)
    for heading in ("benchmark", "metric", "value", "compared with", "ratio", "goal", "met"):
        table.add_column(heading, justify="right" if heading in ("value", "ratio") else "left")
    for result in results:
        table.add_row(
            result.benchmark,
            result.metric,
            f"{number(result.value)} {result.unit}",
            result.compared_with,
            None if result.ratio is None else number(result.ratio),
            result.goal,
            {None: "", True: "yes", False: "NO"}[result.met],
        )
    Console(width=180).print(table)


def number(value: float) -> str:
    """Formats a figure."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
