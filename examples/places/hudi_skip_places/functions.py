"""Functions of places, inverted over latitudes and longitudes, and to questions to the index kind `cells`.

The functions are implemented in `io.hudiskip.places`. Numbers are doubles, in degrees. Boxes and polygons lie
in the plane of longitude and latitude; distances are on a sphere.
"""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from functools import lru_cache, partial
from itertools import pairwise
from typing import Final

from hudi_skip_places.shapes import (
    EARTH_METRES,
    Area,
    Box,
    BoxArea,
    CapArea,
    Point,
    PolygonArea,
    cap_box,
)
from pycompiler.compile.functions.condition import AllOf, AnyOf, Asked, Condition, Member
from pycompiler.compile.functions.rule import FunctionRule
from pycompiler.compile.predicate.constants import text_of
from pycompiler.compile.predicate.model import Call, Column, Literal, Operand, type_of
from pycompiler.compile.values.booleans import FALSE, TRUE
from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.outcomes import NOT_NULL, NULL_ONLY, Outcomes
from pycompiler.compile.values.range_set import End, Range, RangeSet
from pycompiler.compile.values.types import NUMBERS, HiveType

KIND: Final = "cells"

_DOUBLE: Final = HiveType.parse("double")
_BANDS: Final = 32
"""Latitude bands that a polygon is cut into."""
_PLACE_ERROR: Final = 1e-9
"""Bound on rounding errors near an edge, for coordinates up to 1; far greater than the actual error."""
_MAX_COORDINATE: Final = 1e6
"""Beyond this, products of differences may overflow, and only the polygon's bounding box is used."""
_MAX_DEGREES: Final = 1e3
"""Up to this, polygon coordinates round by far less than the margin of cells."""
_QUARTER: Final = 90.0
_KEPT_COVERS: Final = 64
"""A filter is read in several forms; caching covers its areas only once."""
_POLYGON: Final = re.compile(r"\s*POLYGON\s*\((.*)\)\s*", re.IGNORECASE | re.DOTALL)
_RINGS: Final = re.compile(r"\s*\([^()]*\)\s*(,\s*\([^()]*\)\s*)*")
_RING: Final = re.compile(r"\(([^()]*)\)")


class WithinBoundingBox(FunctionRule):
    """`within_bounding_box(lat, lon, s, w, n, e)`: lat is in [s, n] and lon in [w, e].

    Proof: the function's definition; the ends are widened (for FALSE, narrowed) by the least step.
    """

    names = ("class:io.hudiskip.places.withinboundingbox",)

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        if len(call.arguments) != 6:
            return None
        place = _place(call.arguments)
        edges = [_number(argument) for argument in call.arguments[2:]]
        numbers = [edge for edge in edges if edge is not None and math.isfinite(edge)]
        if place is None or len(numbers) != 4:
            return None
        box = Box(*numbers)
        return _condition(place, wanted, [box], partial(_cells, BoxArea, box), _outside(place, box))


class WithinPolygon(FunctionRule):
    """`within_polygon(lat, lon, 'POLYGON((lon lat, …))')`: the place is in one of the boxes that cover it.

    Proof: at each latitude, points of the polygon lie between its outermost edges. A box spans the least to
        the greatest longitude of all edges in a band of latitudes, widened by more than rounding.
    """

    names = ("class:io.hudiskip.places.withinpolygon",)

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        if len(call.arguments) != 3:
            return None
        place = _place(call.arguments)
        text = text_of(call.arguments[2])
        edges = None if text is None else _edges(text)
        if place is None or not edges:
            return None
        latitude, longitude = place
        outside = AllOf((Member(latitude, NOT_NULL), Member(longitude, NOT_NULL)))
        is_near = max(abs(number) for edge in edges for point in edge for number in point) <= _MAX_DEGREES
        cells = partial(_cells, PolygonArea, tuple(edges)) if is_near else None
        return _condition(place, wanted, covering(edges), cells, outside)


class WithinDistance(FunctionRule):
    """`within_distance(lat, lon, lat0, lon0, metres)`: the place is in the circle's box and cells.

    Proof: the function requires valid places, and none outside the circle's box is within the distance.
    """

    names = ("class:io.hudiskip.places.withindistance",)

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        if len(call.arguments) != 5:
            return None
        place = _place(call.arguments)
        numbers = [number for argument in call.arguments[2:] if (number := _number(argument)) is not None]
        if place is None or len(numbers) != 3:
            return None
        latitude, longitude, metres = numbers
        if not (abs(latitude) <= 90 and abs(longitude) <= 180 and metres >= 0):
            return None
        radius = math.degrees(metres / EARTH_METRES)
        if radius >= _QUARTER:
            return None
        outside = AllOf(tuple(Member(coordinate, NOT_NULL) for coordinate in place))
        cells = partial(_cells, CapArea, latitude, longitude, radius)
        return _condition(place, wanted, [cap_box(latitude, longitude, radius)], cells, outside)


@lru_cache(maxsize=_KEPT_COVERS)
def _cells(area: Callable[..., Area], *shape: object) -> bytes:
    return area(*shape).cover()


