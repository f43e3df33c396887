"""Thresholds with a promise: harms kept below a rate, or a gain that is not luck.

Both work on calibration videos and speak about a new video drawn like them. The video is the unit
that may be exchanged: questions of one video are averaged first, never counted one by one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import bdtr

from vidence.errors import UsageError
from vidence.stats.arrays import Bools, Floats, Ints, as_numbers, as_whole, same_length
from vidence.stats.clusters import Clusters
from vidence.stats.intervals import Labels

Bound = Literal["betting", "hoeffding-bentkus"]
Family = Literal["fixed-sequence", "bonferroni"]


@dataclass(frozen=True, slots=True)
class HarmControl:
    """Hold a threshold whose harms are bounded.

    Args:
        threshold: defer questions scored at most this; None where no threshold keeps the promise.
        alpha: bound on the expected share of a new video's questions that are harmed.
        risk: the harm rate at the threshold on the calibration videos, 0 with None.
        videos: calibration videos.
    """

    threshold: float | None
    alpha: float
    risk: float
    videos: int


@dataclass(frozen=True, eq=False)
class GainControl:
    """Hold thresholds whose gain is proved.

    Args:
        thresholds: those tried, in the order in which they were tried.
        p: p value of each that the gain is no more than `least`.
        proved: which are proved, with any false claim at most `delta`.
        best: the proved threshold of largest calibration gain; None where none is.
        delta, least, videos: what was asked, and the calibration videos.
    """

    thresholds: Floats
    p: Floats
    proved: Bools
    best: float | None
    delta: float
    least: float
    videos: int


def control_harms(
    scores: ArrayLike, change: ArrayLike, clusters: Labels, *, alpha: float = 0.05
) -> HarmControl:
    """Choose the largest threshold whose expected harm on a new video is at most alpha.

    Formula: the loss of video v at t is the share of its questions with score <= t and x = -1,
    which grows with t; t* = the largest t with (V R(t) + 1) / (V + 1) <= alpha, R the mean over V
    videos. Source: conformal risk control (Angelopoulos et al., ICLR 2024): then E[loss of a new
    video at t*] <= alpha. Assumes exchangeable videos. With fewer than 1 / alpha - 1 videos no
    threshold can be promised, however few harms there are.

    Args:
        scores: [N], low is deferred first; change: x in {-1, 0, 1}, [N].

    Raises:
        UsageError: alpha outside (0, 1), or no question.
    """
    values, x, groups = _checked(scores, change, clusters)
    _check_share("alpha", alpha)
    tried = np.unique(values)
    loss = _by_video(values, (x < 0).astype(np.float64), groups, tried)
    videos = len(loss)
    risk = loss.mean(axis=0)
    kept = np.flatnonzero((videos * risk + 1) / (videos + 1) <= alpha * (1 + 1e-12))
    if not len(kept):
        return HarmControl(None, alpha, 0.0, videos)
    return HarmControl(float(tried[kept[-1]]), alpha, float(risk[kept[-1]]), videos)


def prove_gain(
    scores: ArrayLike,
    change: ArrayLike,
    clusters: Labels,
    *,
    thresholds: ArrayLike | None = None,
    bound: Bound = "betting",
    family: Family = "fixed-sequence",
    aims: tuple[float, float] = (0.05, 0.0),
) -> GainControl:
    """Find thresholds whose accuracy gain on new videos is more than `least`, all at once.

    Formula: the gain of video v at t is the mean over its questions of x 1[score <= t], in [-1,
    1]; each threshold is tested against "expected gain <= least", and any claim is false with
    probability at most delta. Source: learn then test (Angelopoulos et al. 2021). "fixed-sequence"
    tests in the given order and stops at the first failure, "bonferroni" tests each at delta / T.
    Bounds: `gain_p`. The gain is not monotone in t, so conformal risk control does not apply.
    Assumes independent videos, and an order that was fixed without these outcomes.

    Args:
        scores, change: as in `control_harms`.
        thresholds: in the order of testing; None takes all scores, largest first.
        aims: (delta, least).

    Raises:
        UsageError: an unknown bound or family, delta outside (0, 1), least outside [-1, 1).
    """
    delta, least = aims
    values, x, groups = _checked(scores, change, clusters)
    _check_share("delta", delta)
    if family not in ("fixed-sequence", "bonferroni"):
        raise UsageError(f"family = {family!r}; allowed: fixed-sequence, bonferroni.")
    every = np.unique(values)[::-1]
    tried = every if thresholds is None else as_numbers("thresholds", thresholds)
    order = np.argsort(tried, kind="stable")
    gains = np.empty((int(np.count_nonzero(groups.sizes())), len(tried)))
    gains[:, order] = _by_video(values, x.astype(np.float64), groups, tried[order])
    p = np.array([gain_p(gains[:, t], least=least, bound=bound) for t in range(len(tried))])
    alone: Bools = p <= delta / max(1, len(p))
    proved = alone if family == "bonferroni" else np.cumsum(p > delta) == 0
    mean = gains.mean(axis=0)
    best = None
    if proved.any():
        best = float(tried[int(np.where(proved, mean, -np.inf).argmax())])
    return GainControl(tried, p, proved, best, delta, least, len(gains))


def gain_p(gains: ArrayLike, *, least: float = 0.0, bound: Bound = "betting") -> float:
    """Return a p value that independent gains in [-1, 1] have a mean of at most `least`.

    "hoeffding-bentkus" (Bates et al. 2021): with the loss L = (1 - gain) / 2, mean R and bound a =
    (1 - least) / 2, min(exp(-n h(R, a)), e P(Bin(n, a) <= ceil(n R))), h the binary relative
    entropy. It knows only the range, so small gains of little spread are never proved. "betting"
    (Waudby-Smith & Ramdas 2024, JRSS B 86, 1-27): 1 / max_i W_i, W_i = prod (1 + b_j (gain_j -
    least)), the bet b_j from mean and variance of the gains before j; uses the spread, and depends
    on the order of the videos. Both are valid for every n. n = 0: 1.

    Raises:
        UsageError: gains outside [-1, 1], least outside [-1, 1), or an unknown bound.
    """
    values = as_numbers("gains", gains)
    if (np.abs(values) > 1 + 1e-9).any() or not -1 <= least < 1:
        raise UsageError("Gains from -1 to 1 and -1 <= least < 1 are allowed.")
    if bound not in ("betting", "hoeffding-bentkus"):
        raise UsageError(f"bound = {bound!r}; allowed: betting, hoeffding-bentkus.")
    if not len(values):
        return 1.0
    return _betting(values, least) if bound == "betting" else _hoeffding_bentkus(values, least)


def _hoeffding_bentkus(gains: Floats, least: float) -> float:
    n, risk, most = len(gains), float((1 - gains).mean() / 2), (1 - least) / 2
    risk = min(max(risk, 0.0), 1.0)
    if risk >= most:
        return 1.0
    first = risk * np.log(risk / most) if risk > 0 else 0.0
    second = (1 - risk) * np.log((1 - risk) / (1 - most)) if most < 1 else np.inf
    hoeffding = float(np.exp(-n * (first + second)))
    bentkus = float(np.e * bdtr(np.ceil(n * risk - 1e-9), n, most))
    return min(1.0, hoeffding, bentkus)


def _betting(gains: Floats, least: float) -> float:
    """Bet against a mean of `least`; wealth is a supermartingale when it is at most that."""
    n = len(gains)
    apart = gains - least
    # Guesses come before each video: half a pseudo-observation of mean 0 and variance 1/4.
    seen = np.arange(n) + 1.0
    mean = (np.cumsum(apart) - apart) / seen
    square = (0.25 + np.cumsum(apart**2) - apart**2) / seen
    # The worst video costs at most three quarters of the wealth, so one of them is no ruin.
    most = 0.75 / max(1 + least, 0.75)
    bet = np.clip(mean / square, 0.0, most)
    wealth = np.cumsum(np.log1p(bet * apart))
    return float(min(1.0, np.exp(-wealth.max())))


def _by_video(values: Floats, amounts: Floats, groups: Clusters, tried: Floats) -> Floats:
    """Return, per video, the mean of `amounts` over its questions scored at most t, [V, T]."""
    size = groups.sizes()
    used = size > 0
    place = np.searchsorted(tried, values, side="left")
    cells = np.zeros((groups.count, len(tried) + 1))
    np.add.at(cells, (groups.codes, place), amounts)
    sums = np.cumsum(cells[:, :-1], axis=1)
    rates: Floats = sums[used] / size[used][:, None]
    return rates


def _checked(
    scores: ArrayLike, change: ArrayLike, clusters: Labels
) -> tuple[Floats, Ints, Clusters]:
    values, x = as_numbers("scores", scores), as_whole("change", change)
    groups = Clusters.of(clusters)
    same_length(scores=len(values), change=len(x), clusters=len(groups))
    if not len(values):
        raise UsageError("No question; a threshold cannot be chosen.")
    if (np.abs(x) > 1).any():
        raise UsageError("change: -1 (harm), 0 and 1 (repair) are allowed.")
    return values, x, groups


def _check_share(name: str, value: float) -> None:
    if not 0 < value < 1:
        raise UsageError(f"{name} = {value}; a share between 0 and 1 is allowed.")
