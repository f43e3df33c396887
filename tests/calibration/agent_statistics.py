"""Statistics of the agent audit with their truth over simulated probes, for calibration.

Design: `simulated_probe` at k = 3 under the prior fitted to LVBench, latent correlation 0.2 inside
a video, videos of unequal size drawn anew: 1 to 27 questions at 5 to 90 videos (14 on average, as
LVBench at 90) and 1 to 5 at 290 (as Video-MME). The truth is the value over 600,000 simulated
questions, by other code where there is any; its own error is a twentieth of an interval's width or
less. 500 resamples each, seeds from names.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
from scipy.stats import spearmanr
from sklearn.metrics import average_precision_score, roc_auc_score

from vidence.seeds import rng_of
from vidence.stats import (
    Agreement,
    Estimate,
    FlipPrior,
    agreement,
    delta_law,
    flip_effect,
    mean_gap,
    pr_auc,
    risk_coverage,
    roc_auc,
    route,
    score_spread,
    selective_difference,
    selective_risk,
    spearman,
    split_half,
    tie_excess,
    uplift_area,
    uplift_curve,
)
from vidence.stats.agent_designs import SimulatedProbe, simulated_probe

PRIOR = FlipPrior.reference()
LARGEST = {5: 27, 10: 27, 30: 27, 40: 27, 90: 27, 290: 5}
RESAMPLES = 500


def probe(videos: int, largest: int, rng: np.random.Generator) -> SimulatedProbe:
    return simulated_probe(rng.integers(1, largest + 1, videos), PRIOR, 3, icc=0.2, rng=rng)


def deferred(p: SimulatedProbe) -> np.ndarray:
    return p.draws.counts().scores() <= 0


def second_score(p: SimulatedProbe) -> np.ndarray:
    return p.again.counts().scores()


def area(scores: np.ndarray, change: np.ndarray) -> float:
    curve = uplift_curve(scores, change)
    m = np.arange(len(scores) + 1)
    return float(np.trapezoid(curve.at(m) - curve.random(m)) / len(scores) ** 2)


def scores_of(p: SimulatedProbe) -> np.ndarray:
    return p.draws.counts().scores()


def calm(p: SimulatedProbe) -> np.ndarray:
    """Return minus the sham flip rate: trust in questions whose replays agree."""
    return -p.draws.counts().rates()[0]


# What each statistic estimates, from a very large probe, by other code.
TRUTHS: dict[str, Callable[[SimulatedProbe], float]] = {
    "mean score": lambda p: PRIOR.destroy - PRIOR.sham,
    "sham rate": lambda p: PRIOR.sham,
    "ties": lambda p: PRIOR.signs(3)[1],
    "tie excess": lambda p: PRIOR.signs(3)[1] - homogeneous_tie(),
    "gain": lambda p: float(np.where(scores_of(p) <= 0, p.outcomes.change, 0).mean()),
    "yield": lambda p: float(p.outcomes.change[scores_of(p) <= 0].mean()),
    "changed": lambda p: float((p.outcomes.change[scores_of(p) <= 0] != 0).mean()),
    "repair share": lambda p: float(
        (p.outcomes.change[(scores_of(p) <= 0) & (p.outcomes.change != 0)] > 0).mean()
    ),
    "pearson": lambda p: float(np.corrcoef(scores_of(p), second_score(p))[0, 1]),
    "same sign": lambda p: float((np.sign(scores_of(p)) == np.sign(second_score(p))).mean()),
    "strict jaccard": lambda p: float(
        ((scores_of(p) < 0) & (second_score(p) < 0)).sum()
        / ((scores_of(p) < 0) | (second_score(p) < 0)).sum()
    ),
    "split half": lambda p: PRIOR.reliability(3),
    "spread": lambda p: PRIOR.moments()[0],
    "roc auc": lambda p: roc_auc_score(p.covered, scores_of(p)),
    "pr auc": lambda p: average_precision_score(p.covered, scores_of(p)),
    "spearman": lambda p: spearmanr(scores_of(p), p.covered).statistic,
    "mean gap": lambda p: float(scores_of(p)[p.covered].mean() - scores_of(p)[~p.covered].mean()),
    "uplift area": lambda p: area(scores_of(p), p.outcomes.change),
    "aurc": lambda p: float(risk_coverage(scores_of(p), p.covered)[1].mean()),
    "aurc difference": lambda p: float(
        risk_coverage(scores_of(p), p.covered)[1].mean()
        - risk_coverage(calm(p), p.covered)[1].mean()
    ),
}

Make = Callable[[SimulatedProbe, np.random.Generator], Estimate]
STATISTICS: dict[str, Make] = {
    "mean score": lambda p, rng: flip_effect(p.draws.counts()).delta,
    "sham rate": lambda p, rng: flip_effect(p.draws.counts()).sham,
    "ties": lambda p, rng: flip_effect(p.draws.counts()).tie,
    "tie excess": lambda p, rng: tie_excess(p.draws.counts(), rng=rng, n_resamples=RESAMPLES),
    "gain": lambda p, rng: route(p.outcomes, deferred(p)).gain,
    "yield": lambda p, rng: route(p.outcomes, deferred(p)).yielded,
    "changed": lambda p, rng: route(p.outcomes, deferred(p)).changed,
    "repair share": lambda p, rng: route(p.outcomes, deferred(p)).repair_share,
    "pearson": lambda p, rng: rerun(p, rng).pearson,
    "same sign": lambda p, rng: rerun(p, rng).sign,
    "strict jaccard": lambda p, rng: rerun(p, rng).strict,
    "split half": lambda p, rng: split_half(p.draws, rng=rng, n_resamples=RESAMPLES).full,
    "spread": lambda p, rng: score_spread(p.draws.counts(), rng=rng, n_resamples=RESAMPLES).spread,
    "roc auc": lambda p, rng: ranked(roc_auc, p, rng),
    "pr auc": lambda p, rng: ranked(pr_auc, p, rng),
    "spearman": lambda p, rng: ranked(spearman, p, rng),
    "mean gap": lambda p, rng: ranked(mean_gap, p, rng),
    "uplift area": lambda p, rng: uplift_area(
        scores_of(p), p.outcomes.change, p.clusters, rng=rng, n_resamples=RESAMPLES
    ),
    "aurc": lambda p, rng: selective_risk(
        scores_of(p), p.covered, p.clusters, rng=rng, n_resamples=RESAMPLES
    ),
    "aurc difference": lambda p, rng: selective_difference(
        scores_of(p), calm(p), p.covered, p.clusters, rng=rng, n_resamples=RESAMPLES
    ),
}


def rerun(p: SimulatedProbe, rng: np.random.Generator) -> Agreement:
    return agreement(p.draws.counts(), p.again.counts(), rng=rng, n_resamples=RESAMPLES)


def ranked(of: Callable[..., Estimate], p: SimulatedProbe, rng: np.random.Generator) -> Estimate:
    return of(scores_of(p), p.covered, p.clusters, rng=rng, n_resamples=RESAMPLES)


def homogeneous_tie() -> float:
    return delta_law(PRIOR.sham, PRIOR.destroy, 3).tie


@cache
def large() -> SimulatedProbe:
    return simulated_probe(np.full(600_000, 1), PRIOR, 3, rng=rng_of("truth"))


@cache
def truth_of(name: str) -> float:
    return TRUTHS[name](large())


def coverage(name: str, videos: int, repetitions: int) -> tuple[float, float, set[str | None]]:
    """Return the share of intervals that hold the truth, their mean width, and the cautions.

    A missing interval counts as a miss.
    """
    rng, truth = rng_of("agent interval", name, videos), truth_of(name)
    held, widths, cautions = 0, [], set()
    for _ in range(repetitions):
        made = STATISTICS[name](probe(videos, LARGEST[videos], rng), rng)
        cautions.add(made.degenerate)
        if made.low is None:
            continue
        held += made.low <= truth <= made.high
        widths.append(made.high - made.low)
    return held / repetitions, float(np.mean(widths)), cautions
