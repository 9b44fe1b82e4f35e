"""Sampled rows that are made up, and workloads over them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from pycompiler.advise.sample.row_sample import NULL, RowSample, SampledColumn, TableSample
from pycompiler.advise.workload import Workload, read_workload
from pycompiler.table.files import TableFile
from pycompiler.values.encoding import encode_value
from pycompiler.values.types import HiveType

BIGINT = HiveType("bigint")
Numbers = npt.NDArray[np.int64]


def sampled(numbers: Sequence[int | None]) -> SampledColumn:
    """A column of whole numbers."""
    values = sorted({number for number in numbers if number is not None})
    codes = {value: code for code, value in enumerate(values)}
    return SampledColumn(
        BIGINT,
        [encode_value(BIGINT, value) for value in values],
        np.array([NULL if number is None else codes[number] for number in numbers], np.int64),
    )


def sample_of(
    columns: Mapping[str, Sequence[int | None]], partitions: Sequence[int] | None = None
) -> RowSample:
    """Rows with these columns, by default of one partition."""
    rows = len(next(iter(columns.values())))
    return RowSample(
        np.zeros(rows, np.int64) if partitions is None else np.array(partitions, np.int64),
        np.zeros(rows, np.int64),
        {name: sampled(numbers) for name, numbers in columns.items()},
    )


def table_sample(
    columns: Mapping[str, Sequence[int | None]],
    chosen: Sequence[int] | None = None,
    sources: Sequence[int] | None = None,
    asked: Sequence[int] = (),
) -> TableSample:
    """A sample of a table of one partition.

    Args:
        columns: Its columns.
        chosen: Positions of the rows that were chosen by chance; by default all.
        sources: For each row of the table the number of its file, by default 0.
        asked: Positions of the rows with asked values.
    """
    table = sample_of(columns)
    of_files = np.zeros(table.rows, np.int64) if sources is None else np.array(sources, np.int64)
    table = replace(table, sources=of_files, share=1)
    return TableSample(
        table.part(np.arange(table.rows) if chosen is None else np.array(chosen, np.int64)),
        table.part(np.array(asked, np.int64)),
        [TableFile(f"f{number}.parquet", 1000, "1", True) for number in range(int(of_files.max()) + 1)],
        table_rows=table.rows,
        rows_of_files=table.rows,
        rows_read=table.rows,
    )


def asked(*conditions: str, columns: Sequence[str] = ("a", "b", "c")) -> Workload:
    """A workload of conditions on columns of whole numbers."""
    return read_workload(conditions, {"t"}, dict.fromkeys(columns, BIGINT))
