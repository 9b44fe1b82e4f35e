"""The plug-in of examples/places: its functions and its index kind in Hive."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from pycompiler.index.options import IndexOptions
from pycompiler.spark.index_creator import IndexCreator

from ..harness.check import Checker
from ..harness.lake import Lake
from ..tables import Row, TableData

FILES = 4
ROWS_PER_FILE = 5
FUNCTIONS = {
    "in_box": "io.hudiskip.places.WithinBoundingBox",
    "in_polygon": "io.hudiskip.places.WithinPolygon",
    "is_near": "io.hudiskip.places.WithinDistance",
}


def _row(file: int, r: int) -> Row:
    # Two towns a file, far apart, so that the ranges of each file enclose the towns of the next.
    town = 5.0 * file if r % 2 else 60.0 - 5.0 * file
    place = (None, None) if r == 4 else (town + r / 1000, town + r / 1000)
    return {"id": file * ROWS_PER_FILE + r, "lat": place[0], "lon": place[1]}


PLACES = TableData(
    "places",
    "id int, lat double, lon double",
    "id",
    tuple(tuple(_row(file, r) for r in range(ROWS_PER_FILE)) for file in range(FILES)),
)


@pytest.fixture(scope="module")
def places(lake: Lake, spark: SparkSession) -> Path:
    path = lake.write(PLACES)
    IndexCreator(spark, IndexOptions({"lat,lon": "cells"})).build(str(path))
    return path


@pytest.fixture(scope="module")
def table(places: Path, check: Checker) -> Iterator[str]:
    for name, implementation in FUNCTIONS.items():
        check.session.rows(f"create temporary function {name} as '{implementation}'")
    with check.session.table(places) as name:
        yield name
    for name in FUNCTIONS:
        check.session.rows(f"drop temporary function {name}")


@pytest.mark.selected(3)
@pytest.mark.parametrize(
    ("predicate", "files"),
    [
        ("in_box(lat, lon, 4, 4, 6, 6)", 1),
        ("in_box(lat, lon, 21, 21, 23, 23)", 0),
        ("not in_box(lat, lon, -1, -1, 61, 61)", 0),
        ("not in_box(lat, lon, 4, 4, 6, 6)", 4),
        ("in_polygon(lat, lon, 'POLYGON((4 4, 6 4, 6 6, 4 6, 4 4))')", 1),
        ("in_polygon(lat, lon, 'POLYGON((14 14, 46 14, 46 46, 14 46, 14 14))')", 1),
        ("in_polygon(lat, lon, 'POLYGON((-5 3, 105 70, -5 70, -5 3))')", 4),
        ("is_near(lat, lon, 55.002, 55.002, 1000)", 1),
        ("is_near(lat, lon, 50, 55, 200000)", 0),
        ("in_box(lat, lon, 4, 4, 6, 6) or lat > 59", 2),
    ],
)
def test_cells_keep_the_files_that_have_a_place_of_the_area(
    check: Checker, table: str, predicate: str, files: int
) -> None:
    check(f"select id from {table} where {predicate}", spark=False).kept(files)
