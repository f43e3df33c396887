"""What destroying the evidence does on the whole: flip rates, mean score, signs, tie excess."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vidence.errors import UsageError
from vidence.stats.arrays import Bools, Floats, as_numbers
from vidence.stats.binomial_difference import binomial_pmf
from vidence.stats.clusters import Clusters
from vidence.stats.estimate import Estimate
from vidence.stats.flip_counts import FlipCounts
from vidence.stats.intervals import difference_by_cluster, mean_by_cluster, proportion_by_cluster
from vidence.stats.reweighting import reweighted

SIGNS = ("negative", "tie", "positive")


@dataclass(frozen=True, slots=True)
class Effect:
    """Hold the aggregate effect of an intervention over the scored questions.

    Args:
        sham, destroy: mean flip rates.
        delta: mean score, destroy minus sham.
        negative, tie, positive: shares of questions by the sign of their score.
        sham_invalid, destroy_invalid: mean share of draws that were lost.
        invalid_difference: destroy minus sham of that share, question by question.
        lowest, highest: mean score if every lost draw had fallen against it, and for it, over all
            questions asked.
    """

    sham: Estimate
    destroy: Estimate
    delta: Estimate
    negative: Estimate
    tie: Estimate
    positive: Estimate
    sham_invalid: Estimate
    destroy_invalid: Estimate
    invalid_difference: Estimate
    lowest: float | None
    highest: float | None


def flip_effect(counts: FlipCounts, *, level: float = 0.95, total: int | None = None) -> Effect:
    """Estimate flip rates, the mean score and its signs, by video.

    Formula: means over scored questions of y / k_s, x / k_d and their difference;
    `mean_by_cluster`, `difference_by_cluster` and `proportion_by_cluster` give the intervals.
    Every question counts once, whatever its valid draws. Assumes independent videos.
    n = 0: no number, each with its reason.

    Args:
        total: questions eligible for the probe; None means those in `counts`.
    """
    asked = len(counts) if total is None else total
    clusters = counts.clusters.where(counts.scored)
    sham, destroy = counts.rates()
    signs = counts.signs()

    def rate(values: Floats) -> Estimate:
        return mean_by_cluster(values, clusters, bounds=(0.0, 1.0), level=level, total=asked)

    def share(mask: Bools) -> Estimate:
        return proportion_by_cluster(mask, clusters, level=level, total=asked)

    drawn = (counts.sham_asked > 0) & (counts.destroy_asked > 0)
    lost_s, lost_d = (
        1 - valid[drawn] / drawn_of[drawn]
        for valid, drawn_of in (
            (counts.sham_valid, counts.sham_asked),
            (counts.destroy_valid, counts.destroy_asked),
        )
    )
    where = counts.clusters.where(drawn)
    low, high = counts.bounds()
    return Effect(
        sham=rate(sham),
        destroy=rate(destroy),
        delta=difference_by_cluster(counts.scores(), clusters, level=level, total=asked),
        negative=share(signs < 0),
        tie=share(signs == 0),
        positive=share(signs > 0),
        sham_invalid=mean_by_cluster(lost_s, where, bounds=(0.0, 1.0), level=level, total=asked),
        destroy_invalid=mean_by_cluster(lost_d, where, bounds=(0.0, 1.0), level=level, total=asked),
        invalid_difference=difference_by_cluster(lost_d - lost_s, where, level=level, total=asked),
        lowest=float(low.mean()) if len(low) else None,
        highest=float(high.mean()) if len(high) else None,
    )


def homogeneous_signs(counts: FlipCounts) -> dict[str, float]:
    """Return the sign distribution if all questions shared the mean flip rates.

    Formula: the law of the score at the pooled rates, averaged over the numbers of valid draws
    that occur. It is what k alone explains: the paper's homogeneous prediction.

    Raises:
        UsageError: no scored question.
    """
    if not counts.scored.any():
        raise UsageError("No question has a valid draw in both conditions; nothing is predicted.")
    columns, draws = _columns(counts)
    made = _homogeneous(columns.sum(axis=0, keepdims=True), draws)
    return dict(zip(SIGNS, made[:, 0].tolist(), strict=True))


def tie_excess(
    counts: FlipCounts, *, rng: Generator, n_resamples: int = 10_000, level: float = 0.95
) -> Estimate:
    """Estimate the observed share of exact ties minus the homogeneous prediction.

    Formula: mean of 1[D = 0] minus P(tie) at the mean flip rates; `reweighted`, so that rates and
    ties are resampled together. Source: CARVE, Table A2. A positive excess shows that
    questions differ; it is no property of single questions. n = 0: no number.
    """
    columns, draws = _columns(counts)
    clusters = counts.clusters.where(counts.scored)
    table = clusters.sums(columns)

    def statistic(weights: Floats) -> Floats:
        sums = weights @ table
        excess: Floats = sums[:, 3] / sums[:, 0] - _homogeneous(sums, draws)[1]
        return excess

    return reweighted(
        statistic,
        clusters,
        rng=rng,
        n_resamples=n_resamples,
        bounds=(-1.0, 1.0),
        level=level,
        total=len(counts),
    )


def runs_mean(values: ArrayLike, *, level: float = 0.95) -> tuple[Estimate, float | None]:
    """Estimate the mean over independent runs and return their sample SD (n - 1) beside it.

    Each run is one replication and is not pooled into a larger budget. Formula: mean +- t SD /
    sqrt(R). Source: CARVE, Table 1 (which gives mean and SD). One run: no interval and no SD.
    """
    runs = as_numbers("values", values)
    spread = float(runs.std(ddof=1)) if len(runs) > 1 else None
    return mean_by_cluster(runs, Clusters.alone(len(runs)), level=level), spread


def _columns(counts: FlipCounts) -> tuple[Floats, list[tuple[int, int]]]:
    """Return [M, 4 + C]: one, sham rate, destroy rate, tie, and one column per pair (k_s, k_d)."""
    scored = counts.where(counts.scored)
    pairs = np.stack([scored.sham_valid, scored.destroy_valid], axis=1)
    found, index = np.unique(pairs, axis=0, return_inverse=True)
    sham, destroy = counts.rates()
    ones = np.ones(len(sham))
    tie = (counts.signs() == 0).astype(np.float64)
    each = (index.reshape(-1)[:, None] == np.arange(len(found))).astype(np.float64)
    columns = np.concatenate([np.stack([ones, sham, destroy, tie], axis=1), each], axis=1)
    return columns, [(int(a), int(b)) for a, b in found]


def _homogeneous(sums: Floats, draws: list[tuple[int, int]]) -> Floats:
    """Return P(negative), P(tie), P(positive) for rows of sums: [3, R]."""
    if not len(draws):
        return np.full((3, len(sums)), np.nan)
    total = sums[:, 0]
    s, d = np.clip(sums[:, 1] / total, 0, 1), np.clip(sums[:, 2] / total, 0, 1)
    made = np.zeros((3, len(sums)))
    for column, (ks, kd) in enumerate(draws):
        share = sums[:, 4 + column] / total
        sign = np.sign(np.arange(kd + 1)[:, None] * ks - np.arange(ks + 1) * kd)
        pd, ps = binomial_pmf(d, kd), binomial_pmf(s, ks)
        for row, value in enumerate((-1, 0, 1)):
            met = (sign == value).astype(np.float64)
            made[row] += share * ((pd @ met) * ps).sum(axis=1)
    return made
