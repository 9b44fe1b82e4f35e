import math
import random
from decimal import Decimal

import pytest
from hudi_skip_places.cells import Cells
from hudi_skip_places.functions import covering
from hudi_skip_places.shapes import Box, Point
from hypothesis import given, settings
from hypothesis import strategies as st

from pycompiler.compile.compiler.compile import compile_predicate
from pycompiler.compile.expression.evaluator import evaluate
from pycompiler.compile.expression.model import Unknown
from pycompiler.compile.expression.statistics import ColumnStatistics
from pycompiler.compile.predicate.model import (
    Call,
    Column,
    Compare,
    Comparison,
    Literal,
    Not,
    Operand,
    Predicate,
)
from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.types import HiveType
from pycompiler.index.kinds import index_kinds

from .areas import is_in_boxes, is_in_polygon

DOUBLE, BOOLEAN, STRING = (HiveType.parse(name) for name in ("double", "boolean", "string"))
PLACE = (Column("lat", DOUBLE), Column("lon", DOUBLE))
RANDOM = settings(max_examples=300)
TOWN = "POLYGON((11 48, 12 48, 12 49, 11 48))"


def within(name: str, *arguments: Operand, place: tuple[Operand, ...] = PLACE) -> Compare:
    call = Call(f"class:io.hudiskip.places.{name}", BOOLEAN, (*place, *arguments))
    return Compare(Comparison.EQ, call, Literal(BOOLEAN, True))


def box(*edges: float) -> Compare:
    return within("withinboundingbox", *(Literal(DOUBLE, edge) for edge in edges))


def polygon(wkt: str | None) -> Compare:
    return within("withinpolygon", Literal(STRING, wkt))


def keeps(predicate: Predicate, latitude: float | None, longitude: float | None) -> bool:
    """Whether a file of this one place is kept."""
    row = {}
    for name, value in (("lat", latitude), ("lon", longitude)):
        bound = None if value is None else encode_value(DOUBLE, value)
        row[name] = ColumnStatistics(DOUBLE, bound, bound, int(value is None), 1, 0)
    return evaluate(compile_predicate(predicate).expression, [row])[0]


def test_the_kind_comes_by_its_entry_point() -> None:
    assert index_kinds()["cells"] is Cells, "install the package: pip install -e examples/places"


def test_a_box_keeps_its_edges_and_no_place_beyond() -> None:
    inside = box(40.0, -75.0, 41.5, -73.0)
    for latitude, longitude, expected in (
        (40.7, -73.8, True),
        (40.0, -75.0, True),
        (41.5, -73.0, True),
        (39.99, -74.0, False),
        (41.51, -74.0, False),
        (41.0, -75.01, False),
        (41.0, -72.99, False),
        (None, -74.0, False),
    ):
        assert keeps(inside, latitude, longitude) is expected, f"{latitude} {longitude}"


def test_outside_of_a_box_is_one_of_four_sides() -> None:
    outside = Not(box(40.0, -75.0, 41.5, -73.0))
    assert not keeps(outside, 40.7, -73.8)
    assert not keeps(outside, None, -73.8)
    assert all(keeps(outside, *place) for place in ((39.9, -74.0), (41.6, -74.0), (41.0, -76.0), (41.0, 0.0)))


def test_numbers_of_other_types_are_doubles() -> None:
    decimals = [
        Literal(HiveType.parse("decimal(4,1)"), Decimal(edge)) for edge in ("0.1", "0.1", "0.3", "0.3")
    ]
    assert keeps(within("withinboundingbox", *decimals), 0.1, 0.3)
    real = Column("lat", HiveType.parse("float")), Column("lon", HiveType.parse("float"))
    compiled = compile_predicate(within("withinboundingbox", *decimals, place=real)).expression
    assert not isinstance(compiled.root, Unknown)


COORDINATES = st.one_of(st.integers(-4, 4).map(float), st.floats(-4, 4))


@RANDOM
@given(st.lists(st.tuples(COORDINATES, COORDINATES), min_size=3, max_size=9), st.integers(0, 1 << 30))
def test_no_place_in_a_polygon_is_lost(ring: list[Point], seed: int) -> None:
    chosen = random.Random(seed)
    edges = list(zip(ring, [*ring[1:], ring[0]], strict=True))
    boxes = covering(edges)
    assert len(boxes) <= 32
    points = [*ring, *(((ax + bx) / 2, (ay + by) / 2) for (ax, ay), (bx, by) in edges)]
    points += [(chosen.uniform(-4, 4), chosen.uniform(-4, 4)) for _ in range(50)]
    points += [(chosen.randint(-4, 4), chosen.randint(-4, 4)) for _ in range(50)]
    for x, y in points:
        assert is_in_boxes(boxes, (y, x)) or not is_in_polygon(edges, (y, x)), f"{x} {y}"


def test_a_polygon_is_covered_closely() -> None:
    inside = polygon(TOWN)
    assert keeps(inside, 48.5, 11.6)
    assert keeps(inside, 48.0, 11.0)
    assert keeps(inside, 49.0, 12.0)
    assert not keeps(inside, 48.9, 11.1), "in the box around it, and far from it"
    assert not keeps(inside, 47.9, 11.5)
    assert not keeps(inside, None, 11.5)
    assert keeps(Not(inside), 48.5, 11.6), "nothing is known of what lies outside"
    assert not keeps(Not(inside), 48.5, None)


def test_a_rectangle_is_one_box() -> None:
    ring = [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (0.0, 1.0), (0.0, 0.0)]
    (found,) = covering(list(zip(ring, ring[1:], strict=False)))
    edges = (found.south, found.west, found.north, found.east)
    assert edges == pytest.approx((0.0, 0.0, 1.0, 2.0), abs=1e-8)


def test_of_coordinates_that_overflow_the_box_is_all_that_is_used() -> None:
    ring = [(0.0, 0.0), (1e300, 0.0), (1e300, 1e300), (0.0, 0.0)]
    assert covering(list(zip(ring, ring[1:], strict=False))) == [Box(0.0, 0.0, 1e300, 1e300)]


@pytest.mark.parametrize(
    "predicate",
    [
        polygon(None),
        polygon(""),
        polygon("POINT(1 2)"),
        polygon("POLYGON((1 2, 3 4, 5 6))"),
        polygon("POLYGON((1 2, 3 4, 5 6, 1 3))"),
        polygon("POLYGON((1 2, 3 4, 5 x, 1 2))"),
        polygon("POLYGON((1 2, 3 4, 5 6, 1 2) (1 2))"),
        polygon("POLYGON((1 2, 3 inf, 5 6, 1 2))"),
        polygon("POLYGON EMPTY"),
        polygon("MULTIPOLYGON(((1 2, 3 4, 5 6, 1 2)))"),
        box(1.0, 1.0, math.nan, 2.0),
        box(1.0, 1.0, 2.0),
        within("withinboundingbox", *[Literal(DOUBLE, None)] * 4),
        within("withinpolygon", Literal(STRING, TOWN), place=(Column("lat", STRING), Column("lon", STRING))),
    ],
    ids=str,
)
def test_what_cannot_be_read_skips_nothing(predicate: Predicate) -> None:
    assert isinstance(compile_predicate(predicate).expression.root, Unknown)


def test_holes_and_other_rings_are_covered() -> None:
    wkt = "polygon ((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 2 1, 2 2, 1 1))"
    assert keeps(polygon(wkt), 3.0, 3.0)
    assert not keeps(polygon(wkt), 5.0, 3.0)
