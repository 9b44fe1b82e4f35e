"""Sets of S2 cells as bytes: what records have as their content, and what is asked of them.

The ids of cells, 8 bytes each, big-endian, ascending as unsigned numbers; no cell holds another. The id of a
cell stands for a range of ids of smallest cells (S2's level 30), in the middle of which it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

_BYTES: Final = 8
_LEVELS: Final = 30


class CellUnionFormatError(ValueError):
    """The bytes are not a set of cells."""


def parent(cell: int, level: int) -> int:
    """The cell of a level that holds a smaller cell, or is it."""
    end = 1 << 2 * (_LEVELS - level)
    return cell & -end | end


def first_leaf(cell: int) -> int:
    """The least smallest cell in a cell."""
    return cell - ((cell & -cell) - 1)


def last_leaf(cell: int) -> int:
    """The greatest smallest cell in a cell."""
    return cell + ((cell & -cell) - 1)


def to_bytes(cells: Iterable[int]) -> bytes:
    """Writes cells of which none holds another, in any order."""
    return b"".join(cell.to_bytes(_BYTES, "big") for cell in sorted(cells))


def from_bytes(data: bytes) -> tuple[int, ...]:
    """Reads what `to_bytes` wrote.

    Raises:
        CellUnionFormatError: The bytes are cut, or the cells do not ascend or hold each other.
    """
    if len(data) % _BYTES:
        raise CellUnionFormatError(f"{len(data)} bytes of cells")
    cells = tuple(int.from_bytes(data[at : at + _BYTES], "big") for at in range(0, len(data), _BYTES))
    last = 0
    for cell in cells:
        if not cell or first_leaf(cell) <= last:
            raise CellUnionFormatError("cells that do not ascend, or hold each other")
        last = last_leaf(cell)
    return cells


def intersect(some: Sequence[int], others: Sequence[int]) -> bool:
    """Tells whether a smallest cell is in both sets."""
    i = j = 0
    while i < len(some) and j < len(others):
        if last_leaf(some[i]) < first_leaf(others[j]):
            i += 1
        elif last_leaf(others[j]) < first_leaf(some[i]):
            j += 1
        else:
            return True
    return False
