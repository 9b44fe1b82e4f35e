"""The files that a table has, or would have with another layout, as far as a sample of its rows tells."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from pycompiler.advise.bounds import expected_statistics
from pycompiler.advise.layout import Layout
from pycompiler.advise.pieces import Pieces
from pycompiler.advise.sample.row_sample import Codes, RowSample, TableSample
from pycompiler.expression.evaluator import FileStatistics

MOST_FILES: Final = 20_000
"""Of a table with more files, as many that stand for all of them."""


@dataclass(frozen=True, slots=True)
class ExpectedFiles:
    """Files that stand for those of a table.

    Attributes:
        statistics: The bounds and counts of each, without records of other kinds.
        weights: The share of the table's bytes for which each stands; together 1.
        number: Number of files of the table.
        random: For each row of the sample by chance the position of its file.
        asked: The same for each row with an asked value.
        rows: About how many rows they have; for files that stand for others, those of the others, too.
    """

    statistics: Sequence[FileStatistics]
    weights: npt.NDArray[np.float64]
    number: int
    random: Codes
    asked: Codes
    rows: int

    @property
    def count(self) -> int:
        """Number of files that stand for those of the table."""
        return len(self.statistics)


def files_of_layout(layout: Layout, sample: TableSample, files: int) -> ExpectedFiles:
    """The files of a table after it has been laid out anew.

    Args:
        layout: The layout.
        sample: Rows of the table, those by chance in an order by chance.
        files: Number of files that the table would have.
    """
    random, asked = sample.random, sample.asked
    pieces = Pieces.of(layout, random, files)
    bounds = expected_statistics(random, pieces)
    # Bounds need many rows, but a value that few rows have is in few files, not in a piece of many files.
    each = pieces.recut(min(files, MOST_FILES))
    piece_of = np.searchsorted(pieces.starts, each.starts, side="right") - 1
    of_random = np.empty(random.rows, np.int64)
    of_random[each.arranged] = np.repeat(np.arange(len(each.starts)), each.sizes)
    places = _places_among(layout, random, asked, files)
    return ExpectedFiles(
        [bounds[piece] for piece in piece_of.tolist()],
        each.sizes / max(random.rows, 1),
        files,
        of_random,
        np.searchsorted(each.starts, places, side="right") - 1,
        sample.table_rows,
    )


def _places_among(layout: Layout, random: RowSample, asked: RowSample, files: int) -> Codes:
    """For each asked row, the place in the order of the layout of a random row next to it."""
    joint = layout.arrange(random, files, asked)
    is_random = joint < random.rows
    following = np.cumsum(is_random)[~is_random]
    places = np.empty(asked.rows, np.int64)
    places[joint[~is_random] - random.rows] = following
    # It is in a file of its partition, even if it follows all random rows of it.
    partitions = np.sort(random.partitions)
    begins = np.searchsorted(partitions, asked.partitions, side="left")
    ends = np.searchsorted(partitions, asked.partitions, side="right")
    return np.clip(places, begins, np.maximum(ends - 1, begins))


def files_as_they_are(sample: TableSample, known: Mapping[str, FileStatistics], files: int) -> ExpectedFiles:
    """The files of a table, as those that were sampled show them.

    Args:
        sample: Rows of the table.
        known: Statistics of its files, by path.
        files: Number of files of the table.
    """
    sizes = np.array([file.size for file in sample.files], np.float64)
    return ExpectedFiles(
        [
            {name: replace(of_column, contents={}) for name, of_column in known.get(file.path, {}).items()}
            for file in sample.files
        ],
        sizes / max(sizes.sum(), 1),
        files,
        sample.random.sources,
        sample.asked.sources,
        sample.rows_of_files,
    )
