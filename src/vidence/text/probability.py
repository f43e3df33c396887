"""From scores to probabilities: one number, learned where the scores were not, and how it fared."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vidence.stats import Estimate, mean_by_cluster

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_SHARPEST = 400.0
BINS = 10


def softmax(scores: Floats, sharpness: float) -> Floats:
    """Return probabilities [N, K] of scores [N, K], -inf where there is no option."""
    with np.errstate(invalid="ignore"):
        scaled = np.where(np.isneginf(scores), -np.inf, scores * sharpness)
    scaled = scaled - scaled.max(axis=1, keepdims=True)
    raised = np.exp(scaled)
    shares: Floats = raised / raised.sum(axis=1, keepdims=True)
    return shares


def sharpness_of(scores: Floats, gold: Ints) -> float:
    """Return the sharpness in [0, 400] that makes the keys most likely.

    Formula: the t that maximises the mean of log softmax(t s)[key]. It is concave in t, so the
    derivative, the mean of s[key] minus the expected s, is halved down to its zero. 0 where the
    scores are no better than nothing: every option gets the same.

    Args:
        scores: [N, K], -inf where there is no option.
        gold: position of the key, [N].
    """
    if not len(gold):
        return 0.0
    there = ~np.isneginf(scores)
    finite = np.where(there, scores, 0.0)
    mine = finite[np.arange(len(gold)), gold]

    def slope(t: float) -> float:
        return float((mine - (softmax(scores, t) * finite).sum(axis=1)).mean())

    low, high = 0.0, _SHARPEST
    if slope(low) <= 0:
        return low
    if slope(high) >= 0:
        return high
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if slope(middle) > 0 else (low, middle)
    return (low + high) / 2


def expected_right(scores: Floats, gold: Ints) -> Floats:
    """Return the probability that the highest score is the key's, ties shared out, [N].

    Args:
        scores: [N, K] or [N, K, P], -inf where there is no option.
        gold: [N] or [N, P].
    """
    top = scores.max(axis=1, keepdims=True)
    tied = scores >= top - 1e-9 * np.maximum(1.0, np.abs(np.where(np.isfinite(top), top, 0.0)))
    index = gold[:, None] if scores.ndim == 2 else gold[:, None, :]
    hit = np.take_along_axis(tied, index, axis=1)[:, 0]
    right: Floats = hit / tied.sum(axis=1)
    return right


@dataclass(frozen=True)
class Bin:
    """Predictions of about the same probability.

    Args:
        low, high: the probabilities in it.
        n: questions.
        predicted: their mean probability.
        right: how often they came true.
    """

    low: float
    high: float
    n: int
    predicted: float
    right: Estimate


@dataclass(frozen=True)
class Calibration:
    """How probabilities fared.

    Args:
        bins: of equal size, by the probability of the option chosen.
        error: expected calibration error, the mean over questions of |predicted - right| of their
            bin; biased upward in small files, since bins are noisy.
    """

    bins: tuple[Bin, ...]
    error: float | None


def calibration(chosen: Floats, right: Floats, clusters: Ints) -> Calibration:
    """Compare the probability of the option chosen with how often it is right.

    Source: Guo et al. (2017), ICML, with bins of equal size. n = 0: no bin. All equal: one bin.

    Args:
        chosen: probability of the option chosen, [N].
        right: whether it was the key, ties by expectation, [N].
        clusters: videos, [N].
    """
    if not len(chosen):
        return Calibration((), None)
    edges = np.unique(np.quantile(chosen, np.linspace(0, 1, BINS + 1)))
    place = np.clip(np.searchsorted(edges, chosen, side="right") - 1, 0, max(0, len(edges) - 2))
    bins, gap = [], 0.0
    for b in np.unique(place):
        mine = place == b
        true = mean_by_cluster(right[mine], clusters[mine], bounds=(0.0, 1.0))
        predicted = float(chosen[mine].mean())
        gap += mine.sum() * abs(predicted - (true.value or 0.0))
        low, high = float(chosen[mine].min()), float(chosen[mine].max())
        bins.append(Bin(low, high, int(mine.sum()), predicted, true))
    return Calibration(tuple(bins), float(gap / len(chosen)))
