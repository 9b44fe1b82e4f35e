"""Classes that a sample has missed, against populations of which all is known."""

import numpy as np
import pytest

from pycompiler.advise.sample.unseen import unseen, unseen_of_skewed, with_unseen


@pytest.mark.parametrize("per_class", [1, 2, 5, 20])
@pytest.mark.parametrize("fraction", [0.05, 0.2, 0.6])
def test_the_classes_of_a_population_are_found_though_most_have_no_sampled_individual(
    per_class: int, fraction: float
) -> None:
    random = np.random.default_rng(4)
    population = random.poisson(per_class, 50_000)
    sampled = random.binomial(population, fraction)
    missed = int(((population > 0) & (sampled == 0)).sum())
    found = unseen(int((sampled == 1).sum()), int((sampled == 2).sum()), fraction)
    assert found == pytest.approx(missed, rel=0.1, abs=300)
    # The fit is never below this bound, and is it where classes seem to have one size.
    classes, seen = int((population > 0).sum()), sampled[sampled > 0]
    assert len(seen) + unseen_of_skewed(seen, fraction) == pytest.approx(classes, rel=0.2)


@pytest.mark.parametrize("exponent", [0.7, 1.0, 1.3])
def test_classes_of_a_skewed_population_are_found(exponent: float) -> None:
    random, fraction = np.random.default_rng(8), 0.1
    chances = 1 / np.arange(1, 20_001) ** exponent
    population = random.multinomial(200_000, chances / chances.sum())
    classes = int((population > 0).sum())
    sampled = random.binomial(population, fraction)
    seen = sampled[sampled > 0]
    assert len(seen) + unseen_of_skewed(seen, fraction) == pytest.approx(classes, rel=0.2)
    of_similar_size = unseen((sampled == 1).sum(), (sampled == 2).sum(), fraction)
    assert len(seen) + of_similar_size < 0.9 * classes, "the population is not skewed: the test shows nothing"


@pytest.mark.parametrize("fraction", [0.3, 0.01, 0.000_1])
def test_classes_of_one_individual_are_all_found(fraction: float) -> None:
    seen = np.ones(200_000, np.int64)
    found = unseen_of_skewed(seen, fraction)
    assert len(seen) + found == pytest.approx(len(seen) / fraction, rel=0.1)


@pytest.mark.parametrize("seen", [[], [51], [1], [1, 1], [50] * 1_000, [1, 1_000_000]])
@pytest.mark.parametrize("fraction", [1e-9, 0.5, 0.999_999])
def test_an_estimate_is_a_number_whatever_was_seen(seen: list[int], fraction: float) -> None:
    found = unseen_of_skewed(np.array(seen, np.int64), fraction)
    assert np.isfinite(found) and found >= 0


def test_what_was_seen_as_a_whole_has_nothing_unseen() -> None:
    assert unseen_of_skewed(np.array([1, 1, 2]), 1) == 0
    assert unseen(100, 3, 1) == 0 and unseen(0, 0, 0.1) == 0 and unseen(1, 0, 0.1) == 0


def test_more_is_never_missed_than_individuals_are_left() -> None:
    # A thousand classes of one in a tenth of the population: the rest has nine thousand individuals.
    assert unseen(1_000, 0, 0.1) == pytest.approx(9_000, rel=0.01)
    assert unseen(1_000, 0, 0) > 400_000, "an endless one is not known to end"


def test_files_beside_those_that_have_some_are_the_ones_where_they_were_missed() -> None:
    counts = np.array([0, 0, 0, 1, 1, 0, 2, 3, 1, 4, 5, 1, 2, 3])
    found = np.flatnonzero(with_unseen(counts, 0.5)).tolist()
    assert found == [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13], "and not 0 and 1"
    assert with_unseen(counts, 1).tolist() == counts.tolist()
