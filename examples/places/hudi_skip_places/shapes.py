"""Areas on the earth, and S2 cells that cover them.

Latitudes are from -90 to 90 degrees and longitudes from -180 to 180. A cover omits a cell only if no place
that S2 assigns to the cell is in the area.
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
"""Degrees by which cells are enlarged: far more than the rounding errors of S2 and the functions."""

EARTH_METRES: Final = 6_371_008.8
"""Radius of the sphere for distances."""

_POLAR: Final = 89.0
"""Beyond this latitude rounding moves longitudes by more than the margin, so cells get every longitude."""
_MAX_CELLS: Final = 200
_FINEST: Final = 16
_FACES: Final = 6

Point: TypeAlias = tuple[float, float]
"""Longitude and latitude."""
Edge: TypeAlias = tuple[Point, Point]


class Relation(Enum):
    """The relation of a cell to an area."""

    OUTSIDE = "no place of the cell is in the area"
    INSIDE = "every place of the cell is in the area"
    ACROSS = "some places of the cell may be in the area"


@dataclass(frozen=True, slots=True)
class Box:
    """The places between two latitudes and two longitudes, edges included."""

    south: float
    west: float
    north: float
    east: float

    def meets(self, other: Box) -> bool:
        """Whether the boxes share a place."""
        return (
            self.south <= other.north
            and other.south <= self.north
            and self.west <= other.east
            and other.west <= self.east
        )

    def holds(self, other: Box) -> bool:
        """Whether this box contains another."""
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
        """The relation of a cell to the area; ACROSS is always correct."""

    def cover(self) -> bytes:
        """Cells that cover the area, serialized."""
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
        """Whether to subdivide a cell; a cell inside the area is added as a whole."""
        relation = self.relation(S2Cell(cell))
        if relation is Relation.INSIDE:
            inside.append(cell.id())
        return relation is Relation.ACROSS


@dataclass(frozen=True, slots=True)
class BoxArea(Area):
    """A box.

    Proof of its cover: a place in the box and in a cell is also in a rectangle around the cell; so they
    intersect.
    """

    box: Box

    def relation(self, cell: S2Cell) -> Relation:
        """Compares rectangles."""
        around = rectangles(cell)
        if not any(self.box.meets(rectangle) for rectangle in around):
            return Relation.OUTSIDE
        return Relation.INSIDE if all(map(self.box.holds, around)) else Relation.ACROSS


class PolygonArea(Area):
    """The inside of rings in the plane of longitude and latitude, by the even-odd rule, edges included.

    Proof of its cover: if no edge crosses a rectangle, all of its places have the parity of its centre. The
    rectangle is enlarged by more than rounding can move an edge or a place.

    Args:
        edges: Of all rings, with coordinates from -1000 to 1000.
    """

    def __init__(self, edges: Sequence[Edge]) -> None:
        points: npt.NDArray[np.float64] = np.array(edges, dtype=np.float64)
        self._ax, self._ay = points[:, 0, 0], points[:, 0, 1]
        self._bx, self._by = points[:, 1, 0], points[:, 1, 1]

    def relation(self, cell: S2Cell) -> Relation:
        """Tests whether edges cross the rectangles around the cell, and the parity of their centres."""
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
    """The places within a distance of a centre, on a sphere.

    Proof of its cover: no place of a cell is nearer than S2's distance of the cell. A place that the function
    puts into the area exceeds the distance by rounding at most.

    Args:
        latitude: Of the centre.
        longitude: Of the centre.
        radius: The distance as an angle in degrees, at most 90.
    """

    def __init__(self, latitude: float, longitude: float, radius: float) -> None:
        self._centre = S2LatLng.FromDegrees(latitude, longitude).ToPoint()
        self._radius = radius + _CAP_MARGIN

    def relation(self, cell: S2Cell) -> Relation:
        """Tests the cell's distance from the centre."""
        far = cell.GetDistance(self._centre).degrees() > self._radius
        return Relation.OUTSIDE if far else Relation.ACROSS


_CAP_MARGIN: Final = 1e-6
"""Degrees (0.1 m); chords and haversines in doubles lose at most a billionth of a radian."""


def rectangles(cell: S2Cell) -> list[Box]:
    """Boxes that contain all places that S2 assigns to a cell: one, or two at the antimeridian."""
    bound = cell.GetRectBound()
    south, north = bound.lat_lo().degrees() - MARGIN, bound.lat_hi().degrees() + MARGIN
    west, east = bound.lng_lo().degrees() - MARGIN, bound.lng_hi().degrees() + MARGIN
    if max(-south, north) > _POLAR:
        return [Box(south, -180.0, north, 180.0)]
    if west > east or east - west >= 360:
        # Also if a bound is the antimeridian itself, which has two longitudes.
        pieces = [(-180.0, 180.0)] if east - west >= 360 else [(west, 180.0), (-180.0, east)]
    else:
        pieces = [(west, east)]
        if east >= 180:
            pieces.append((-180.0, -180.0 + MARGIN))
        if west <= -180:
            pieces.append((180.0 - MARGIN, 180.0))
    return [Box(south, low, north, high) for low, high in pieces]


def cap_box(latitude: float, longitude: float, radius: float) -> Box:
    """A box around the places within an angle of a centre; all longitudes near a pole or at 180."""
    radius += _CAP_MARGIN
    south, north = latitude - radius, latitude + radius
    if south <= -_POLAR or north >= _POLAR:
        return Box(max(south, -90.0), -180.0, min(north, 90.0), 180.0)
    sine = math.sin(math.radians(radius)) / math.cos(math.radians(latitude))
    half = math.degrees(math.asin(min(1.0, sine)))
    west, east = longitude - half - _CAP_MARGIN, longitude + half + _CAP_MARGIN
    return Box(south, -180.0, north, 180.0) if west <= -180 or east >= 180 else Box(south, west, north, east)
