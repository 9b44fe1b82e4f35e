"""How much of what is there a sample has not shown: Chao's estimates of unseen classes."""

import math

import numpy as np

from pycompiler.advise.sample.row_sample import Codes


def unseen(ones: float, twos: float, fraction: float) -> float:
    """About how many classes have individuals, but none in a sample of a population.

    Chao's lower bound of the number of classes ("Nonparametric estimation of the number of classes in a
    population", Scandinavian Journal of Statistics 11, 1984, in its form without bias) takes the population
    to be endless. Of one with a known size, a sample of all individuals would show fewer, as R. K. Colwell et
    al. extrapolate ("Models and estimators linking individual-based and sample-based rarefaction,
    extrapolation and comparison of assemblages", Journal of Plant Ecology 5, 2012): each sampled individual
    of an unseen class is found at the rate at which the last ones were.

    Args:
        ones: Number of classes with one sampled individual.
        twos: Number of classes with two.
        fraction: The part of the population that was sampled; 0 if it is hardly any.
    """
    endless = ones * (ones - 1) / (2 * (twos + 1))
    if endless <= 0 or fraction >= 1:
        return 0
    return endless if fraction <= 0 else -endless * math.expm1(-ones / endless * (1 - fraction) / fraction)


def with_unseen(counts: Codes, fraction: float = 0) -> Codes:
    """Rows of some kind in files that a sample tells of: one where such rows were probably missed.

    A NULL in each hundredth row is in every file of a thousand rows, but in few samples of 50 of these. From
    the files with one sampled row and with two follows how many have some that were not sampled. Where the
    rows are together, hardly any file has one or two. The others are taken to be near those that have some.

    Args:
        counts: The sampled rows of that kind in each file.
        fraction: The part of all such rows that was sampled; 0 if it is small.
    """
    ones, twos = (int(np.count_nonzero(counts == number)) for number in (1, 2))
    missed = round(unseen(ones, twos, fraction))
    if not missed:
        return counts
    having, lacking = np.flatnonzero(counts), np.flatnonzero(counts == 0)
    after = np.searchsorted(having, lacking)
    before = np.abs(lacking - having[np.maximum(after - 1, 0)])
    distance = np.minimum(before, np.abs(having[np.minimum(after, len(having) - 1)] - lacking))
    found: Codes = counts.copy()
    found[lacking[np.argsort(distance, kind="stable")[:missed]]] = 1
    return found
