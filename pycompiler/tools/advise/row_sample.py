"""Rows of a table that stand for all of them, with the columns that conditions test."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from pycompiler.compile.values.types import HiveType

NULL: Final = -1
"""Code of NULL."""

Codes: TypeAlias = npt.NDArray[np.int64]
"""For each row, a position in a list, or a negative number."""


@dataclass(frozen=True, slots=True)
class SampledColumn:
    """A column of the sampled rows.

    Attributes:
        type: Its type in the files.
        values: Its different values, encoded and ascending, without NULL and NaN.
        codes: For each row the position of its value, `NULL`, or for NaN the number of values.
    """

    type: HiveType
    values: Sequence[bytes]
    codes: Codes


@dataclass(frozen=True, slots=True)
class RowSample:
    """Rows of a table.

    Attributes:
        partitions: For each row a number that stands for its partition.
        columns: The columns that could be read, by lower-case name.
        files: Number of the files that they are from.
        share: The part of the table's rows that these are; 0 if it is hardly any, or unknown.
    """

    partitions: Codes
    columns: Mapping[str, SampledColumn]
    files: int = 1
    share: float = 0

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.partitions)

    def part(self, chosen: npt.NDArray[np.bool_] | Codes) -> "RowSample":
        """The chosen rows: those for which there is True, or those at some positions, in their order."""
        partitions = self.partitions[chosen]
        return replace(
            self,
            partitions=partitions,
            columns={name: replace(of, codes=of.codes[chosen]) for name, of in self.columns.items()},
            share=self.share * len(partitions) / max(self.rows, 1),
        )

    def shuffled(self) -> "RowSample":
        """The rows in an order by chance, the same one each time.

        Clustering puts rows that are alike in the layout's columns in any order. In that of today's files, a
        table sorted by a column of few values would seem to skip by whatever its rows are in order of now.
        """
        return self.part(np.random.default_rng(self.rows).permutation(self.rows))

    def first_half(self) -> npt.NDArray[np.bool_]:
        """Whether each row is in the first of two halves, by chance; the same ones each time."""
        return np.random.default_rng(self.rows).random(self.rows) < 0.5
