"""How much of what is there a sample has not shown: estimates of unseen classes."""

import math
from typing import Final

import numpy as np
import numpy.typing as npt

from pycompiler.advise.sample.row_sample import Codes

_SEEN_OFTEN: Final = 50
"""Classes with more sampled individuals tell nothing about those that a sample misses."""

_SIZES: Final = 60
"""How many sizes of classes the fitted distribution has."""

_LARGEST: Final = 1.5
"""The largest of them, relative to the size that the largest of the counted classes seems to have."""

_LEAST_GAIN: Final = 0.003
"""The fit ends with a round that raises the log-likelihood by less: more rounds would fit noise."""

_MOST_ROUNDS: Final = 1_000

_WORTH_SIZES: Final = 2.0
"""Classes are of one size unless a distribution raises the log-likelihood by more: its one or two more
parameters would by chance (H. Akaike, "A new look at the statistical model identification", IEEE Transactions
on Automatic Control 19, 1974)."""


def unseen(ones: float, twos: float, fraction: float) -> float:
    """Roughly a lower bound of the number of classes that have individuals, but none in a sample.

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


def unseen_of_skewed(sampled: Codes, fraction: float) -> float:
    """About how many classes were missed by a sample, though some have far more individuals than others.

    Chao's bound is near the truth only for classes of similar size. This fits a distribution of sizes: the
    nonparametric maximum likelihood by expectation and maximization, as J. L. Norris and K. H. Pollock do
    ("Non-parametric MLE for Poisson species abundance models allowing for heterogeneity between species",
    Environmental and Ecological Statistics 5, 1998), but with binomial chances, because the population is
    known to end. At the start all orders of magnitude are equally likely, and they stay so where the sample
    does not tell. Where a single size explains the sample as well, the bound is the estimate.

    Args:
        sampled: The number of sampled individuals of each class that was seen, each at least 1.
        fraction: The part of the population that was sampled, above 0.
    """
    if fraction >= 1 or not len(sampled):
        return 0
    frequencies = np.bincount(sampled, minlength=3)
    counts = np.flatnonzero(frequencies[: _SEEN_OFTEN + 1])
    if not len(counts):
        return 0
    classes = frequencies[counts].astype(np.float64)
    largest = max(2.0, _LARGEST * float(counts[-1]) / fraction)
    sizes = np.unique(np.round(np.geomspace(1, largest, _SIZES))).astype(np.float64)
    chances = _binomial(counts, sizes, fraction)
    seen = -np.expm1(sizes * math.log1p(-fraction))
    of_seen = chances / seen
    shares = seen / seen.sum()
    likelihood = -math.inf
    for _ in range(_MOST_ROUNDS):
        expected = of_seen @ shares
        before, likelihood = likelihood, float(classes @ np.log(expected))
        if likelihood - before < _LEAST_GAIN:
            break
        shares = shares * ((classes / expected) @ of_seen) / classes.sum()
    bound = unseen(frequencies[1], frequencies[2], fraction)
    with np.errstate(divide="ignore"):  # a count above the size is impossible
        of_one_size = float((classes @ np.log(of_seen)).max())
    if of_one_size >= likelihood - _WORTH_SIZES:
        return bound
    return max(bound, float(classes.sum() * (shares * (1 - seen) / seen).sum()))


def _binomial(counts: Codes, sizes: npt.NDArray[np.float64], fraction: float) -> npt.NDArray[np.float64]:
    """For each count and size the chance that so many individuals of so many are sampled."""
    rest = np.maximum(sizes - counts[:, None], 0)
    log_ways = _log_factorial(sizes) - _log_factorial(counts)[:, None] - _log_factorial(rest)
    log_chance = counts[:, None] * math.log(fraction) + rest * math.log1p(-fraction)
    found: npt.NDArray[np.float64] = np.where(sizes >= counts[:, None], np.exp(log_ways + log_chance), 0)
    return found


def _log_factorial(numbers: npt.NDArray[np.float64] | Codes) -> npt.NDArray[np.float64]:
    found: npt.NDArray[np.float64] = np.vectorize(math.lgamma, otypes=[np.float64])(numbers + 1.0)
    return found


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
