"""Sampled rows that are made up, and workloads over them."""

from collections.abc import Mapping, Sequence

import numpy as np

from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.types import HiveType
from pycompiler.tools.advise.row_sample import NULL, RowSample, SampledColumn
from pycompiler.tools.advise.workload import Workload, read_workload

BIGINT = HiveType("bigint")


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
        {name: sampled(numbers) for name, numbers in columns.items()},
    )


def asked(*conditions: str, columns: Sequence[str] = ("a", "b", "c")) -> Workload:
    """A workload of conditions on columns of whole numbers."""
    return read_workload(conditions, {"t"}, dict.fromkeys(columns, BIGINT))
