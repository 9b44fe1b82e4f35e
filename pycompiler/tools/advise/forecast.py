"""What queries would read of a table with another layout, forecast from a sample of its rows.

The rows are put in the order of the layout and cut into as many pieces as there would be files. The evaluator
that skips files then decides which pieces each condition keeps, by the least and greatest value that a piece
probably has: those of its sampled rows, and a little beyond; and by whether it probably has NULL.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pycompiler.compile.expression.evaluator import evaluate
from pycompiler.tools.advise.bounds import expected_statistics
from pycompiler.tools.advise.layout import Layout
from pycompiler.tools.advise.pieces import Pieces
from pycompiler.tools.advise.row_sample import RowSample
from pycompiler.tools.advise.workload import Workload


@dataclass(frozen=True, slots=True)
class Forecast:
    """What the conditions of a workload would keep of a table.

    Attributes:
        shares: What each keeps, as a share of the table.
        share: What a condition keeps on average.
        error: By how much `share` differs, on average, between halves of the sample; 0 if it is not known.
    """

    layout: Layout
    shares: tuple[float, ...]
    share: float
    error: float = 0


class KeptNow(NamedTuple):
    """What a condition keeps of the table as it is: by all records of the index, and by bounds alone."""

    share: float = 1
    by_bounds: float = 1

    def then(self, by_bounds: float) -> float:
        """About what it keeps with another layout, given what it would keep by bounds.

        Bloom filters and value sets leave the same part of that, but no less than now: a value is in some
        files, whether bounds or filters exclude the others.
        """
        if self.share >= self.by_bounds:
            return by_bounds
        return min(by_bounds, max(by_bounds * self.share / self.by_bounds, self.share))


def mean_share(shares: Sequence[float], workload: Workload) -> float:
    """The share of the table that a condition keeps on average; one asked twice counts twice."""
    kept = sum(share * each.count for share, each in zip(shares, workload.conditions, strict=True))
    return kept / max(workload.asked, 1)


def forecast(
    layout: Layout, sample: RowSample, workload: Workload, files: int, now: Sequence[KeptNow] = ()
) -> Forecast:
    """Forecasts what each condition keeps if the table had so many files, and keeps now what `now` tells."""
    pieces = Pieces.of(layout, sample, files)
    statistics, sizes = expected_statistics(sample, pieces), pieces.sizes
    shares = []
    for condition, kept_now in zip(
        workload.conditions, now or [KeptNow()] * len(workload.conditions), strict=True
    ):
        kept = np.array(evaluate(condition.expression, statistics), bool)
        shares.append(kept_now.then(float(sizes[kept].sum() / sample.rows)))
    return Forecast(layout, tuple(shares), mean_share(shares, workload))
