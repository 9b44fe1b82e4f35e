"""Shows why layout decides: the days in each file of lineitem, in order of arrival and sorted by day.

`python -m tests.bench.layout_picture FOLDER` draws layout.svg there, from rows of TPC-H's generator.
"""

import datetime as dt
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc
from matplotlib import pyplot
from pyarrow import parquet

from pycompiler.demo.tpch.source import generate

from . import charts

_COLUMN: Final = "l_shipdate"
_DAY: Final = dt.date(1995, 2, 14)
_CONDITION: Final = f"WHERE {_COLUMN} = '{_DAY}'"
_RED: Final = "#d62728"
_VISIBLE: Final = dt.timedelta(days=60)
_FILES: Final = 60
_SCALE: Final = 0.1

Span = tuple[dt.date, dt.date]


def spans(days: pa.ChunkedArray, files: int) -> list[Span]:
    """Cuts rows into files in their order; returns the first and last day of each."""
    cut = [days.slice(len(days) * file // files, len(days) // files) for file in range(files)]
    return [(found["min"], found["max"]) for found in (pc.min_max(part).as_py() for part in cut)]


def draw(days: pa.ChunkedArray, file: Path) -> None:
    """Draws the files of both layouts side by side; those that a query of one day reads are blue."""
    figure, panels = pyplot.subplots(1, 2, figsize=(9, 3.4), sharey=True)
    layouts = {
        "Rows as they arrive": spans(days, _FILES),
        f"Rows sorted by {_COLUMN}": spans(days.take(pc.sort_indices(days)), _FILES),
    }
    for panel, (title, found) in zip(panels, layouts.items(), strict=True):
        _draw_layout(panel, title, found)
    panels[0].set_ylabel(f"{_COLUMN} in each file,\nfrom first to last")
    below = {"xytext": (0, -12), "textcoords": "offset points", "ha": "right"}
    panels[1].annotate(_CONDITION, (_FILES, _DAY), color=_RED, **below)
    figure.suptitle("The same rows, the same query: which files can have the day?", fontweight="bold")
    figure.tight_layout()
    charts.save(figure, file)


def _draw_layout(panel: Any, title: str, found: Sequence[Span]) -> None:
    opened = [low <= _DAY <= high for low, high in found]
    colours = [charts.OURS if kept else charts.OTHERS for kept in opened]
    lengths = [max(high - low, _VISIBLE) for low, high in found]
    panel.bar(range(len(found)), lengths, bottom=[low for low, _ in found], width=0.7, color=colours)
    panel.axhline(_DAY, color=_RED, linewidth=1)
    panel.set_title(f"{title}: opens {sum(opened)} of {len(found)} files", loc="left")
    panel.set_xticks([])
    panel.set_xlabel(f"{len(found)} files")
    panel.yaxis_date()
    panel.spines[["top", "right"]].set_visible(False)


def main() -> None:
    """Generates the rows and draws the picture."""
    with tempfile.TemporaryDirectory() as folder:
        days = parquet.read_table(generate("lineitem", _SCALE, Path(folder)).file, columns=[_COLUMN])[_COLUMN]
        draw(days, Path(sys.argv[1]) / "layout.svg")


if __name__ == "__main__":
    main()
