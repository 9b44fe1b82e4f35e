"""The cells are broken in one way after the other: each loses a place that is asked for, and is noticed."""

import random
from collections.abc import Callable, Iterable

import pytest
from hudi_skip_places import cell_union
from hudi_skip_places.cells import Cells

from pycompiler.expression.evaluator import evaluate

from .areas import places_near, random_area, random_place
from .test_cells import file_of, question

AREAS = 100
_PARENT, _TO_BYTES = cell_union.parent, cell_union.to_bytes


def _without_one(cells: Iterable[int]) -> bytes:
    return _TO_BYTES(sorted(cells)[1:])


MUTANTS: dict[str, tuple[str, Callable[..., object]]] = {
    "a cell without its first half": ("first_leaf", lambda cell: cell),
    "a cell without its second half": ("last_leaf", lambda cell: cell),
    "a set without its first cell": ("to_bytes", _without_one),
    "a cell that is far from its place": (
        "parent",
        lambda cell, level: _PARENT(cell, level) ^ (1 << 2 * (30 - level) + 9),
    ),
    "sets that meet where they are equal alone": ("intersect", lambda some, others: set(some) & set(others)),
}


def _loses_a_place() -> bool:
    rng = random.Random(5)
    for _ in range(AREAS):
        wanted = random_area(rng)
        asked = question(wanted.area.cover())
        for place in places_near(rng, wanted):
            if (
                wanted.holds(place)
                and not evaluate(asked, [file_of([place, random_place(rng)], Cells(18))])[0]
            ):
                return True
    return False


@pytest.mark.parametrize("mutant", MUTANTS)
def test_broken_cells_lose_a_place(mutant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cell_union, *MUTANTS[mutant])
    assert _loses_a_place(), f"no area shows that there is {mutant}"
