"""The cases that a run takes.

`make test` runs a selection that depends only on the commit; `make test-all` runs all.

Marks beside a test's parameters decide. `selected()` covers every pair of values of two parameters;
`selected(N)` takes at most N cases and covers values before pairs; `full` leaves out a test or a
`pytest.param`. Tests without a mark always run, as does everything named with `::`.
"""

from collections.abc import Hashable, Mapping, Sequence
from itertools import combinations
from typing import Final
from zlib import crc32

import pytest

from .hudi_releases import DEFAULT, OWN_VERSION

Case = Mapping[str, Hashable]
"""The value of each parameter, by name."""

_SELECTED: Final = "selected"
_FULL: Final = "full"
_DEFAULT_HUDI: Final = "default_hudi"
_SINCE_VERSION_8: Final = "since_version_8"
_SINCE_HUDI_1: Final = "since_hudi_1"
_FAILS_IN_OLDER_VERSIONS: Final = "fails_in_older_versions"
_ARCHIVES: Final = "archives"


def choose(cases: Sequence[Case], most: int | None = None, start: int = 0) -> list[int]:
    """Chooses cases greedily: each is the one with the most values, then pairs of values, that are new.

    Args:
        cases: All there are.
        most: How many to choose at most; None for as many as have all pairs.
        start: Where to begin, so that tests over the same cases do not all choose the same ones.

    Returns:
        The positions of those chosen, ascending.
    """
    open_values = set().union(*map(_values, cases))
    open_pairs = set().union(*map(_pairs, cases))
    waiting = [(at + start) % len(cases) for at in _spread(len(cases))]
    chosen: list[int] = []
    while waiting and (open_values or open_pairs) and (most is None or len(chosen) < most):
        best = max(waiting, key=lambda at: _new(cases[at], open_values, open_pairs))
        waiting.remove(best)
        open_values -= _values(cases[best])
        open_pairs -= _pairs(cases[best])
        chosen.append(best)
    return sorted(chosen)


def leave_out(items: list[pytest.Item]) -> list[pytest.Item]:
    """Takes the tests outside of the selection out of a list, and returns them."""
    tests: dict[str, list[pytest.Item]] = {}
    for item in items:
        tests.setdefault(item.nodeid.partition("[")[0], []).append(item)
    left_out = [item for cases in tests.values() for item in _outside(cases)]
    _take_out(items, left_out)
    return left_out


def take_out_unwritten(items: list[pytest.Item], release: str, version: int | None) -> list[pytest.Item]:
    """Takes the tests that need another Hudi or a later table version out of a list, and returns them.

    Args:
        items: The tests.
        release: The release of Hudi that writes.
        version: The version of its tables; None for its own.
    """
    unwritten = [item for item in items if _is_unwritten(item, release, version or OWN_VERSION[release])]
    _take_out(items, unwritten)
    return unwritten


def _take_out(items: list[pytest.Item], those: list[pytest.Item]) -> None:
    without = {id(item) for item in those}
    items[:] = [item for item in items if id(item) not in without]


def _is_unwritten(item: pytest.Item, release: str, version: int) -> bool:
    is_before_1 = OWN_VERSION[release] < 8
    if is_before_1 and (
        _case(item).get("version") in ("8", "'8'") or item.get_closest_marker(_SINCE_HUDI_1) is not None
    ):
        return True
    if item.get_closest_marker(_FAILS_IN_OLDER_VERSIONS) is not None and version < 9 <= OWN_VERSION[release]:
        return True
    if item.get_closest_marker(_ARCHIVES) is not None and version < OWN_VERSION[release] == 8:
        return True
    needs_default = item.get_closest_marker(_DEFAULT_HUDI) is not None and release != DEFAULT
    return needs_default or (item.get_closest_marker(_SINCE_VERSION_8) is not None and version < 8)


def _outside(cases: list[pytest.Item]) -> list[pytest.Item]:
    """The cases of one test that are not selected."""
    inside = [case for case in cases if case.get_closest_marker(_FULL) is None]
    mark = cases[0].get_closest_marker(_SELECTED)
    if mark is not None and len(inside) > 1:
        most = mark.args[0] if mark.args else None
        start = crc32(cases[0].nodeid.partition("[")[0].encode())
        inside = [inside[at] for at in choose([_case(item) for item in inside], most, start)]
    kept = {id(item) for item in inside}
    return [case for case in cases if id(case) not in kept]


def _case(item: pytest.Item) -> Case:
    callspec = getattr(item, "callspec", None)
    # Not every value can be hashed.
    return {} if callspec is None else {name: repr(value) for name, value in callspec.params.items()}


def _new(case: Case, values: set[Hashable], pairs: set[Hashable]) -> tuple[int, int]:
    return len(_values(case) & values), len(_pairs(case) & pairs)


def _values(case: Case) -> set[Hashable]:
    return set(case.items())


def _pairs(case: Case) -> set[Hashable]:
    return {frozenset(pair) for pair in combinations(case.items(), 2)}


def _spread(count: int) -> list[int]:
    """Positions by their bits from the last one on, so that the first few lie far apart."""
    bits = max(count - 1, 0).bit_length()
    return sorted(range(count), key=lambda at: f"{at:0{bits}b}"[::-1])
