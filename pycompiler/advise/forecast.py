"""What queries would read of a table with another layout, forecast from a sample of its rows.

The rows are put in the order of the layout and cut into as many pieces as there would be files. The evaluator
that skips files then decides which pieces each condition keeps, by the least and greatest value that a piece
probably has: those of its sampled rows, and a little beyond; and by whether it probably has NULL.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pycompiler.advise.bounds import expected_statistics
from pycompiler.advise.layout import Layout
from pycompiler.advise.pieces import Pieces
from pycompiler.advise.sample.row_sample import RowSample
from pycompiler.advise.workload import Workload
from pycompiler.expression.evaluator import evaluate


@dataclass(frozen=True, slots=True)
class Forecast:
    """What the conditions of a workload would keep, each as a share of the table, in their order."""

    layout: Layout
    shares: tuple[float, ...]

    def mean(self, workload: Workload) -> float:
        """The share that a condition keeps on average."""
        return mean_share(self.shares, workload)


def mean_share(shares: Sequence[float], workload: Workload) -> float:
    """The share of the table that a condition keeps on average; one asked twice counts twice."""
    asked = sum(each.count for each in workload.conditions)
    return sum(share * each.count for share, each in zip(shares, workload.conditions, strict=True)) / max(
        asked, 1
    )


def forecast(layout: Layout, sample: RowSample, workload: Workload, files: int) -> Forecast:
    """Forecasts what each condition keeps.

    Args:
        layout: The layout.
        sample: Rows of the table.
        workload: The conditions.
        files: Number of files that the table would have.
    """
    pieces = Pieces.of(layout, sample, files)
    statistics, sizes = expected_statistics(sample, pieces), pieces.sizes
    shares = []
    for condition in workload.conditions:
        kept = np.array(evaluate(condition.expression, statistics), bool)
        shares.append(float(sizes[kept].sum() / sample.rows))
    return Forecast(layout, tuple(shares))
