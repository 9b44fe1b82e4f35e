"""The functions of `io.hudiskip.places` in Python, and places at edges."""

import math
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hudi_skip_places.shapes import Area, Box, BoxArea, CapArea, Edge, Point, PolygonArea, cap_box

EARTH_METRES = 6_371_008.8
Place = tuple[float, float]
"""Latitude and longitude."""


@dataclass(frozen=True)
class Wanted:
    """An area with the function that decides.

    Attributes:
        area: The area.
        boxes: Boxes that together contain it.
        edges: Of a polygon.
        centre: Of a circle.
        metres: Of a circle.
    """

    area: Area
    boxes: tuple[Box, ...]
    edges: tuple[Edge, ...] = ()
    centre: Place = (0.0, 0.0)
    metres: float = 0.0

    def holds(self, place: Place) -> bool:
        if self.edges:
            return is_in_polygon(self.edges, place)
        if self.metres:
            return _metres(self.centre, place) <= self.metres
        return is_in_boxes(self.boxes, place)


def is_in_boxes(boxes: Iterable[Box], place: Place) -> bool:
    latitude, longitude = place
    return any(box.holds(Box(latitude, longitude, latitude, longitude)) for box in boxes)


def is_in_polygon(edges: Iterable[Edge], place: Place) -> bool:
    """The even-odd rule, and the boundary, as `io.hudiskip.places.Polygon` has them."""
    y, x = place
    inside = False
    for (ax, ay), (bx, by) in edges:
        is_beside = min(ax, bx) <= x <= max(ax, bx) and min(ay, by) <= y <= max(ay, by)
        if is_beside and (bx - ax) * (y - ay) == (by - ay) * (x - ax):
            return True
        if (ay > y) != (by > y) and x <= max(ax, bx):
            inside ^= x < min(ax, bx) or x < (bx - ax) * (y - ay) / (by - ay) + ax
    return inside


def _metres(one: Place, other: Place) -> float:
    up = math.sin(math.radians(other[0] - one[0]) / 2)
    along = math.sin(math.radians(other[1] - one[1]) / 2)
    haversine = up * up + math.cos(math.radians(one[0])) * math.cos(math.radians(other[0])) * along * along
    return 2 * EARTH_METRES * math.asin(math.sqrt(min(1.0, haversine)))


def random_place(rng: random.Random) -> Place:
    """Somewhere on the earth, often where longitudes meet or end."""
    latitude = rng.choice([rng.uniform(-90, 90), rng.uniform(-60, 60), rng.choice([-90.0, 90.0, 0.0, 45.0])])
    longitude = rng.choice(
        [rng.uniform(-180, 180), rng.uniform(-20, 20), rng.choice([-180.0, 180.0, 0.0, 90.0])]
    )
    return latitude, longitude


def random_area(rng: random.Random) -> Wanted:
    """A box, a polygon or a circle, from a street to a continent."""
    latitude, longitude = random_place(rng)
    size = 10 ** rng.uniform(-3, 1.5)
    match rng.randrange(3):
        case 0:
            box = Box(
                latitude - size * rng.random(),
                longitude - size,
                latitude + size * rng.random(),
                longitude + size,
            )
            return Wanted(BoxArea(box), (box,))
        case 1:
            ring: list[Point] = [
                (longitude + size * rng.uniform(-1, 1), latitude + size * rng.uniform(-1, 1))
                for _ in range(rng.randint(3, 12))
            ]
            edges = tuple(zip(ring, [*ring[1:], ring[0]], strict=True))
            return Wanted(PolygonArea(edges), (), edges)
    metres = math.radians(size) * EARTH_METRES
    radius = math.degrees(metres / EARTH_METRES)
    box = cap_box(latitude, longitude, radius)
    return Wanted(CapArea(latitude, longitude, radius), (box,), (), (latitude, longitude), metres)


def places_near(rng: random.Random, wanted: Wanted) -> Iterator[Place]:
    """Places in the area and close to its edges, each a place on the earth."""
    candidates: list[Place] = []
    for (ax, ay), (bx, by) in wanted.edges:
        share = rng.random()
        candidates += [(ay, ax), (ay + (by - ay) * share, ax + (bx - ax) * share)]
        candidates.append((ay + (by - ay) * rng.uniform(-1, 1), ax + (bx - ax) * rng.uniform(-1, 1)))
    for box in wanted.boxes:
        candidates += [
            (box.south, box.west),
            (box.north, box.east),
            (box.south, rng.uniform(box.west, box.east)),
        ]
        candidates += [
            (rng.uniform(box.south, box.north), rng.uniform(box.west, box.east)) for _ in range(12)
        ]
    for angle in (rng.uniform(0, 2 * math.pi) for _ in range(12 if wanted.metres else 0)):
        far = math.degrees(wanted.metres / EARTH_METRES) * rng.choice([1.0, 1.0, rng.random()])
        latitude = wanted.centre[0] + far * math.sin(angle)
        narrow = max(math.cos(math.radians(wanted.centre[0])), 1e-3)
        candidates.append((latitude, wanted.centre[1] + far * math.cos(angle) / narrow))
    for latitude, longitude in candidates:
        longitude = (longitude + 180) % 360 - 180 if wanted.metres else longitude
        if abs(latitude) <= 90 and abs(longitude) <= 180:
            yield latitude, longitude
