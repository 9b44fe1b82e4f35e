"""Whether a Parquet footer agrees with itself and with its file: of a base file, or of a log file's block.

Hudi has committed base files whose footer has 4 rows while every column chunk has 40 values (`bulk_insert` of
1.0.2, of a date that Spark refuses to write). Readers return 4 rows; the statistics may be of others.
"""

from collections.abc import Iterator
from typing import Any, Final

import pyarrow.parquet as pq

from pycompiler.index.log_files.errors import StatisticsUntrustedError

_MAGIC_BYTES: Final = 4


def require_agreement(metadata: pq.FileMetaData, size: int) -> None:
    """Verifies what a footer of a file of this size says twice: readers and statistics may differ in it."""
    objection = next(_objections(metadata, size), None)
    if objection is not None:
        raise StatisticsUntrustedError(f"its footer contradicts itself: {objection}")


def _objections(metadata: pq.FileMetaData, size: int) -> Iterator[str]:
    rows = 0
    # Only leaves outside lists and maps have one value, perhaps NULL, in each row.
    flat = [not metadata.schema.column(leaf).max_repetition_level for leaf in range(metadata.num_columns)]
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        rows += group.num_rows
        if group.num_rows < 0:
            yield f"row group {number} has {group.num_rows} rows"
        for leaf, is_flat in enumerate(flat):
            chunk = group.column(leaf)
            if objection := _objection_to_chunk(chunk, group.num_rows, is_flat, size):
                yield f"{chunk.path_in_schema} in row group {number} {objection}"
    if rows != metadata.num_rows:
        yield f"the file has {metadata.num_rows} rows, and its row groups {rows}"


def _objection_to_chunk(chunk: Any, rows: int, is_flat: bool, size: int) -> str:
    values = chunk.num_values
    # A list has at least one value in each row, if only an absent one.
    if values < rows or (is_flat and values != rows):
        return f"has {values} values in {rows} rows"
    if values:  # Else writers leave offsets at 0.
        first = data = chunk.data_page_offset
        if chunk.has_dictionary_page and chunk.dictionary_page_offset > 0:
            first = min(first, chunk.dictionary_page_offset)
        end = first + chunk.total_compressed_size
        if not _MAGIC_BYTES <= first <= data <= end <= size:
            return f"has bytes {first} to {end} of {size}, and data from {data}"
    statistics = chunk.statistics
    if statistics is not None and statistics.has_null_count:
        nulls = statistics.null_count
        if not 0 <= nulls <= values:
            return f"has {nulls} NULLs in {values} values"
        if statistics.has_min_max and nulls == values:
            return f"has bounds, but only NULLs in {rows} rows"
    return ""
