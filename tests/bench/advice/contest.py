"""Compares advised layouts with every layout that one might try by hand: bytes read, errors of forecasts."""

import shutil
import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from itertools import combinations, permutations
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from pycompiler.tools.advise.advice import LayoutAdvice, advise
from pycompiler.tools.advise.advice import shares_kept as shares_read
from pycompiler.tools.advise.forecast import forecast, mean_share
from pycompiler.tools.advise.layout import Layout, Order
from pycompiler.tools.advise.row_sample import RowSample
from pycompiler.tools.advise.sampling import sample_rows
from pycompiler.tools.advise.workload import Workload
from pycompiler.tools.explain.open_table import open_table

from ..environment import WORK
from ..results import Result, at_most, limited
from . import written
from .data_sets import FLIGHTS, TPC_H, DataSet
from .truth import shares_kept

_MOST_TIMES_THE_BEST: Final = 1.1
_LARGEST_ERROR: Final = 20
"""Per cent."""

_ROWS_PER_SAMPLED: Final = 15
"""The share of the rows that `advise` samples of a table with three million rows."""

_WRITTEN: Final = 3
"""How many layouts tried by hand are written as files: those that keep the fewest files."""

_STEP: Final = 20
"""A line of progress for so many layouts."""

_NOW: Final = datetime(2026, 1, 1, tzinfo=timezone.utc)

_Tried: TypeAlias = Mapping[Layout, Sequence[float]]
"""The share of the files that a condition keeps on average, by layout, for each number of files."""


def run(small: bool) -> list[Result]:
    """Asks for advice on both tables, and tries all layouts."""
    return [result for data in (FLIGHTS, TPC_H) for result in Contest.prepare(data, small).results()]


@dataclass(frozen=True)
class _Read:
    """What conditions read of a table whose files were written.

    Attributes:
        size: Bytes, on average.
        shares: The share of the table's bytes, by condition.
    """

    size: float
    shares: Sequence[float]


