"""Which rows of a file have the single values that conditions ask for, however rare these are."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pycompiler.advise.sample.row_sample import NULL, Codes
from pycompiler.values.encoding import decode_value
from pycompiler.values.types import HiveType, ValueKind

_WHOLE_NUMBER = HiveType("bigint")


def asked_rows(
    hive_type: HiveType,
    values: pa.ChunkedArray,
    asked: Iterable[bytes],
    most: int,
    chance: np.random.Generator,
) -> Codes:
    """Positions of the rows with one of some values, in any order.

    Args:
        hive_type: The type of the values.
        values: The rows, in the form to encode.
        asked: The wanted values, encoded.
        most: Of a value with more rows, so many are taken by chance: it is in most files anyway.
        chance: Chooses them.
    """
    wanted = _in_arrow(hive_type, values.type, asked)
    found = pc.fill_null(pc.index_in(values, wanted), NULL).to_numpy().astype(np.int64)
    rows: Codes = chance.permutation(np.flatnonzero(found != NULL))
    rows = rows[np.argsort(found[rows], kind="stable")]
    of_rows = found[rows]
    is_taken = np.arange(len(rows)) - np.searchsorted(of_rows, of_rows) < most
    taken: Codes = rows[is_taken]
    return taken


def _in_arrow(hive_type: HiveType, arrow_type: pa.DataType, encoded: Iterable[bytes]) -> pa.Array:
    """The values that the Arrow type has; others are in no row."""
    found = []
    for value in encoded:
        try:
            found.append(pa.scalar(_plain(hive_type, value), arrow_type))
        except (pa.ArrowException, ValueError, OverflowError, TypeError):
            continue
    return pa.array([each.as_py() for each in found], arrow_type)


def _plain(hive_type: HiveType, value: bytes) -> Any:
    match hive_type.kind:
        case ValueKind.STRING:
            return value
        case ValueKind.DATE | ValueKind.TIMESTAMP:
            return decode_value(_WHOLE_NUMBER, value)
        case _:
            return decode_value(hive_type, value)
