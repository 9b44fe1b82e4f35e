"""When a watcher advises again, and what it does where it cannot."""

from collections.abc import Callable, Iterable
from itertools import islice
from typing import TypeVar

import numpy as np
import pytest

from pycompiler.advise.advice import LayoutAdvice, Proposal
from pycompiler.advise.chosen_kinds import ChosenKinds, KindAdvice
from pycompiler.advise.errors import AdviceError
from pycompiler.advise.forecast import Forecast
from pycompiler.advise.layout import Layout
from pycompiler.advise.report.text import unchanged_text
from pycompiler.advise.search import Candidate
from pycompiler.advise.watch import Occasion, Round, rounds
from pycompiler.index.kinds import Bloom
from pycompiler.table.timeline import Entry
from tests.unit.advise.rows import asked, table_sample

_T = TypeVar("_T")

SAMPLE = table_sample({"a": np.arange(10).tolist()})
COMMIT = Entry.parse("20260101000000000_20260101000001000.commit")


def advice(column: str, share: float = 0.1, filtered: str | None = None) -> LayoutAdvice:
    """Advice to sort by a column and, perhaps, to filter one."""
    found = Candidate(Forecast(Layout((column,)), (share,)), share, 0.0)
    kinds = (
        () if filtered is None else (KindAdvice(filtered, Bloom(), False, True, (0,), 0.8, share, 9, 99, 1),)
    )
    best = Proposal(found, ChosenKinds(kinds, (share,), (share,)))
    as_it_is = ChosenKinds((), (0.8,), (0.8,))
    return LayoutAdvice(asked("a = 5"), 9, 900, "index", (0.8,), 100, 9, SAMPLE, {}, as_it_is, (best,))


def occasion(*statements: str, commits: int = 1) -> Occasion:
    assert COMMIT is not None
    return Occasion(statements, (COMMIT,) * commits)


def in_turn(items: Iterable[_T | Exception]) -> Callable[..., _T]:
    """A function that returns or raises one after the other."""
    left = iter(items)

    def following(*_: object) -> _T:
        item = next(left)
        if isinstance(item, Exception):
            raise item
        return item

    return following


def no_wait() -> None:
    """It is time at once."""


def test_it_advises_at_once_and_again_after_a_commit_or_another_query() -> None:
    seen = [occasion("a"), occasion("a"), occasion("a", commits=2), occasion("a", "b", commits=2)]
    by_a, still_by_a, by_b = advice("a"), advice("a", 0.2), advice("b")
    found = rounds(in_turn(seen), in_turn([by_a, still_by_a, by_b]), no_wait)
    assert list(islice(found, 3)) == [Round(by_a, True), Round(still_by_a, False), Round(by_b, True)]


def test_another_index_for_the_same_layout_is_new_advice() -> None:
    seen = [occasion("a"), occasion("a", "b"), occasion("a", "b", "c")]
    plain, filtered = advice("a"), advice("a", filtered="b")
    found = rounds(in_turn(seen), in_turn([plain, filtered, filtered]), no_wait)
    assert [each.is_new for each in islice(found, 3) if isinstance(each, Round)] == [True, True, False]


def test_a_failure_is_told_and_tried_again() -> None:
    gone, locked = AdviceError("no query"), OSError("locked")
    seen: list[Occasion | Exception] = [occasion("a"), gone, occasion("b"), occasion("b")]
    found = rounds(in_turn(seen), in_turn([advice("a"), locked, advice("a")]), no_wait)
    assert list(islice(found, 4)) == [Round(advice("a"), True), gone, locked, Round(advice("a"), False)]


def test_without_a_first_advice_it_fails() -> None:
    with pytest.raises(AdviceError, match="no query"):
        next(rounds(in_turn([AdviceError("no query")]), in_turn([advice("a")]), no_wait))
    with pytest.raises(OSError, match="locked"):
        next(rounds(in_turn([occasion("a")]), in_turn([OSError("locked")]), no_wait))


def test_what_still_holds_is_said_with_what_has_changed() -> None:
    assert unchanged_text(advice("a")) == (
        "still advised: sorted by a; 1 queries read 720 B (80.0 %) each, and would read 90 B (10.0 %)"
    )
    assert unchanged_text(advice("a", 0.8)).startswith("still no layout is worth the effort; 1 queries read")
