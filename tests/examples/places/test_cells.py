import math
import random
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

import pytest
from hudi_skip_places import cell_union, shapes
from hudi_skip_places.cells import Cells
from hudi_skip_places.functions import KIND
from hudi_skip_places.shapes import Box, BoxArea, rectangles
from hypothesis import given, settings
from hypothesis import strategies as st
from s2geometry import S2Cell, S2CellId, S2LatLng

from pycompiler.compile.expression.evaluator import FileStatistics, evaluate
from pycompiler.compile.expression.model import HudiExpression, KindQuestion
from pycompiler.compile.expression.statistics import ColumnStatistics
from pycompiler.compile.values.types import HiveType
from tests.conformance.agreement.jvm_evaluator import evaluate_in_jvm
from tests.examples.places.areas import Place, is_in_boxes, random_area, random_place

DOUBLE = HiveType.parse("double")
ASKED = (("lat", DOUBLE), ("lon", DOUBLE))
TOGETHER = HiveType.parse("struct<lat:double,lon:double>")
CLASSES = Path(__file__).parents[3] / "examples" / "places" / "java" / "target" / "classes"
SEEDS = st.integers(0, 1 << 30)
RANDOM = settings(max_examples=150)


class Rows:
    """The distinct rows of a file."""

    min_count = 0

    def __init__(self, rows: Iterable[tuple[object, ...]]) -> None:
        self._rows = list(rows)

    def encoded(self) -> list[bytes]:
        raise TypeError

    def rows(self) -> list[tuple[object, ...]]:
        return self._rows


def file_of(places: Iterable[Place], kind: Cells | None = None) -> FileStatistics:
    """What the index knows of a file with these places."""
    kind = kind or Cells()
    content = kind.content(Rows(places))
    assert content is not None
    alone = ColumnStatistics(DOUBLE, value_count=9)
    return {
        "lat": alone,
        "lon": alone,
        "lat,lon": ColumnStatistics(TOGETHER, contents={KIND: kind.read(content)}),
    }


def question(data: bytes) -> HudiExpression:
    return HudiExpression((KindQuestion(KIND, data, ASKED),))


@RANDOM
@given(SEEDS)
def test_a_file_with_a_place_of_an_area_is_never_skipped(seed: int) -> None:
    rng = random.Random(seed)
    wanted = random_area(rng)
    asked = question(wanted.area.cover())
    kind = Cells(rng.choice([0, 6, 12, 18, 30]), rng.choice([6, 30, 256]))
    for place in filter(wanted.holds, wanted.places()):
        beside = [random_place(rng) for _ in range(rng.choice([0, 0, 20]))]
        assert evaluate(asked, [file_of([place, *beside], kind)]) == [True], f"{place} of {wanted}"
        assert not wanted.boxes or is_in_boxes(wanted.boxes, place), f"{place} is not in the box of {wanted}"


@RANDOM
@given(SEEDS)
def test_a_place_is_in_the_rectangles_of_each_of_its_cells(seed: int) -> None:
    place = random_place(random.Random(seed))
    leaf = S2CellId(S2LatLng.FromDegrees(*place))
    for level in range(31):
        around = rectangles(S2Cell(leaf.parent(level)))
        assert is_in_boxes(around, place), f"{place} at level {level}"


def test_cells_are_those_of_the_library() -> None:
    rng = random.Random(7)
    for _ in range(200):
        leaf = S2CellId(S2LatLng.FromDegrees(*random_place(rng)))
        for level in range(31):
            cell = leaf.parent(level)
            assert cell_union.parent(leaf.id(), level) == cell.id()
            assert cell_union.first_leaf(cell.id()) == cell.range_min().id()
            assert cell_union.last_leaf(cell.id()) == cell.range_max().id()


