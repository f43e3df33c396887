"""Would the same probe rank the questions the same way again?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from math import comb

import numpy as np
from numpy.random import Generator

from vidence.errors import UsageError
from vidence.stats.agreement import pearson_of
from vidence.stats.arrays import Bools, Floats
from vidence.stats.estimate import Estimate
from vidence.stats.flip_counts import FLIPPED, FlipCounts, FlipDraws
from vidence.stats.reweighting import reweighted

MOST_SPLITS = 2_000


@dataclass(frozen=True, slots=True)
class SplitHalf:
    """Hold the reliability of a probe from the halves of its own draws.

    Args:
        half: correlation of two scores on `half_k` draws a condition each.
        full: the same stepped up to all `k` draws by Spearman and Brown.
        half_k, k: draws per condition.
        splits: ways of halving that were averaged.
    """

    half: Estimate
    full: Estimate
    half_k: int
    k: int
    splits: int


@dataclass(frozen=True, slots=True)
class ScoreSpread:
    """Hold what a score's variance over questions is made of.

    Args:
        spread: V, the variance of the true score.
        noise: E, the mean of s (1 - s) + d (1 - d); E / k is the sampling variance at k draws.
        single: V / (V + E), the reliability of one draw a condition.
    """

    spread: Estimate
    noise: Estimate
    single: Estimate


def split_half(
    draws: FlipDraws, *, rng: Generator, n_resamples: int = 10_000, level: float = 0.95
) -> SplitHalf:
    """Estimate reliability by halving the draws in every way.

    Formula: for every choice of two disjoint halves of floor(k / 2) draws (the same positions in
    both conditions; with odd k one draw is left out in turn), Pearson's r between the two scores;
    the mean over splits, then r_k = f r / (1 + (f - 1) r), f = k / floor(k / 2). Sources:
    Spearman (1910), Brown (1910). More than `MOST_SPLITS` splits: that many, drawn from `rng`.
    Assumes draws exchangeable in order and independent. It sees noise within this run alone: a
    run effect makes real reruns agree less. A question lacking a valid draw in a half leaves that
    split. Scores all equal: no number.

    Raises:
        UsageError: fewer than two draws a condition.
    """
    k = min(draws.sham.shape[1], draws.destroy.shape[1])
    if k < 2:
        raise UsageError(f"{k} draws a condition; two are needed for halves.")
    first, second = _halves(k, rng)
    columns = _moment_columns(draws, first, second)
    n = len(first)

    def statistic(weights: Floats) -> Floats:
        sums = (weights @ table).reshape(len(weights), n, 6)
        return _mean_finite(pearson_of(sums))

    table = draws.clusters.sums(columns.reshape(len(draws), -1))
    half = reweighted(
        statistic,
        draws.clusters,
        rng=rng,
        n_resamples=n_resamples,
        bounds=(-1.0, 1.0),
        level=level,
    )
    covered = int((columns[:, :, 0].sum(axis=1) > 0).sum())
    half = replace(half, n=covered if half.value is not None else 0, total=len(draws))
    factor = k / (k // 2)
    return SplitHalf(half, _stepped(half, factor), k // 2, k, n)


def score_spread(
    counts: FlipCounts, *, rng: Generator, n_resamples: int = 10_000, level: float = 0.95
) -> ScoreSpread:
    """Estimate how much true scores differ and how noisy one draw is, without a model.

    Formula: for each question the unbiased s (1 - s) estimate y (k - y) / (k (k - 1)), likewise
    for destroy; E is the mean of their sum; V is the variance of the observed scores (n - 1) minus
    the mean of their own sampling variances. Cluster bootstrap, or jackknife for few videos.
    Assumes independent draws. Only questions with two valid draws in each condition enter; none:
    no number. V may come out negative where questions do not differ.
    """
    kept = counts.where((counts.sham_valid >= 2) & (counts.destroy_valid >= 2))
    x, kd = kept.destroy_flips.astype(np.float64), kept.destroy_valid
    y, ks = kept.sham_flips.astype(np.float64), kept.sham_valid
    own_d = x * (kd - x) / np.maximum(kd * (kd - 1), 1)
    own_s = y * (ks - y) / np.maximum(ks * (ks - 1), 1)
    score = kept.scores()
    columns = np.stack(
        [np.ones(len(kept)), score, score**2, own_d + own_s, own_d / kd + own_s / ks], axis=1
    )
    table = kept.clusters.sums(columns)

    def parts(weights: Floats) -> tuple[Floats, Floats]:
        n, total, squares, noise, sampling = (weights @ table).T
        spread = (squares - total**2 / n) / (n - 1) - sampling / n
        return spread, noise / n

    def made(pick: int) -> Estimate:
        def statistic(weights: Floats) -> Floats:
            spread, noise = parts(weights)
            ways: tuple[Floats, ...] = (spread, noise, spread / (spread + noise))
            return ways[pick]

        return reweighted(
            statistic,
            kept.clusters,
            rng=rng,
            n_resamples=n_resamples,
            level=level,
            total=len(counts),
        )

    return ScoreSpread(made(0), made(1), made(2))


def spearman_brown(reliability: float, factor: float) -> float:
    """Return the reliability of `factor` times as many draws: f r / (1 + (f - 1) r).

    Factors below 1 step down: the reliability of one draw from that of k is factor 1 / k.

    Raises:
        UsageError: a factor that is not positive, or a result beyond what the formula allows.
    """
    if factor <= 0:
        raise UsageError(f"factor = {factor}; a positive number is allowed.")
    bottom = 1 + (factor - 1) * reliability
    if bottom <= 0 or abs(reliability) > 1:
        raise UsageError(f"reliability = {reliability} cannot be stepped by {factor:g}.")
    return factor * reliability / bottom


def _stepped(half: Estimate, factor: float) -> Estimate:
    method = f"{half.method}, stepped up by Spearman-Brown"
    floor = -0.999 / (factor - 1) if factor > 1 else -1.0

    def up(value: float | None) -> float | None:
        if value is None:
            return None
        return max(-1.0, spearman_brown(min(1.0, max(value, floor)), factor))

    return replace(half, value=up(half.value), low=up(half.low), high=up(half.high), method=method)


def _halves(k: int, rng: Generator) -> tuple[Bools, Bools]:
    """Return two disjoint halves per split, bool [J, k] each."""
    size = k // 2
    count = comb(k, size) * comb(k - size, size) // 2
    pairs: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
    if count <= MOST_SPLITS:
        for chosen in combinations(range(k), 2 * size):
            for half in combinations(chosen[1:], size - 1):
                one = (chosen[0], *half)
                pairs.append((one, tuple(i for i in chosen if i not in one)))
    else:
        for _ in range(MOST_SPLITS):
            order = rng.permutation(k).tolist()
            pairs.append((tuple(order[:size]), tuple(order[size : 2 * size])))
    masks = np.zeros((2, len(pairs), k), dtype=np.bool_)
    for row, both in enumerate(pairs):
        for side, members in enumerate(both):
            masks[side, row, list(members)] = True
    return masks[0], masks[1]


def _moment_columns(draws: FlipDraws, first: Bools, second: Bools) -> Floats:
    """Return n, sum a, sum b, sum aa, sum bb, sum ab of each question and split, [N, J, 6]."""
    (a, has_a), (b, has_b) = (_scores(draws, half) for half in (first, second))
    both = has_a & has_b
    a, b = np.where(both, a, 0.0), np.where(both, b, 0.0)
    return np.stack([both.astype(np.float64), a, b, a * a, b * b, a * b], axis=-1)


def _scores(draws: FlipDraws, half: Bools) -> tuple[Floats, Bools]:
    rates, seen = [], []
    k, pick = half.shape[1], half.T.astype(np.float64)
    for codes in (draws.sham[:, :k], draws.destroy[:, :k]):
        valid = (codes >= 0).astype(np.float64) @ pick
        flips = (codes == FLIPPED).astype(np.float64) @ pick
        rates.append(flips / np.maximum(valid, 1))
        seen.append(valid > 0)
    return rates[1] - rates[0], seen[0] & seen[1]


def _mean_finite(values: Floats) -> Floats:
    known = np.isfinite(values)
    total = np.where(known, values, 0.0).sum(axis=1)
    with np.errstate(invalid="ignore"):
        mean: Floats = total / known.sum(axis=1)
    return mean
