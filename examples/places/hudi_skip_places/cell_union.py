"""Sets of S2 cells as bytes: the content of records, and the form of questions.

The cells' ids, 8 bytes each, big-endian, ascending as unsigned numbers; no cell contains another. A cell's id
lies in the middle of the range of ids of its leaf cells (S2's level 30).
"""

from collections.abc import Iterable, Sequence
from typing import Final

_BYTES: Final = 8
_LEVELS: Final = 30


class CellUnionFormatError(ValueError):
    """The bytes are not a set of cells."""


def parent(cell: int, level: int) -> int:
    """The cell at a level that contains, or equals, a given cell."""
    end = 1 << 2 * (_LEVELS - level)
    return cell & -end | end


def first_leaf(cell: int) -> int:
    """The first leaf cell in a cell."""
    return cell - ((cell & -cell) - 1)


def last_leaf(cell: int) -> int:
    """The last leaf cell in a cell."""
    return cell + ((cell & -cell) - 1)


def to_bytes(cells: Iterable[int]) -> bytes:
    """Serializes cells, in any order, none of which contains another."""
    return b"".join(cell.to_bytes(_BYTES, "big") for cell in sorted(cells))


def from_bytes(data: bytes) -> tuple[int, ...]:
    """Parses what `to_bytes` wrote.

    Raises:
        CellUnionFormatError: The bytes are truncated, or the cells are not ascending and disjoint.
    """
    if len(data) % _BYTES:
        raise CellUnionFormatError(f"{len(data)} bytes are not a whole number of cells")
    cells = tuple(int.from_bytes(data[at : at + _BYTES], "big") for at in range(0, len(data), _BYTES))
    last = 0
    for cell in cells:
        if not cell or first_leaf(cell) <= last:
            raise CellUnionFormatError("the cells are not ascending and disjoint")
        last = last_leaf(cell)
    return cells


def intersect(some: Sequence[int], others: Sequence[int]) -> bool:
    """Whether two sets share a leaf cell."""
    i = j = 0
    while i < len(some) and j < len(others):
        if last_leaf(some[i]) < first_leaf(others[j]):
            i += 1
        elif last_leaf(others[j]) < first_leaf(some[i]):
            j += 1
        else:
            return True
    return False
