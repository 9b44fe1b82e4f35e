"""Draws charts that say what was measured, in which unit, and which bars are this project's."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import matplotlib

matplotlib.use("svg")  # No display is needed.

from matplotlib import pyplot
from matplotlib.ticker import EngFormatter

from examples.demo.report import Way

from . import hive_queries
from .growth import SIZES
from .results import Result, number

OURS: Final = "#1f77b4"
_OURS_TOO: Final = "#8fbbdb"
OTHERS: Final = "#b0b0b0"
# Labels by the names of figures.
_NAMES: Final[Mapping[str, str]] = {
    "index from Java": "hudi-skip, in Hive's JVM",
    "index from Java, in memory": "hudi-skip, in Hive's JVM, cached",
    "index from Python": "hudi-skip, in Python",
    "metadata table (Hudi's API)": "Hudi metadata table, Hudi's API",
    "metadata table, read only": "Hudi metadata table, only read",
    "HFile (Hudi's reader)": "HFile, Hudi's reader",
    "Parquet, parquet-mr": "one Parquet file, parquet-mr",
    "Parquet, pyarrow": "one Parquet file, pyarrow",
    "Spark SQL on Parquet": "one Parquet file, Spark SQL",
    "Iceberg planning": "Iceberg, planning",
    "Spark + Hudi data skipping": "Spark with Hudi's data skipping",
}
_BASE: Final = "index from Java"
_LAYOUTS: Final = {
    "10 rows": "Statistics of 1 column in 10 files",
    "5,000 rows": "Statistics of 4 columns in 1,288 files",
    "full scan": "All statistics: 2,078 columns in 1,288 files",
}
_PRUNING: Final = {
    "1 column, cold": "A condition on 1 column",
    "5 columns, cold": "Conditions on 5 columns",
    "20 columns, cold": "Conditions on 20 columns",
}
_READING: Final = "Reading column statistics of a table with 1,288 files: milliseconds, less is better"
_CHOOSING: Final = "Choosing the files of a query among 1,288, nothing cached: milliseconds, less is better"
_LINES: Final = {
    "first in a new JVM, cold": ("the first query of a new JVM", "#d62728"),
    "not in the order of the files, cold": ("values scattered across files, from disk", "#ff7f0e"),
    "one day, the order of the files, cold": ("one day of files in that order, from disk", OURS),
    "not in the order of the files, warm": ("values scattered across files, from memory", "#ffbb78"),
    "one day, the order of the files, warm": ("one day of files in that order, from memory", _OURS_TOO),
}
_WAYS: Final = {Way.SKIPPING: OURS, Way.OFF: OTHERS, Way.PARQUET: "#7a7a7a"}
matplotlib.rcParams.update(
    {"svg.hashsalt": "hudi-skip", "svg.fonttype": "none", "font.size": 9, "axes.titlesize": 10}
)


def write(results: Sequence[Result], machine: str, folder: Path) -> None:
    """Draws a chart for each benchmark that has one, with the machine as its footer."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in _CHARTS.items():
        if found := [result for result in results if result.section == name]:
            figure = draw(found)
            figure.text(0.005, 0.005, machine, fontsize=5)
            figure.tight_layout(rect=(0, 0.05, 1, 1))
            save(figure, folder / f"benchmark-{name}.svg")


def save(figure: Any, path: Path) -> None:
    """Writes a chart; its bytes depend only on its figures."""
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)


def _bars(metrics: Mapping[str, str], title: str, found: Sequence[Result]) -> Any:
    """Draws a panel per metric, with a bar for each peer that has it."""
    measured = {metric: {f.subject: f.value for f in found if f.metric == metric} for metric in metrics}
    figure, panels = pyplot.subplots(
        len(metrics),
        1,
        figsize=(8.5, sum(0.7 + 0.27 * len(values) for values in measured.values())),
        height_ratios=[1 + len(values) for values in measured.values()],
    )
    figure.suptitle(title, fontsize=11, fontweight="bold")
    for panel, (metric, values) in zip(panels, measured.items(), strict=True):
        names = sorted(values, key=values.__getitem__, reverse=True)
        is_ours = [name.startswith("index") for name in names]
        bars = panel.barh(
            [_NAMES[name] for name in names],
            [values[name] for name in names],
            color=[OURS if ours else OTHERS for ours in is_ours],
        )
        labels = [
            f"{number(values[name])} ms" + ("" if ours else f" ({_times(values[name] / values[_BASE])})")
            for name, ours in zip(names, is_ours, strict=True)
        ]
        _finish(panel, metrics[metric])
        panel.bar_label(bars, labels, padding=4, fontsize=8)
    figure.text(
        0.99, 0.005, "×: times as long as hudi-skip in Hive's JVM, not cached", ha="right", fontsize=8
    )
    return figure


