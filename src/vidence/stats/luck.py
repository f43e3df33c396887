"""What guessers would flag: the luck line.

A consensus of models that know nothing flags cases too. The null hypothesis is that the gold
position is drawn afresh while every reply stays as it is. It keeps all dependence between models
and checks, and needs no simulation: a case with a set S of options that reached the threshold is
flagged by luck with probability P(key in S).
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import bdtrc

from vidence.errors import UsageError
from vidence.stats.arrays import (
    Bools,
    Floats,
    as_array,
    as_flags,
    as_numbers,
    as_whole,
    same_length,
)
from vidence.stats.estimate import Estimate
from vidence.stats.intervals import Labels, difference_by_cluster

Prior = Literal["uniform", "positions"]


def key_prior(kind: Prior, key: ArrayLike, n_options: ArrayLike) -> Floats:
    """Return the null's probability of each option being gold, [N, max options], rows sum to 1.

    "uniform": 1 / K_n. "positions": how often each position is gold among the *other* cases with
    as many options, (count_o - 1[key_n = o]) / (n_K - 1). Leaving the case out makes the null's
    mean excess exactly zero where keys are drawn from one distribution; a case that is alone with
    its number of options gets the uniform one.
    """
    keys, counts = as_whole("key", key), as_whole("n_options", n_options)
    same_length(key=len(keys), n_options=len(counts))
    if kind not in ("uniform", "positions"):
        raise UsageError(f"prior = {kind!r}; allowed: uniform, positions.")
    width = int(counts.max(initial=1))
    real = np.arange(width) < counts[:, None]
    prior: Floats = np.asfortranarray(real / counts[:, None])
    if kind == "positions":
        for k in np.unique(counts):
            rows = np.flatnonzero(counts == k)
            if len(rows) > 1:
                own = np.arange(width) == keys[rows, None]
                prior[rows] = (own.sum(axis=0) - own) / (len(rows) - 1)
    return prior


def luck_of(options: Bools, prior: Floats) -> Floats:
    """Return each case's probability that a drawn key falls in its set of options, [N].

    Formula: sum over o of P(key = o) x 1[o in S]. Source: permutation of the key, in closed form.

    Args:
        options: bool [N, K], the set S of each case; options beyond the prior's width are never
            gold.
        prior: [N, K'] from `key_prior`.
    """
    width = prior.shape[1]
    luck: Floats = (prior * options[:, :width]).sum(axis=1)
    return np.clip(luck, 0.0, 1.0)


def excess_over_luck(
    flagged: ArrayLike,
    luck: ArrayLike,
    clusters: Labels,
    *,
    level: float = 0.95,
    total: int | None = None,
) -> Estimate:
    """Estimate the mean of flagged - luck per case, which is zero for a panel that knows nothing.

    Formula, edges: `difference_by_cluster` on the paired difference, with the null's exact
    variance sum of luck (1 - luck) / n^2 as the least: given the replies, keys are independent.
    Without that floor a threshold that flags nearly every case claims an excess whenever the few
    misses that luck expects happen not to occur. Assumes that luck is the probability of a flag
    under the null; conservative where models know some answers, because an option agreed on by
    knowledge counts as lucky too.

    Args:
        flagged: booleans [N].
        luck: probabilities [N], from `luck_of` or `case_luck`.
        clusters: labels [N] or `Clusters`.
        total: cases asked for; None means N.
    """
    hits, chance = as_flags("flagged", flagged), as_numbers("luck", luck)
    same_length(flagged=len(hits), luck=len(chance))
    null = float((chance * (1 - chance)).sum()) / max(1, len(chance)) ** 2
    return difference_by_cluster(
        hits - chance, clusters, least_variance=null, level=level, total=total
    )


def independent_guessers(
    n_options: ArrayLike, panel: ArrayLike, c: int, applicable: ArrayLike | None = None
) -> Floats:
    """Return the probability that independent uniform guessers flag each case, [N].

    Formula: 1 - product over checks t of P(Binomial(m_t, 1 / K_n) < c), over the checks that
    apply. A reference figure only: real replies are dependent, so the line to compare with is
    `luck_of`.

    Args:
        n_options: int [N].
        panel: int [T], members m_t per check.
        c: members that must be right, at least 1.
        applicable: bool [N, T]; None means that all checks apply.
    """
    counts, members = as_whole("n_options", n_options), as_whole("panel", panel)
    if c < 1:
        raise UsageError(f"threshold = {c}; a whole number from 1 up is allowed.")
    applies = np.ones((len(counts), len(members)), dtype=np.bool_)
    if applicable is not None:
        applies = as_array("applicable", applicable).astype(np.bool_)
        same_length(n_options=len(counts), applicable=len(applies))
    reached = np.zeros((len(counts), len(members)))
    able = members >= c
    if able.any():
        reached[:, able] = bdtrc(c - 1, members[able], 1 / counts[:, None])
    flagged: Floats = 1 - np.prod(1 - reached * applies, axis=1)
    return flagged
