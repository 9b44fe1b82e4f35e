"""Draws the pictures of guides, from real rows: which files a query opens, and why.

`python -m tests.bench.pictures FOLDER` draws layout.svg and joins.svg there: the days in each file of TPC-H's
lineitem, in order of arrival and sorted by day; and how a join with holidays chooses files of flights.
"""

import datetime as dt
import sys
import tempfile
from collections.abc import Collection
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc
from matplotlib import pyplot
from pyarrow import parquet

from examples.demo import flights_source, tpch_source

from . import charts

_COLUMN: Final = "l_shipdate"
_DAY: Final = dt.date(1995, 2, 14)
_CONDITION: Final = f"WHERE {_COLUMN} = '{_DAY}'"
_FILES: Final = 60
_SCALE: Final = 0.1

_COUNTRY: Final = "US"
_HOLIDAYS: Final = (
    ("2013-01-01", "US"),
    ("2013-01-21", "US"),
    ("2013-02-11", "JP"),
    ("2013-02-18", "US"),
    ("2013-05-01", "FR"),
    ("2013-05-27", "US"),
    ("2013-07-04", "US"),
    ("2013-07-14", "FR"),
    ("2013-08-01", "CH"),
    ("2013-09-02", "US"),
    ("2013-10-03", "DE"),
    ("2013-10-14", "US"),
    ("2013-11-11", "US"),
    ("2013-11-28", "US"),
    ("2013-12-25", "US"),
    ("2013-12-26", "DE"),
)
"""Some days, each a holiday in a country."""

_RED: Final = "#d62728"
_LEAST_HEIGHT: Final = 0.024
"""Of a bar, as a share of all days, so that a file of a single day is seen."""


def main() -> None:
    """Draws both pictures."""
    folder = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as sources:
        shipped = _days(tpch_source.generate("lineitem", _SCALE, Path(sources)).file, _COLUMN)
        flown = _days(flights_source.flights(Path(sources)).file, "flights_date")
    charts.save(_layouts(shipped), folder / "layout.svg")
    charts.save(_join(flown), folder / "joins.svg")


def _days(file: Path, column: str) -> pa.ChunkedArray:
    return parquet.read_table(file, columns=[column])[column]


def _layouts(days: pa.ChunkedArray) -> Any:
    figure, panels = pyplot.subplots(1, 2, figsize=(9, 3.4), sharey=True)
    for panel, title, ordered in (
        (panels[0], "Rows as they arrive", days),
        (panels[1], f"Rows sorted by {_COLUMN}", days.sort()),
    ):
        opened = _draw_files(panel, ordered, [_DAY])
        panel.set_title(f"{title}: opens {opened} of {_FILES} files", loc="left")
    panels[0].set_ylabel(f"{_COLUMN} in each file,\nfrom first to last")
    below = {"xytext": (0, -12), "textcoords": "offset points", "ha": "right"}
    panels[1].annotate(_CONDITION, (_FILES, _DAY), color=_RED, **below)
    figure.suptitle("The same rows, the same query: which files can have the day?", fontweight="bold")
    figure.tight_layout()
    return figure


def _join(days: pa.ChunkedArray) -> Any:
    figure, (small, large) = pyplot.subplots(1, 2, figsize=(9, 3.8), width_ratios=(1, 2.6))
    found = [dt.date.fromisoformat(day) for day, country in _HOLIDAYS if country == _COUNTRY]
    _draw_small_table(small)
    small.set_title(f"1. holidays: {len(found)} days are found", loc="left")
    opened = _draw_files(large, days.sort(), found)
    large.set_title(f"2. flights, sorted by day: opens {opened} of {_FILES} files", loc="left")
    large.set_ylabel("day in each file,\nfrom first to last")
    figure.suptitle(
        "flights f JOIN holidays h ON f.day = h.day WHERE h.country = 'US'",
        fontweight="bold",
        family="monospace",
    )
    figure.tight_layout()
    return figure


def _draw_small_table(panel: Any) -> None:
    """Writes its rows, those that the filter keeps in the colour of the lines beside them."""
    panel.axis("off")
    for line, (day, country) in enumerate((("day", "country"), *_HOLIDAYS)):
        style = {"weight": "bold"} if line == 0 else {"color": _RED if country == _COUNTRY else charts.OTHERS}
        for left, text in ((0.05, day), (0.6, country)):
            panel.text(left, 1 - (line + 0.5) / (len(_HOLIDAYS) + 1), text, va="center", fontsize=8, **style)


def _draw_files(panel: Any, days: pa.ChunkedArray, wanted: Collection[dt.date]) -> int:
    """Cuts rows into files in their order, and draws the first and last day of each.

    Returns:
        The number of files that may have a wanted day; these are blue.
    """
    cut = [days.slice(len(days) * file // _FILES, len(days) // _FILES) for file in range(_FILES)]
    found = [(ends["min"], ends["max"]) for ends in (pc.min_max(part).as_py() for part in cut)]
    opened = [any(low <= day <= high for day in wanted) for low, high in found]
    colours = [charts.OURS if kept else charts.OTHERS for kept in opened]
    visible = (max(high for _, high in found) - min(low for low, _ in found)) * _LEAST_HEIGHT
    lengths = [max(high - low, visible) for low, high in found]
    panel.use_sticky_edges = False  # Else a line at the first day hides behind the axis.
    panel.bar(range(_FILES), lengths, bottom=[low for low, _ in found], width=0.7, color=colours)
    for day in wanted:
        panel.axhline(day, color=_RED, linewidth=1 if len(wanted) == 1 else 0.6)
    panel.set_xticks([])
    panel.set_xlabel(f"{_FILES} files")
    panel.yaxis_date()
    panel.spines[["top", "right"]].set_visible(False)
    return sum(opened)


if __name__ == "__main__":
    main()