def covering(edges: Sequence[tuple[Point, Point]]) -> list[Box]:
    """Boxes that cover all points of a polygon with these edges."""
    longitudes = [x for edge in edges for x, _ in edge]
    latitudes = [y for edge in edges for _, y in edge]
    greatest = max(map(abs, [*longitudes, *latitudes]))
    south, north = min(latitudes), max(latitudes)
    if greatest > _MAX_COORDINATE:
        return [Box(south, min(longitudes), north, max(longitudes))]
    margin = _PLACE_ERROR * max(1.0, greatest)
    bounds = [south + (north - south) * step / _BANDS for step in range(_BANDS)] + [north]
    boxes: list[Box] = []
    for low, high in pairwise(bounds):
        band = (low - margin, high + margin)
        crossed = [x for edge in edges for x in _longitudes(edge, band)]
        if not crossed:
            continue
        box = Box(band[0], min(crossed) - margin, band[1], max(crossed) + margin)
        if boxes and (boxes[-1].west, boxes[-1].east) == (box.west, box.east):
            box = Box(boxes.pop().south, box.west, box.north, box.east)
        boxes.append(box)
    return boxes


def _longitudes(edge: tuple[Point, Point], band: tuple[float, float]) -> Iterator[float]:
    """The longitudes at which an edge enters and leaves a band of latitudes."""
    (x1, y1), (x2, y2) = sorted(edge, key=lambda point: point[1])
    low, high = band
    if y2 < low or y1 > high:
        return
    for y in (max(y1, low), min(y2, high)):
        if y1 == y2:
            yield from (x1, x2)
        else:
            yield min(max(x1 + (x2 - x1) * ((y - y1) / (y2 - y1)), min(x1, x2)), max(x1, x2))


def _condition(
    place: tuple[Operand, Operand],
    wanted: Outcomes,
    boxes: Sequence[Box],
    cells: Callable[[], bytes] | None,
    outside: Condition,
) -> Condition:
    """What must hold for a place if a function has a wanted outcome.

    Args:
        place: Latitude and longitude.
        wanted: The outcomes.
        boxes: Boxes that cover the area.
        cells: Computes the area's cells; None if only the boxes are known.
        outside: What holds for places outside the area.
    """
    choices: list[Condition] = []
    if wanted.has(TRUE):
        inside: Condition = AnyOf(tuple(_inside(place, box) for box in boxes))
        columns = tuple(operand for operand in place if isinstance(operand, Column))
        # The cells of a column of another type are those of numbers before the cast.
        if cells is not None and len(columns) == len(place):
            inside = AllOf((inside, Asked(KIND, columns, cells())))
        choices.append(inside)
    if wanted.has(FALSE):
        choices.append(outside)
    if wanted.null:
        choices += [Member(coordinate, NULL_ONLY) for coordinate in place]
    return AnyOf(tuple(choices))


def _inside(place: tuple[Operand, Operand], box: Box) -> Condition:
    latitude, longitude = place
    return AllOf(
        (Member(latitude, _between(box.south, box.north)), Member(longitude, _between(box.west, box.east)))
    )


def _outside(place: tuple[Operand, Operand], box: Box) -> Condition:
    latitude, longitude = place
    return AnyOf(
        (Member(latitude, _beyond(box.south, box.north)), Member(longitude, _beyond(box.west, box.east)))
    )


def _between(low: float, high: float) -> Outcomes:
    ends = [End(_encoded(low, -math.inf), True), End(_encoded(high, math.inf), True)]
    return Outcomes(RangeSet.of([Range(*ends)]), False)


def _beyond(low: float, high: float) -> Outcomes:
    below = RangeSet.below(_encoded(low, math.inf), included=True)
    return Outcomes(below | RangeSet.above(_encoded(high, -math.inf), included=True), False)


def _encoded(number: float, towards: float) -> bytes:
    return encode_value(_DOUBLE, math.nextafter(number, towards))


def _place(arguments: Sequence[Operand]) -> tuple[Operand, Operand] | None:
    latitude, longitude = _double(arguments[0]), _double(arguments[1])
    return None if latitude is None or longitude is None else (latitude, longitude)


def _double(operand: Operand) -> Operand | None:
    hive_type = type_of(operand)
    if hive_type is None or hive_type.kind not in NUMBERS:
        return None
    return operand if hive_type == _DOUBLE else Call("cast", _DOUBLE, (operand,))


def _number(operand: Operand) -> float | None:
    if not isinstance(operand, Literal) or operand.type.kind not in NUMBERS:
        return None
    return float(operand.value) if isinstance(operand.value, int | float | Decimal) else None


def _edges(text: str) -> list[tuple[Point, Point]] | None:
    """The edges of all rings of a polygon in Well-Known Text; None if it is invalid."""
    whole = _POLYGON.fullmatch(text)
    if whole is None or _RINGS.fullmatch(whole[1]) is None:
        return None
    edges: list[tuple[Point, Point]] = []
    for ring in _RING.findall(whole[1]):
        points = [_point(point) for point in ring.split(",")]
        known = [point for point in points if point is not None]
        if len(known) < len(points) or len(known) < 4 or known[0] != known[-1]:
            return None
        edges += pairwise(known)
    return edges


def _point(text: str) -> Point | None:
    try:
        x, y = map(float, text.split())
    except ValueError:
        return None
    return (x, y) if math.isfinite(x) and math.isfinite(y) else None


RULES: Final = (WithinBoundingBox(), WithinPolygon(), WithinDistance())
