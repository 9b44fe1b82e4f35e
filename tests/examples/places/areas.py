"""The functions of `io.hudiskip.places` in Python, and places at edges."""

import math
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from hudi_skip_places.shapes import Area, Box, BoxArea, CapArea, Edge, Point, PolygonArea, cap_box

EARTH_METRES = 6_371_008.8
Place = tuple[float, float]
"""Latitude and longitude."""


@dataclass(frozen=True)
class Wanted:
    """An area with the function that decides.

    Attributes:
        area: The area.
        holds: The function.
        near: Places in the area and close to its edges.
        boxes: Boxes that together contain it; none for a polygon.
    """

    area: Area
    holds: Callable[[Place], bool]
    near: list[Place]
    boxes: tuple[Box, ...] = ()

    def places(self) -> list[Place]:
        """Those of the near places that are on the earth."""
        return [place for place in self.near if abs(place[0]) <= 90 and abs(place[1]) <= 180]


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


def _is_within(centre: Place, metres: float, place: Place) -> bool:
    up = math.sin(math.radians(place[0] - centre[0]) / 2)
    along = math.sin(math.radians(place[1] - centre[1]) / 2)
    narrow = math.cos(math.radians(centre[0])) * math.cos(math.radians(place[0]))
    haversine = up * up + narrow * along * along
    return 2 * EARTH_METRES * math.asin(math.sqrt(min(1.0, haversine))) <= metres


def random_place(rng: random.Random) -> Place:
    """Somewhere on the earth, often where longitudes meet or end."""
    latitude = rng.choice([rng.uniform(-90, 90), rng.uniform(-60, 60), rng.choice([-90.0, 90.0, 0.0, 45.0])])
    longitude = rng.choice(
        [rng.uniform(-180, 180), rng.uniform(-20, 20), rng.choice([-180.0, 180.0, 0.0, 90.0])]
    )
    return latitude, longitude


def random_area(rng: random.Random) -> Wanted:
    """A box, a polygon or a circle, from a street to a continent."""
    return rng.choice([_box, _polygon, _circle])(rng, random_place(rng), 10 ** rng.uniform(-3, 1.5))


def _box(rng: random.Random, centre: Place, size: float) -> Wanted:
    latitude, longitude = centre
    south, north = latitude - size * rng.random(), latitude + size * rng.random()
    box = Box(south, longitude - size, north, longitude + size)
    return Wanted(BoxArea(box), partial(is_in_boxes, [box]), _places_of_box(rng, box), (box,))


def _places_of_box(rng: random.Random, box: Box) -> list[Place]:
    edges = [(box.south, box.west), (box.north, box.east), (box.south, rng.uniform(box.west, box.east))]
    inside = [(rng.uniform(box.south, box.north), rng.uniform(box.west, box.east)) for _ in range(12)]
    return edges + inside


def _polygon(rng: random.Random, centre: Place, size: float) -> Wanted:
    latitude, longitude = centre
    ring: list[Point] = [
        (longitude + size * rng.uniform(-1, 1), latitude + size * rng.uniform(-1, 1))
        for _ in range(rng.randint(3, 12))
    ]
    edges = tuple(zip(ring, [*ring[1:], ring[0]], strict=True))
    near: list[Place] = []
    for (ax, ay), (bx, by) in edges:
        share = rng.random()
        near += [(ay, ax), (ay + (by - ay) * share, ax + (bx - ax) * share)]
        near.append((ay + (by - ay) * rng.uniform(-1, 1), ax + (bx - ax) * rng.uniform(-1, 1)))
    return Wanted(PolygonArea(edges), partial(is_in_polygon, edges), near)


def _circle(rng: random.Random, centre: Place, radius: float) -> Wanted:
    latitude, longitude = centre
    metres = math.radians(radius) * EARTH_METRES
    box = cap_box(latitude, longitude, radius)
    near = _places_of_box(rng, box)
    for angle in (rng.uniform(0, 2 * math.pi) for _ in range(12)):
        far = radius * rng.choice([1.0, 1.0, rng.random()])
        narrow = max(math.cos(math.radians(latitude)), 1e-3)
        near.append((latitude + far * math.sin(angle), longitude + far * math.cos(angle) / narrow))
    wrapped = [(latitude, (longitude + 180) % 360 - 180) for latitude, longitude in near]
    return Wanted(CapArea(latitude, longitude, radius), partial(_is_within, centre, metres), wrapped, (box,))
