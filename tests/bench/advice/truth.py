"""What conditions keep of a table in some layout: all of its rows, ordered, cut, and bounded exactly.

The rows are ordered as `Layout.arrange` models Hudi's clustering, and the evaluator that skips files decides
which of them a condition keeps. Hudi differs in three ways. It makes the ranges of a curve from a sample,
not from all rows, and there are as many as files, while here their number is a power of two. Spark also cuts
files by a sample, so that they are not exactly equal. And it puts rows that are alike in the columns of
a layout in any order, while here they keep that of their arrival.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from pycompiler.compile.expression.evaluator import FileStatistics, evaluate
from pycompiler.compile.expression.statistics import ColumnStatistics
from pycompiler.compile.values.encoding import truncate_lower, truncate_upper
from pycompiler.tools.advise.layout import Layout, Order
from pycompiler.tools.advise.row_sample import NULL, Codes, RowSample, SampledColumn
from pycompiler.tools.advise.workload import Workload


def shares_kept(
    layout: Layout, rows: RowSample, workload: Workload, numbers: Sequence[int]
) -> Iterator[tuple[float, ...]]:
    """The share of the table's files that each condition keeps, for some numbers of equally long files.

    Args:
        layout: The layout.
        rows: All rows of the table.
        workload: The conditions.
        numbers: Numbers of files.
    """
    arranged = layout.arrange(rows, numbers[0])
    for files in numbers:
        if layout.order is not Order.LINEAR and files != numbers[0]:
            # A curve depends on the number of files.
            arranged = layout.arrange(rows, files)
        starts = np.linspace(0, rows.rows, files, endpoint=False).astype(np.int64)
        of_columns = {
            name: _bounds(column, column.codes[arranged], starts) for name, column in rows.columns.items()
        }
        statistics: list[FileStatistics] = [
            {name: of_files[file] for name, of_files in of_columns.items()} for file in range(files)
        ]
        yield tuple(
            sum(evaluate(condition.expression, statistics)) / files for condition in workload.conditions
        )


def _bounds(column: SampledColumn, codes: Codes, starts: Codes) -> list[ColumnStatistics]:
    count = len(column.values)
    is_value = (codes != NULL) & (codes < count)
    lows = np.minimum.reduceat(np.where(is_value, codes, count), starts).tolist()
    highs = np.maximum.reduceat(np.where(is_value, codes, -1), starts).tolist()
    nulls = np.add.reduceat((codes == NULL).astype(np.int64), starts).tolist()
    nans = np.add.reduceat((codes == count).astype(np.int64), starts).tolist()
    rows = np.diff(starts, append=len(codes)).tolist()
    return [
        ColumnStatistics(
            column.type,
            lower=None if low > high else truncate_lower(column.values[low]),
            upper=None if low > high else truncate_upper(column.values[high]),
            null_count=null,
            value_count=of_file,
            nan_count=nan,
        )
        for low, high, null, nan, of_file in zip(lows, highs, nulls, nans, rows, strict=True)
    ]
