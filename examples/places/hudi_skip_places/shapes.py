"""Areas on the earth, and the cells that cover them.

Latitudes and longitudes are degrees of places: from -90 to 90 and from -180 to 180. A cell is left out of a
cover only if no place that S2 puts into it is in the area.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
from s2geometry import S2Cell, S2CellId, S2LatLng

from hudi_skip_places import cell_union

MARGIN: Final = 1e-9
"""Degrees by which cells are taken larger: far more than rounding, by S2 and by the functions, comes to."""

EARTH_METRES: Final = 6_371_008.8
"""Radius of the sphere on which distances are."""

_POLAR: Final = 89.0
"""Beyond this latitude rounding moves longitudes by more than the margin, and cells have every longitude."""
_MAX_CELLS: Final = 200
_FINEST: Final = 16
_FACES: Final = 6

Point: TypeAlias = tuple[float, float]
"""Longitude and latitude."""
Edge: TypeAlias = tuple[Point, Point]


class Relation(Enum):
    """How a cell lies to an area."""

    OUTSIDE = "no place of the cell is in the area"
    INSIDE = "every place of the cell is in the area"
    ACROSS = "some may be"


@dataclass(frozen=True, slots=True)
class Box:
    """The places between two latitudes and two longitudes; the edges belong to it."""

    south: float
    west: float
    north: float
    east: float

    def meets(self, other: Box) -> bool:
        """Tells whether a place is in both."""
        return (
            self.south <= other.north
            and other.south <= self.north
            and self.west <= other.east
            and other.west <= self.east
        )

    def holds(self, other: Box) -> bool:
        """Tells whether all of another box is in this one."""
        return (
            self.south <= other.south
            and other.north <= self.north
            and self.west <= other.west
            and other.east <= self.east
        )


class Area(ABC):
    """An area on the earth."""

    @abstractmethod
    def relation(self, cell: S2Cell) -> Relation:
        """How a cell lies to it; ACROSS is always right."""

    def cover(self) -> bytes:
        """Cells that hold every place of the area, as a set of cells."""
        done: list[int] = []
        across = [S2CellId.FromFacePosLevel(face, 0, 0) for face in range(_FACES)]
        across = [cell for cell in across if self._keeps(cell, done)]
        for _ in range(_FINEST):
            finer: list[S2CellId] = []
            inside: list[int] = []
            for cell in across:
                finer += [child for child in map(cell.child, range(4)) if self._keeps(child, inside)]
            if len(done) + len(inside) + len(finer) > _MAX_CELLS:
                break
            across, done = finer, done + inside
        return cell_union.to_bytes([*done, *(cell.id() for cell in across)])

    def _keeps(self, cell: S2CellId, inside: list[int]) -> bool:
        """Whether to look at the parts of a cell; one inside of the area is taken whole."""
        relation = self.relation(S2Cell(cell))
        if relation is Relation.INSIDE:
            inside.append(cell.id())
        return relation is Relation.ACROSS


@dataclass(frozen=True, slots=True)
class BoxArea(Area):
    """A box.

    Proof of its cover: a place of the box and of a cell is in a rectangle around the cell; so they meet.
    """

    box: Box

    def relation(self, cell: S2Cell) -> Relation:
        """Compares rectangles."""
        around = rectangles(cell)
        if not any(self.box.meets(rectangle) for rectangle in around):
            return Relation.OUTSIDE
        return Relation.INSIDE if all(map(self.box.holds, around)) else Relation.ACROSS


class PolygonArea(Area):
    """What lies within rings on the plane of longitude and latitude, by the even-odd rule, edges included.

    Proof of its cover: where no edge meets a rectangle, all of its places have the same parity, that of its
    middle; the margin by which it is larger is more than rounding moves an edge or a place.

    Args:
        edges: Of all rings, with coordinates from -1000 to 1000.
    """

    def __init__(self, edges: Sequence[Edge]) -> None:
        points: npt.NDArray[np.float64] = np.array(edges, dtype=np.float64)
        self._ax, self._ay = points[:, 0, 0], points[:, 0, 1]
        self._bx, self._by = points[:, 1, 0], points[:, 1, 1]

    def relation(self, cell: S2Cell) -> Relation:
        """Looks for edges in the rectangles around the cell, and for their middles' parity."""
        around = rectangles(cell)
        if any(map(self._has_edge_in, around)):
            return Relation.ACROSS
        inside = [self._holds((box.west + box.east) / 2, (box.south + box.north) / 2) for box in around]
        if all(inside):
            return Relation.INSIDE
        return Relation.ACROSS if any(inside) else Relation.OUTSIDE

    def _has_edge_in(self, box: Box) -> bool:
        ax, ay, bx, by = self._ax, self._ay, self._bx, self._by
        beside = (
            (np.maximum(ax, bx) < box.west)
            | (np.minimum(ax, bx) > box.east)
            | (np.maximum(ay, by) < box.south)
            | (np.minimum(ay, by) > box.north)
        )
        # The corners are all on one side of the line through the edge.
        sides = [
            (bx - ax) * (y - ay) - (by - ay) * (x - ax)
            for x in (box.west, box.east)
            for y in (box.south, box.north)
        ]
        least, greatest = np.minimum.reduce(sides), np.maximum.reduce(sides)
        return bool(np.any(~beside & (least <= 0) & (greatest >= 0)))

    def _holds(self, x: float, y: float) -> bool:
        crossing = (self._ay > y) != (self._by > y)
        ax, ay, bx, by = (part[crossing] for part in (self._ax, self._ay, self._bx, self._by))
        return bool(np.count_nonzero(x < (bx - ax) * (y - ay) / (by - ay) + ax) % 2)


