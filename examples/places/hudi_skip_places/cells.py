"""The index kind `cells`: the S2 cells that contain a file's places."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Final

from s2geometry import S2CellId, S2LatLng

from hudi_skip_places import cell_union
from hudi_skip_places.functions import KIND, RULES
from pycompiler.compile.expression.content import Content
from pycompiler.index.kinds import DistinctValues, IndexKind

_FINEST: Final = 30


@dataclass(frozen=True, slots=True)
class CellSet(Content):
    """Cells that together contain each place of a file.

    Attributes:
        cells: Their ids, ascending; no cell contains another.
    """

    cells: tuple[int, ...]

    @property
    def data(self) -> bytes:
        """The set as bytes."""
        return cell_union.to_bytes(self.cells)

    def may_match(self, question: bytes) -> bool:
        """Whether a cell of the question intersects one of the file's.

        Proof: a matching place is in a cell of the question and in one of the file's, so these share a leaf
            cell.
        """
        try:
            return cell_union.intersect(self.cells, _wanted(question))
        except cell_union.CellUnionFormatError:
            return True


@dataclass(frozen=True, slots=True)
class Cells(IndexKind):
    """The cells of a file's places, from latitude and longitude columns in degrees.

    Args:
        level: S2's level of the cells, from 0 to 30: 2 km wide at 12, and twice as wide per level below.
        max: Most cells per record; if there would be more, a lower level is used.
    """

    level: int = 12
    max: int = 256

    rules = RULES
    column_count: ClassVar[int] = 2

    def __post_init__(self) -> None:
        object.__setattr__(self, "level", int(self.level))
        object.__setattr__(self, "max", int(self.max))
        if not 0 <= self.level <= _FINEST:
            raise ValueError(f"level must be from 0 to {_FINEST}, not {self.level}")
        if self.max < 6:
            raise ValueError(f"max must be at least 6, the number of S2's largest cells, not {self.max}")

    @property
    def name(self) -> str:
        """Kind of the records."""
        return KIND

    def content(self, values: DistinctValues) -> bytes | None:
        """The cells; None if a row is not a valid place, which the functions may treat differently."""
        leaves = _leaves(values.rows())
        if leaves is None:
            return None
        level = self.level
        cells = {cell_union.parent(leaf, level) for leaf in leaves}
        while len(cells) > self.max:
            level -= 1
            cells = {cell_union.parent(cell, level) for cell in cells}
        return cell_union.to_bytes(cells)

    def denies(self, content: bytes, values: DistinctValues) -> bool:
        """Looks up the cell of each place; an invalid place is in no cell."""
        cells = cell_union.from_bytes(content)
        leaves = _leaves(values.rows())
        return leaves is None or any(not cell_union.intersect(cells, (leaf,)) for leaf in leaves)

    def read(self, content: bytes) -> Content:
        """The cells, for intersecting with questions."""
        return CellSet(cell_union.from_bytes(content))


@lru_cache(maxsize=16)
def _wanted(question: bytes) -> tuple[int, ...]:
    # Cached, because the same question is put to each file of a table.
    return cell_union.from_bytes(question)


def _leaves(rows: Iterable[tuple[object, ...]]) -> set[int] | None:
    """The leaf cells of places; None if a row is not a valid place."""
    leaves: set[int] = set()
    for latitude, longitude in rows:
        if not isinstance(latitude, float) or not isinstance(longitude, float):
            return None
        if not (abs(latitude) <= 90 and abs(longitude) <= 180):
            return None
        leaves.add(S2CellId(S2LatLng.FromDegrees(latitude, longitude)).id())
    return leaves