@dataclass(frozen=True)
class Contest:
    """A table in the order in which its rows arrived, and advice on it.

    Attributes:
        folder: Where tables are written.
        rows: All rows, with all columns.
        numbers: Numbers of files.
        advice: The advice for files of the size that gives each number.
        tested: All rows of the columns that conditions test.
    """

    data: DataSet
    folder: Path
    rows: pa.Table
    numbers: Sequence[int]
    advice: Sequence[LayoutAdvice]
    tested: RowSample

    @staticmethod
    def prepare(data: DataSet, small: bool) -> "Contest":
        """Writes a table, and asks for advice.

        Args:
            data: The table.
            small: Whether it is a trial, with fewer rows and files.
        """
        folder = WORK / data.name.replace(" ", "-")
        thinning = data.thinning if small else 1
        rows = _with_strings(pq.read_table(data.generate(folder).file))
        rows = rows.take(np.arange(0, rows.num_rows, thinning))
        numbers = [number // thinning for number in data.files]
        table = written.write(folder / "arrived", rows, numbers[1], data.key)
        with open_table(table) as opened:
            bases = [each.base for each in opened.known.slices if each.base is not None]
        size = sum(base.size for base in bases)
        found = []
        for number in numbers:
            _say(data, f"asking for advice on {rows.num_rows:,} rows in {number} files")
            found.append(
                advise(
                    table,
                    list(data.conditions),
                    frozenset(),
                    _NOW,
                    lambda step, done, total: None,
                    file_size=size // number,
                    max_rows=rows.num_rows // _ROWS_PER_SAMPLED,
                )
            )
        # Rows are taken in proportion to the bytes of each file: a bound far above their number takes all.
        tested = sample_rows(
            table,
            bases,
            found[0].workload.columns(),
            lambda done, total: None,
            max_rows=10 * rows.num_rows,
        )
        if tested.rows != rows.num_rows or found[0].workload.unreadable:
            raise AssertionError(f"read {tested.rows} rows, and not {found[0].workload.unreadable}")
        return Contest(data, folder, rows, numbers, found, tested)

    @property
    def _workload(self) -> Workload:
        return self.advice[0].workload

    def results(self) -> Iterator[Result]:
        """What is read with the advised layouts and with the best ones, and the errors of forecasts."""
        tried = self.tried()
        for at, advised in enumerate(self.advice):
            yield from self._compared(at, advised, tried)
            yield from self._errors(at, advised, tried)

    def tried(self) -> _Tried:
        """Tries all layouts by hand."""
        layouts = list(_by_hand(list(self._workload.columns())))
        started = time.monotonic()
        found: dict[Layout, Sequence[float]] = {}
        for number, layout in enumerate(layouts):
            if number % _STEP == 0:
                taken = time.monotonic() - started
                _say(self.data, f"{number} of {len(layouts)} layouts tried by hand in {taken:.0f} s")
            shares = shares_kept(layout, self.tested, self._workload, self.numbers)
            found[layout] = [mean_share(each, self._workload) for each in shares]
        return found

    def _compared(self, at: int, advised: LayoutAdvice, tried: _Tried) -> Iterator[Result]:
        files = self.numbers[at]
        title = f"advice: {self.data.name}, {files} files"
        by_hand = sorted(tried, key=lambda layout: tried[layout][at])[:_WRITTEN]
        read = {layout: self._read(layout, files) for layout in by_hand}
        best = min(read, key=lambda layout: read[layout].size)
        as_it_is = _Read(advised.share_now * advised.size, [each.share for each in advised.now])
        yield Result(title, f"as it is, {advised.files} files", as_it_is.size / 1e6, "MB")
        yield Result(title, f"best by hand: {best}", read[best].size / 1e6, "MB")
        found = as_it_is if advised.best is None else self._read(advised.best.layout, files)
        name = "as it is" if advised.best is None else str(advised.best.layout)
        ratio = found.size / read[best].size
        goal = at_most(_MOST_TIMES_THE_BEST, ratio, "times")
        yield Result(title, f"advised: {name}", found.size / 1e6, "MB", str(best), ratio, *goal)
        if advised.best is not None:
            expected = advised.best.shares
            yield from self._wrong(title, "the advised layout's forecast", expected, found.shares, files)

    def _wrong(
        self, title: str, what: str, expected: Sequence[float], truth: Sequence[float], files: int
    ) -> Iterator[Result]:
        error = 100 * abs(mean_share(expected, self._workload) / mean_share(truth, self._workload) - 1)
        yield limited(title, f"error of {what}", error, "%", _LARGEST_ERROR)
        # One file is as exact as it gets.
        wrong = [
            abs(one - other) > max(_LARGEST_ERROR / 100 * other, 1 / files)
            for one, other in zip(expected, truth, strict=True)
        ]
        yield Result(title, f"conditions with a larger error of {what}", sum(wrong), f"of {len(wrong)}")

    def _errors(self, at: int, advised: LayoutAdvice, tried: _Tried) -> Iterator[Result]:
        files = self.numbers[at]
        errors = [
            100 * abs(forecast(layout, advised.sample, advised.workload, files).share / truths[at] - 1)
            for layout, truths in tried.items()
        ]
        title = f"advice: {self.data.name}, {files} files, {len(errors)} layouts"
        yield Result(title, "median error of forecasts", statistics.median(errors), "%")
        yield limited(title, "largest error of forecasts", max(errors), "%", _LARGEST_ERROR)

    def _read(self, layout: Layout, files: int) -> _Read:
        root = self.folder / "laid-out"
        shutil.rmtree(root, ignore_errors=True)
        rows = self.rows.take(layout.arrange(self.tested, files))
        table = written.write(root, rows, files, self.data.key)
        with open_table(table) as opened:
            statistics = opened.statistics([each.expression for each in self._workload.conditions])
            shares = shares_read(opened, self._workload, statistics)
            size = sum(each.size for each in opened.known.slices)
        return _Read(mean_share(shares, self._workload) * size, shares)


def _by_hand(columns: Sequence[str]) -> Iterator[Layout]:
    """By each column, and by each pair of them."""
    for column in columns:
        yield Layout((column,))
    for pair in permutations(columns, 2):
        yield Layout(pair)
    for pair in combinations(columns, 2):
        yield Layout(pair, Order.Z_ORDER)
        yield Layout(pair, Order.HILBERT)


def _with_strings(rows: pa.Table) -> pa.Table:
    # TPC-H's generator declares string views, from which Arrow cannot take single rows.
    types = [pa.string() if pa.types.is_string_view(of) else of for of in rows.schema.types]
    return rows.cast(pa.schema(list(zip(rows.column_names, types, strict=True))))


def _say(data: DataSet, text: str) -> None:
    print(f"{data.name}: {text}", flush=True)
