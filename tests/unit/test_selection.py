"""The selection of `make test` covers what it says, loses nothing, and is the same every time."""

from itertools import combinations, product
from typing import Final

import pytest

from tests.selection import Case, choose

pytest_plugins = ["pytester"]

_TABLE: Final[list[Case]] = [
    {"kind": kind, "version": version, "rows": rows, "cbo": cbo}
    for kind, version, rows, cbo in product(range(5), range(3), range(3), range(2))
]

_SUITE: Final = """
import pytest

@pytest.mark.selected()
@pytest.mark.parametrize("a", range(3))
@pytest.mark.parametrize("b", range(3))
@pytest.mark.parametrize("c", range(2))
def test_pairs(a, b, c): pass

@pytest.mark.selected(3)
@pytest.mark.parametrize("a", range(3))
@pytest.mark.parametrize("b", range(3))
def test_some(a, b): pass

@pytest.mark.parametrize("a", [1, pytest.param(2, marks=pytest.mark.full)])
def test_one(a): pass

@pytest.mark.full
def test_none(): pass

@pytest.mark.selected(1)
def test_without_parameters(): pass

@pytest.mark.parametrize("a", range(3))
def test_all(a): pass
"""


def _values(cases: list[Case]) -> set[object]:
    return {item for case in cases for item in case.items()}


def _pairs(cases: list[Case]) -> set[object]:
    return {pair for case in cases for pair in combinations(sorted(case.items()), 2)}


def test_all_pairs_are_in_few_cases() -> None:
    chosen = [_TABLE[at] for at in choose(_TABLE)]
    assert _pairs(chosen) == _pairs(_TABLE)
    assert 15 <= len(chosen) <= 20


@pytest.mark.parametrize("most", [5, 8, 16])
def test_fewer_cases_have_each_value_before_pairs(most: int) -> None:
    chosen = [_TABLE[at] for at in choose(_TABLE, most)]
    assert len(chosen) == min(most, len(choose(_TABLE)))
    assert _values(chosen) == _values(_TABLE)


def test_of_one_list_values_are_taken_from_all_over_it() -> None:
    assert choose([{"a": value} for value in range(9)], 4) == [0, 2, 4, 8]
    assert choose([{"a": value} for value in range(3)], 4) == [0, 1, 2]


def _collected(pytester: pytest.Pytester, *options: str) -> set[str]:
    done = pytester.runpytest("--collect-only", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", *options)
    return {line.partition("::")[2] for line in done.outlines if "::" in line}


def test_what_is_left_out_runs_in_the_full_run_and_where_it_is_named(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_suite=_SUITE)
    pytester.makeini("[pytest]\nmarkers =\n  selected(most)\n  full\n")
    pytester.makeconftest(
        "from tests.conftest import pytest_addoption, pytest_collection_modifyitems  # noqa: F401"
    )
    selected, everything = _collected(pytester), _collected(pytester, "--full")
    assert len(everything) == 18 + 9 + 2 + 1 + 1 + 3
    assert selected < everything
    counts = {name: sum(each.startswith(name) for each in selected) for name in ("test_pairs", "test_some")}
    assert counts == {"test_pairs": 9, "test_some": 3}
    others = {each for each in selected if not each.startswith(tuple(counts))}
    assert others == {"test_one[1]", "test_without_parameters", "test_all[0]", "test_all[1]", "test_all[2]"}
    assert _collected(pytester) == selected, "nothing but the tests decides"
    assert _collected(pytester, "test_suite.py::test_none") == {"test_none"}