def test_python_and_java_keep_the_same_files() -> None:
    rng = random.Random(11)
    cases = []
    for _ in range(300):
        wanted = random_area(rng)
        near = wanted.places() or [random_place(rng)]
        files = [file_of(rng.sample(near, min(len(near), rng.randint(1, 3)))) for _ in range(5)]
        files += [file_of([random_place(rng) for _ in range(rng.randint(0, 4))]) for _ in range(15)]
        cases.append((question(wanted.area.cover()), files))
    in_python = [evaluate(expression, files) for expression, files in cases]
    assert evaluate_in_jvm(cases, plugins=[CLASSES]) == in_python
    kept = sum(map(sum, in_python))
    assert 0 < kept < 6000, "some files are kept and some are not"


def test_an_area_is_covered_closely() -> None:
    town = BoxArea(Box(48.0, 11.3, 48.3, 11.8)).cover()
    for place, expected in (
        ((48.1, 11.5), True),
        ((48.0, 11.3), True),
        ((48.4, 11.5), False),
        ((0.0, 0.0), False),
    ):
        assert evaluate(question(town), [file_of([place])]) == [expected], f"{place}"
    assert evaluate(question(town), [file_of([(60.0, 11.5), (40.0, 11.5), (48.1, 0.0), (48.1, 20.0)])]) == [
        False
    ], "the box around the places holds the town, and none of their cells"


@pytest.mark.parametrize("row", [(90.5, 0.0), (0.0, 180.5), (math.inf, 0.0), (1, 2.0), (1.0, "2")], ids=str)
def test_of_a_file_with_a_row_that_is_no_place_nothing_is_said(row: tuple[object, ...]) -> None:
    assert Cells().content(Rows([(1.0, 2.0), row])) is None


def test_places_all_over_the_earth_have_few_cells() -> None:
    rng = random.Random(3)
    places = [(rng.uniform(-90, 90), rng.uniform(-180, 180)) for _ in range(2000)]
    content = Cells(12, 100).content(Rows(places))
    assert content is not None and len(cell_union.from_bytes(content)) <= 100
    assert not Cells().denies(content, Rows(places))
    assert Cells().denies(content, Rows([(95.0, 0.0)]))
    assert Cells().denies(b"", Rows(places))


@pytest.mark.parametrize(
    "data", [b"\x01", bytes(8), bytes.fromhex("50000000000000105000000000000001")], ids=bytes.hex
)
def test_bytes_that_are_no_cells_say_nothing(data: bytes) -> None:
    with pytest.raises(cell_union.CellUnionFormatError):
        Cells().read(data)
    assert evaluate(question(data), [file_of([(1.0, 2.0)])]) == [True]


@pytest.mark.parametrize("parameters", [{"level": "31"}, {"level": "x"}, {"max": "5"}], ids=str)
def test_parameters_that_make_no_sense_are_refused(parameters: dict[str, str]) -> None:
    with pytest.raises(ValueError):
        Cells(**parameters)  # type: ignore[arg-type]


_PARENT, _TO_BYTES = cell_union.parent, cell_union.to_bytes
MUTANTS: dict[str, tuple[ModuleType, str, object]] = {
    "cells that are smaller than they are": (shapes, "MARGIN", -1e-3),
    "a cell without its first half": (cell_union, "first_leaf", lambda cell: cell),
    "a cell without its second half": (cell_union, "last_leaf", lambda cell: cell),
    "a set without its first cell": (cell_union, "to_bytes", lambda cells: _TO_BYTES(sorted(cells)[1:])),
    "a cell that is far from its place": (
        cell_union,
        "parent",
        lambda cell, level: _PARENT(cell, level) ^ (1 << 2 * (30 - level) + 9),
    ),
    "sets that meet where they are equal alone": (
        cell_union,
        "intersect",
        lambda some, others: set(some) & set(others),
    ),
}


@pytest.mark.parametrize("mutant", MUTANTS)
def test_broken_cells_lose_a_place(mutant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(*MUTANTS[mutant])
    with pytest.raises(AssertionError, match=" of Wanted| at level"):
        for seed in range(RANDOM.max_examples):
            test_a_file_with_a_place_of_an_area_is_never_skipped.hypothesis.inner_test(seed)  # type: ignore[attr-defined]
            test_a_place_is_in_the_rectangles_of_each_of_its_cells.hypothesis.inner_test(seed)  # type: ignore[attr-defined]
