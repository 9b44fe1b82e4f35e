"""Shows why layout decides: the days in each file of lineitem, in order of arrival and sorted by day.

`python -m tests.bench.layout_picture FOLDER` draws layout.svg there, from rows of TPC-H's generator.
"""

import datetime as dt
import sys
import tempfile
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


def main() -> None:
    """Draws the files of both layouts side by side; those that a query of one day reads are blue."""
    with tempfile.TemporaryDirectory() as folder:
        days = parquet.read_table(generate("lineitem", _SCALE, Path(folder)).file, columns=[_COLUMN])[_COLUMN]
    figure, panels = pyplot.subplots(1, 2, figsize=(9, 3.4), sharey=True)
    _draw_layout(panels[0], "Rows as they arrive", days)
    _draw_layout(panels[1], f"Rows sorted by {_COLUMN}", days.sort())
    panels[0].set_ylabel(f"{_COLUMN} in each file,\nfrom first to last")
    below = {"xytext": (0, -12), "textcoords": "offset points", "ha": "right"}
    panels[1].annotate(_CONDITION, (_FILES, _DAY), color=_RED, **below)
    figure.suptitle("The same rows, the same query: which files can have the day?", fontweight="bold")
    figure.tight_layout()
    charts.save(figure, Path(sys.argv[1]) / "layout.svg")


def _draw_layout(panel: Any, title: str, days: pa.ChunkedArray) -> None:
    """Cuts rows into files in their order, and draws the first and last day of each."""
    cut = [days.slice(len(days) * file // _FILES, len(days) // _FILES) for file in range(_FILES)]
    found = [(ends["min"], ends["max"]) for ends in (pc.min_max(part).as_py() for part in cut)]
    opened = [low <= _DAY <= high for low, high in found]
    colours = [charts.OURS if kept else charts.OTHERS for kept in opened]
    lengths = [max(high - low, _VISIBLE) for low, high in found]
    panel.bar(range(_FILES), lengths, bottom=[low for low, _ in found], width=0.7, color=colours)
    panel.axhline(_DAY, color=_RED, linewidth=1)
    panel.set_title(f"{title}: opens {sum(opened)} of {_FILES} files", loc="left")
    panel.set_xticks([])
    panel.set_xlabel(f"{_FILES} files")
    panel.yaxis_date()
    panel.spines[["top", "right"]].set_visible(False)


if __name__ == "__main__":
    main()
