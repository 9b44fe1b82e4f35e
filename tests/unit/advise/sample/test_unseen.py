"""Classes that a sample has missed, against populations of which all is known."""

import numpy as np
import pytest

from pycompiler.advise.sample.unseen import unseen, with_unseen

RANDOM = np.random.default_rng(4)


@pytest.mark.parametrize("per_class", [1, 2, 5, 20])
@pytest.mark.parametrize("fraction", [0.05, 0.2, 0.6])
def test_the_classes_of_a_population_are_found_though_most_have_no_sampled_individual(
    per_class: int, fraction: float
) -> None:
    population = RANDOM.poisson(per_class, 50_000)
    sampled = RANDOM.binomial(population, fraction)
    missed = int(((population > 0) & (sampled == 0)).sum())
    found = unseen(int((sampled == 1).sum()), int((sampled == 2).sum()), fraction)
    assert found == pytest.approx(missed, rel=0.1, abs=300)


def test_what_was_seen_as_a_whole_has_nothing_unseen() -> None:
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
