"""The results as charts and a table, for docs/benchmarks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import matplotlib

matplotlib.use("svg")  # no display is needed, and none is looked for

from matplotlib import pyplot

from .growth import SIZES
from .results import Result, markdown, number

_OURS: Final = "#1f77b4"
_OTHERS: Final = "#b0b0b0"
_METRICS: Final = ("10 rows", "5,000 rows", "full scan")
# The same bytes for the same figures, so that a chart changes only with them.
matplotlib.rcParams.update({"svg.hashsalt": "hudi-skip", "svg.fonttype": "none", "font.size": 9})


def write(results: Sequence[Result], machine: str, folder: Path) -> None:
    """Draws what the results allow.

    Args:
        results: Of one run, not necessarily of all benchmarks.
        machine: What they were measured with, written below each chart.
        folder: Where the SVG files and the table of all figures go.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "figures.md").write_text(f"# Figures\n\n{machine}\n\n{markdown(results)}", "utf-8")
    for name, prefix, metrics in (
        ("layouts", "layouts: ", _METRICS),
        ("pruning", "pruning: ", [f"{count} column{'s' * (count > 1)}, cold" for count in (1, 5, 20)]),
    ):
        bars = _bars(results, prefix, metrics)
        if bars:
            _draw_bars(bars, metrics, machine, folder / f"{name}.svg")
    lines = _lines(results)
    if lines:
        _draw_lines(lines, machine, folder / "growth.svg")


def _bars(results: Sequence[Result], prefix: str, metrics: Sequence[str]) -> dict[str, list[float | None]]:
    """Milliseconds of each peer for each metric."""
    found: dict[str, list[float | None]] = {}
    for result in results:
        if result.benchmark.startswith(prefix) and result.metric in metrics:
            row = found.setdefault(result.benchmark.removeprefix(prefix), [None] * len(metrics))
            row[list(metrics).index(result.metric)] = result.value
    return found


def _draw_bars(bars: dict[str, list[float | None]], metrics: Sequence[str], machine: str, path: Path) -> None:
    figure, panels = pyplot.subplots(1, len(metrics), figsize=(11, 1 + 0.35 * len(bars)), sharey=True)
    names = list(reversed(bars))
    for place, (panel, metric) in enumerate(zip(panels, metrics, strict=True)):
        values = [bars[name][place] for name in names]
        colours = [_OURS if name.startswith("index") else _OTHERS for name in names]
        panel.barh(names, [value or 0 for value in values], color=colours)
        panel.set_xscale("log")
        panel.set_title(metric)
        panel.set_xlabel("milliseconds, logarithmic")
        for at, value in enumerate(values):
            if value is not None:
                panel.text(value, at, f" {number(value)}", va="center", fontsize=7)
        panel.margins(x=0.25)
    _save(figure, machine, path)


def _lines(results: Sequence[Result]) -> dict[str, list[tuple[int, float]]]:
    """Points of files and milliseconds for each filter."""
    found: dict[str, list[tuple[int, float]]] = {}
    for size in SIZES:
        for result in results:
            if result.benchmark == f"growth: {size:,} files" and result.unit == "ms":
                found.setdefault(result.metric, []).append((size, result.value))
    return found


def _draw_lines(lines: dict[str, list[tuple[int, float]]], machine: str, path: Path) -> None:
    figure, panel = pyplot.subplots(figsize=(8, 4.5))
    for name, points in lines.items():
        panel.plot([size for size, _ in points], [value for _, value in points], marker="o", label=name)
    panel.set_xscale("log")
    panel.set_yscale("log")
    panel.set_xlabel("files")
    panel.set_ylabel("milliseconds for a filter on 3 columns")
    panel.legend(fontsize=7)
    panel.grid(alpha=0.3)
    _save(figure, machine, path)


def _save(figure: Any, machine: str, path: Path) -> None:
    figure.text(0.005, 0.005, machine, fontsize=5)
    figure.tight_layout(rect=(0, 0.03, 1, 1))
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)