class CapArea(Area):
    """The places within a distance of a place, on a sphere.

    Proof of its cover: no place of a cell is nearer than S2's distance of the cell, and a place that the
    function puts into the area is at most rounding further away than it says.

    Args:
        latitude: Of the place.
        longitude: Of the place.
        radius: The distance as an angle in degrees, at most 90.
    """

    def __init__(self, latitude: float, longitude: float, radius: float) -> None:
        self._centre = S2LatLng.FromDegrees(latitude, longitude).ToPoint()
        self._radius = radius + _CAP_MARGIN

    def relation(self, cell: S2Cell) -> Relation:
        """Compares the cell's distance."""
        far = cell.GetDistance(self._centre).degrees() > self._radius
        return Relation.OUTSIDE if far else Relation.ACROSS


_CAP_MARGIN: Final = 1e-6
"""Degrees (0.1 m): of chords and of the haversine as doubles, a billionth of a radian is lost at most."""


def rectangles(cell: S2Cell) -> list[Box]:
    """Boxes in which all places lie that S2 puts into a cell: one, or two at the antimeridian."""
    bound = cell.GetRectBound()
    south, north = bound.lat_lo().degrees() - MARGIN, bound.lat_hi().degrees() + MARGIN
    west, east = bound.lng_lo().degrees() - MARGIN, bound.lng_hi().degrees() + MARGIN
    if max(-south, north) > _POLAR:
        return [Box(south, -180.0, north, 180.0)]
    if west > east or east - west >= 360:
        # Also where a bound is the antimeridian itself, which has two names.
        pieces = [(-180.0, 180.0)] if east - west >= 360 else [(west, 180.0), (-180.0, east)]
    else:
        pieces = [(west, east)]
        if east >= 180:
            pieces.append((-180.0, -180.0 + MARGIN))
        if west <= -180:
            pieces.append((180.0 - MARGIN, 180.0))
    return [Box(south, low, north, high) for low, high in pieces]


def cap_box(latitude: float, longitude: float, radius: float) -> Box:
    """A box around the places within an angle of a place; of every longitude near a pole or 180."""
    radius += _CAP_MARGIN
    south, north = latitude - radius, latitude + radius
    if south <= -_POLAR or north >= _POLAR:
        return Box(max(south, -90.0), -180.0, min(north, 90.0), 180.0)
    sine = math.sin(math.radians(radius)) / math.cos(math.radians(latitude))
    half = math.degrees(math.asin(min(1.0, sine)))
    west, east = longitude - half - _CAP_MARGIN, longitude + half + _CAP_MARGIN
    return Box(south, -180.0, north, 180.0) if west <= -180 or east >= 180 else Box(south, west, north, east)
