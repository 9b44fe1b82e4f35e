"""Which records pay off, with which layout."""

from collections.abc import Mapping

import numpy as np
import pytest

from pycompiler.advise.chosen_kinds import (
    ChosenKinds,
    PlannedKinds,
    choose_kinds,
    forecast_kinds,
    planned_kinds,
)
from pycompiler.advise.expected_files import files_of_layout
from pycompiler.advise.layout import Layout
from pycompiler.index.kinds import Bloom, ValueSet
from tests.unit.advise.rows import asked, table_sample

ROWS, FILES, SIZE = 50_000, 50, 100_000_000
RANDOM = np.random.default_rng(9)
A = RANDOM.permutation(ROWS)
COLUMNS = {
    "a": A.tolist(),
    "b": RANDOM.permutation(ROWS).tolist(),
    # Rises with a.
    "c": (A // 2).tolist(),
    # Two values among rows that are near in a, far from each other.
    "d": (A // 2_500 + 1_000 * (A % 2)).tolist(),
    "e": RANDOM.permutation(ROWS).tolist(),
}
CHOSEN = np.sort(RANDOM.choice(ROWS, ROWS // 5, replace=False)).tolist()
B = ("b = 9000", "b = 20000", "b = 33000")
D = ("d = 5", "d = 1012")
ASKED = np.flatnonzero(
    np.isin(COLUMNS["b"], (9_000, 20_000, 33_000))
    | np.isin(A, (12_000, 16_500))
    | np.isin(COLUMNS["d"], (5, 1_012))
)


def chosen(
    *conditions: str, by: str = "a", kept: PlannedKinds | None = None, size: int = SIZE
) -> ChosenKinds:
    sample = table_sample(COLUMNS, CHOSEN, asked=ASKED.tolist()).shuffled()
    workload = asked(*conditions, columns=list(COLUMNS))
    return choose_kinds(files_of_layout(Layout((by,)), sample, FILES), sample, workload, kept or {}, size)


def paying(found: ChosenKinds) -> Mapping[tuple[str, str], bool]:
    return {each.key: each.pays_off for each in found.kinds}


def test_a_scattered_key_gets_a_filter_and_one_that_lies_in_order_none() -> None:
    found = chosen(*B, "a = 12000", "c < 100", "c = 16500")
    assert found.added == {"b": [Bloom()]}
    assert found.shares_before[:3] == pytest.approx((1, 1, 1), abs=0.1)
    assert found.shares[:3] == pytest.approx((1 / FILES,) * 3, abs=1 / FILES)
    (of_b,) = (each for each in found.kinds if each.column == "b")
    assert (of_b.share_without, of_b.share_with) == pytest.approx((1, 1 / FILES), abs=0.05)
    assert of_b.distinct == pytest.approx(ROWS / FILES, rel=0.05)
    assert of_b.size == pytest.approx(2 * ROWS, rel=0.1)


def test_the_layout_decides_what_pays_off() -> None:
    assert chosen(*B, "a = 12000", by="b").added == {"a": [Bloom()]}
    assert chosen(*B, *D).added == {"b": [Bloom()], "d": [ValueSet()]}
    assert chosen(*B, *D, by="b").added == {}, "in each file are all values of d"


def test_records_that_cost_more_to_read_than_they_save_do_not_pay_off() -> None:
    assert chosen(*B, size=100_000).added == {}, "a filter is as large as the table"


def test_of_two_filters_that_skip_the_same_files_one_is_enough() -> None:
    both = [
        f"b = {COLUMNS['b'][row]} AND c = {COLUMNS['c'][row]}"
        for row in np.flatnonzero(np.isin(COLUMNS["b"], (9_000, 20_000, 33_000)))
    ]
    assert len(chosen(*both, by="e").added) == 1


def test_filters_of_columns_in_an_or_skip_files_together() -> None:
    found = chosen("a = 12000 OR b = 9000", by="e")
    assert set(found.added) == {"a", "b"}
    assert found.shares[0] <= 4 / FILES


def test_what_the_index_has_stays_and_is_said_not_to_pay_off() -> None:
    found = chosen("a = 12000", *B, kept={"a": [Bloom()], "b": [Bloom(0.2)]})
    assert found.added == {} and paying(found)[("b", "bloom")] and not paying(found)[("a", "bloom")]
    (of_b,) = (each for each in found.kinds if each.column == "b")
    assert of_b.is_kept and of_b.share_with == pytest.approx(0.2, abs=0.1), "its own rate of false positives"
    assert found.shares == found.shares_before


def test_other_conditions_are_not_answered() -> None:
    assert chosen("b IS NULL", "b IS NOT NULL", "a < b", "b < 40000").added == {}


def test_a_choice_is_forecast_for_other_files() -> None:
    sample = table_sample(COLUMNS, CHOSEN, asked=ASKED.tolist()).shuffled()
    workload = asked(*B, *D, columns=list(COLUMNS))
    choice = choose_kinds(files_of_layout(Layout(("a",)), sample, FILES), sample, workload, {}, SIZE)
    found = forecast_kinds(files_of_layout(Layout(("a",)), sample, 4 * FILES), sample, workload, choice)
    assert found.added == choice.added
    assert sum(found.shares[:3]) == pytest.approx(sum(choice.shares[:3]) / 4, rel=0.1)
    assert [each.distinct for each in found.kinds if each.column == "b"] == pytest.approx(
        [ROWS / FILES / 4], rel=0.05
    )


def test_kinds_of_an_index_are_those_of_columns_and_of_all() -> None:
    kept = {
        "*": ["range", "bloom"],
        "s": ["values(max=9)"],
        "S.x": ["bloom(fpp=0.01)", "values"],
        "no": ["none"],
        "b": ["installed-nowhere"],
    }
    assert planned_kinds(kept, ["a", "s.y", "s.x", "no", "b"]) == {
        "a": [Bloom()],
        "s.y": [ValueSet(9)],
        "s.x": [Bloom(0.01), ValueSet()],
        "b": [Bloom()],
    }


def test_shares_are_scaled_to_those_that_are_known() -> None:
    found = ChosenKinds((), (0.1, 0.0, 0.4), (0.2, 0.0, 0.4)).scaled_to((0.5, 0.3, 0.8))
    assert found.shares_before == (0.5, 0.3, 0.8) and found.shares == pytest.approx((0.25, 0.3, 0.8))
