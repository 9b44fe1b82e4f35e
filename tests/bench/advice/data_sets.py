"""The tables, their fifty conditions each, and the sizes of file in which they are laid out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from examples.demo import flights_source, tpch_source
from examples.demo.lake import SourceTable

from . import flights, lineitem

_SCALE: Final = 0.1
"""TPC-H's scale factor: 600,000 rows of lineitem."""


@dataclass(frozen=True)
class DataSet:
    """A table and what is asked of it.

    Attributes:
        name: Its name in the results.
        generate: Writes its rows as one Parquet file to a folder.
        key: The record key columns.
        conditions: What is asked, as after WHERE.
        files: Numbers of files into which it is divided, ascending; the middle one is that of the table on
            which advice is asked.
        thinning: In a trial, every so many-th row and file is taken.
    """

    name: str
    generate: Callable[[Path], SourceTable]
    key: str
    conditions: Sequence[str]
    files: tuple[int, int, int]
    thinning: int


FLIGHTS: Final = DataSet(
    "flights", flights_source.flights, "flights_id", flights.CONDITIONS, (50, 150, 450), 10
)
TPC_H: Final = DataSet(
    "TPC-H lineitem",
    lambda folder: tpch_source.generate("lineitem", _SCALE, folder),
    "l_orderkey,l_linenumber",
    lineitem.CONDITIONS,
    (50, 150, 450),
    10,
)