def _growth(found: Sequence[Result]) -> Any:
    figure, panel = pyplot.subplots(figsize=(8.5, 4.5))
    figure.suptitle("Choosing the files of a query, by the size of the table", fontsize=11, fontweight="bold")
    for metric, (label, colour) in _LINES.items():
        values = [(size, _value(found, f"{size:,} files", metric) / 1000) for size in SIZES]
        panel.plot(*zip(*values, strict=True), marker="o", color=colour)
        panel.annotate(
            label, values[-1], xytext=(8, 0), textcoords="offset points", va="center", color=colour
        )
    panel.set_xscale("log")
    panel.set_yscale("log")
    panel.set_xlim(SIZES[0] * 0.8, SIZES[-1] * 40)
    panel.set_xticks(SIZES, [f"{size:,}" for size in SIZES])
    panel.minorticks_off()
    panel.set_xlabel("files of the table")
    panel.yaxis.set_major_formatter(EngFormatter("s"))
    panel.set_ylabel("time for conditions on 3 columns (logarithmic)")
    panel.grid(alpha=0.3)
    panel.spines[["top", "right"]].set_visible(False)
    return figure


def _hive(found: Sequence[Result]) -> Any:
    """Draws panels for files, seconds and CPU seconds, each with a group of three bars per query."""
    table = {f.metric: f.value for f in found if f.subject == hive_queries.TABLE}
    queries = [*dict.fromkeys(f.subject for f in found if f.subject != hive_queries.TABLE)]
    queries.reverse()
    figure, panels = pyplot.subplots(1, 3, figsize=(11, 1.4 + 0.75 * len(queries)), sharey=True)
    title = f"Queries in Hive on {table['rows']:,.0f} rows in {table['files']:,.0f} files: less is better"
    figure.suptitle(title, fontsize=11, fontweight="bold")
    metrics = hive_queries.FILES, hive_queries.SECONDS, hive_queries.CPU_SECONDS
    for panel, metric in zip(panels, metrics, strict=True):
        for place, (way, colour) in enumerate(_WAYS.items()):
            values = [_value(found, query, f"{metric}, {way.value}") for query in queries]
            heights = [at - (place - 1) * 0.27 for at in range(len(queries))]
            label = f"hudi-skip, {way.value}" if way is not Way.PARQUET else "Hive on the same Parquet files"
            bars = panel.barh(heights, values, height=0.25, color=colour, label=label)
            panel.bar_label(bars, map(number, values), padding=4, fontsize=8)
        _finish(panel, metric)
    panels[0].set_yticks(range(len(queries)), queries)
    figure.legend(*panels[0].get_legend_handles_labels(), loc="lower center", ncols=len(_WAYS), frameon=False)
    return figure


def _value(found: Sequence[Result], subject: str, metric: str) -> float:
    [result] = [f for f in found if (f.subject, f.metric) == (subject, metric)]
    return result.value


def _times(ratio: float) -> str:
    return f"{ratio:.0f} ×" if ratio >= 10 else f"{ratio:.2g} ×"


def _finish(panel: Any, title: str) -> None:
    """Removes the axis, because the bars are labelled, and leaves space for the labels."""
    panel.set_title(title, loc="left")
    panel.margins(x=0.25)
    panel.set_xticks([])
    panel.tick_params(axis="y", length=0)
    panel.spines[["top", "right", "bottom"]].set_visible(False)


_CHARTS: Final[Mapping[str, Callable[[Sequence[Result]], Any]]] = {
    "layouts": partial(_bars, _LAYOUTS, _READING),
    "pruning": partial(_bars, _PRUNING, _CHOOSING),
    "growth": _growth,
    "hive": _hive,
}
