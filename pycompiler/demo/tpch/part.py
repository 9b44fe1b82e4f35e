"""Which tables of TPC-H the demo writes, and how they are cut into files."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from pycompiler.demo.common.lake import Layout
from pycompiler.demo.common.part import Part
from pycompiler.demo.tpch.queries import QUERIES
from pycompiler.demo.tpch.source import generate
from pycompiler.index.options import IndexOptions

_FILES_AT_SCALE_1: Final = 200
_LEAST_FILES: Final = 20
_PART: Final = Layout(key="p_partkey", order=("p_partkey",), files=4)


def tpch_part(directory: Path, scale: float) -> Part:
    """Generates the data, unless it is there, and says what is done with it.

    Args:
        directory: Where data and tables of all scales go.
        scale: TPC-H's scale factor. A file of lineitem has 30,000 rows, at any scale from 0.1 on.

    Raises:
        DemoDataError: The data could not be generated.
    """
    home = directory / f"tpch-{scale:g}"
    layouts = {"lineitem": lineitem_layout(scale), "part": _PART}
    return Part(
        title="TPC-H",
        lake=home / "lake",
        tables=tuple((generate(name, scale, home / "source"), layout) for name, layout in layouts.items()),
        queries=QUERIES,
        cached=False,
    )


def lineitem_layout(scale: float) -> Layout:
    """Returns how lineitem is cut at a scale: by the day of shipping, with a bloom filter of the orders."""
    return Layout(
        key="l_orderkey,l_linenumber",
        order=("l_shipdate", "l_orderkey"),
        files=max(_LEAST_FILES, round(scale * _FILES_AT_SCALE_1)),
        index=IndexOptions({"l_orderkey": "bloom(fpp=0.001)"}),
    )
