"""Does a rule chosen on one answerer help another? Splits by video, errors that overlap.

Each split chooses a rule on half of the videos of the source and tries it on the other half: on the
source itself, and on the same videos of the target. The splits share videos, so the spread of
their gains over the square root of their number is far too small an error.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vidence.errors import UsageError
from vidence.stats.arrays import Floats, as_array, same_length
from vidence.stats.clusters import Clusters
from vidence.stats.estimate import Estimate
from vidence.stats.intervals import FEW_CLUSTERS
from vidence.stats.limits import t_quantile
from vidence.stats.routing import Outcomes

Rules = Mapping[str, ArrayLike]


@dataclass(frozen=True, slots=True)
class Transfer:
    """Hold what a rule chosen on the source gains.

    Args:
        source, target: mean accuracy gain on held-out videos, with a corrected interval.
        source_sd, target_sd: standard deviation of the gain over splits, which is no error.
        chosen: share of splits that chose each rule.
        splits: number of splits.
    """

    source: Estimate
    target: Estimate
    source_sd: float
    target_sd: float
    chosen: dict[str, float]
    splits: int


def transfer(
    source: tuple[Outcomes, Rules],
    target: tuple[Outcomes, Rules],
    *,
    rng: Generator,
    splits: int = 400,
    train: float = 0.5,
    level: float = 0.95,
) -> Transfer:
    """Choose a rule on source videos and try it on other videos, of source and target.

    Formula: per split, the rule of largest summed change on the training videos (a tie goes to
    the rule listed first, so list the simpler first); gain = sum of x over deferred test
    questions / test questions. Mean over J splits +- t_{J-1} sqrt((1 / J + n_test / n_train) s^2),
    s^2 the variance of the gains over splits: the correction of Nadeau & Bengio (2003, Machine
    Learning 52, 239-281) for overlapping test sets. It is a rough guide and not exact. Assumes
    independent videos.

    Args:
        source, target: outcomes and rules of the same questions in the same order; rules are
            booleans [N] by name, the same names in both.
        train: share of the videos that choose.

    Raises:
        UsageError: fewer than 4 videos or 2 splits, other questions, or other rules.
    """
    (own, rules), (other, far) = source, target
    if list(rules) != list(far) or not rules:
        raise UsageError(f"Rules differ: {list(rules)} and {list(far)}; give the same, in order.")
    same_length(source=len(own), target=len(other))
    if not np.array_equal(own.clusters.codes, other.clusters.codes):
        raise UsageError("Source and target list different videos; give the same questions.")
    used = np.flatnonzero(own.clusters.sizes())
    count = len(used)
    learn = round(train * count)
    if count < 4 or splits < 2 or not 0 < learn < count:
        raise UsageError(
            f"{count} videos, {splits} splits, train = {train}; at least 4 videos, 2 splits and "
            "one video on each side are needed."
        )
    size = own.clusters.sizes()[used].astype(np.float64)
    here, there = (_net(o, r)[used] for o, r in ((own, rules), (other, far)))
    order = np.argsort(rng.random((splits, count)), axis=1)
    trains = np.zeros((splits, count))
    np.put_along_axis(trains, order[:, :learn], 1.0, axis=1)
    tests = 1 - trains
    best = (np.rint(trains @ here)).argmax(axis=1)
    rows = np.arange(splits)
    asked = tests @ size
    gains = [(tests @ net)[rows, best] / asked for net in (here, there)]
    made = [_corrected(gain, (count - learn) / learn, count, len(own), level) for gain in gains]
    shares = np.bincount(best, minlength=len(rules)) / splits
    return Transfer(
        source=made[0],
        target=made[1],
        source_sd=float(gains[0].std(ddof=1)),
        target_sd=float(gains[1].std(ddof=1)),
        chosen=dict(zip(rules, shares.tolist(), strict=True)),
        splits=splits,
    )


def _net(outcomes: Outcomes, rules: Rules) -> Floats:
    """Return the summed change per video and rule, [V, rules]."""
    x = outcomes.change.astype(np.float64)
    columns = []
    for name, mask in rules.items():
        flags = as_array(f"rule {name}", mask).astype(np.bool_)
        same_length(outcomes=len(x), rule=len(flags))
        columns.append(np.where(flags, x, 0.0))
    clusters: Clusters = outcomes.clusters
    return clusters.sums(np.stack(columns, axis=1))


def _corrected(gains: Floats, ratio: float, videos: int, n: int, level: float) -> Estimate:
    splits = len(gains)
    mean, spread = float(gains.mean()), float(gains.var(ddof=1))
    method = f"mean over {splits} video-level splits, t interval (Nadeau-Bengio variance)"
    low = high = None
    why = f"few clusters ({videos}): read with care" if videos < FEW_CLUSTERS else None
    if spread > 0:
        half = t_quantile(level, splits - 1) * float(np.sqrt((1 / splits + ratio) * spread))
        low, high = mean - half, mean + half
    else:
        why = "every split gives the same gain"
    return Estimate(
        value=mean,
        low=low,
        high=high,
        n=n,
        clusters=videos,
        method=method,
        level=level,
        degenerate=why,
    )
