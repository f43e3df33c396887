"""An effect without a reference answer: do the two conditions give the same answers at all?

The flip score compares every replay with one old answer. It is blind where destroying the evidence
moves replies from one wrong letter to another. The energy distance compares the replies of the two
conditions with each other and needs no reference.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import comb

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vidence.errors import UsageError
from vidence.stats.arrays import Bools, Floats, Ints, as_flags, as_whole, same_length
from vidence.stats.clusters import Clusters
from vidence.stats.estimate import Estimate
from vidence.stats.intervals import Labels, difference_by_cluster, mean_by_cluster

FEWEST_PERMUTATIONS = 100


@dataclass(frozen=True, eq=False)
class Replies:
    """Hold the answers of all draws as letter numbers.

    Args:
        sham, destroy: int [N, K] each, 0, 1, 2, ... for the option answered, -1 where there is no
            valid answer.
        clusters: the video of each question.
    """

    sham: Ints
    destroy: Ints
    clusters: Clusters

    @classmethod
    def of(cls, sham: ArrayLike, destroy: ArrayLike, clusters: Labels) -> Replies:
        """Return checked replies.

        Raises:
            UsageError: not two axes, a code below -1, or lengths that differ.
        """
        a, b, groups = _letters("sham", sham), _letters("destroy", destroy), Clusters.of(clusters)
        same_length(sham=len(a), destroy=len(b), clusters=len(groups))
        return cls(a, b, groups)

    def __len__(self) -> int:
        return len(self.clusters)

    def tallies(self) -> tuple[Ints, Ints]:
        """Return how often each option was answered, int [N, O] for sham and for destroy."""
        options = 1 + max(int(self.sham.max(initial=0)), int(self.destroy.max(initial=0)))
        return _tally(self.sham, options), _tally(self.destroy, options)


@dataclass(frozen=True, eq=False)
class EnergyEffect:
    """Hold the energy distance between the two conditions' answers.

    Args:
        mean: over questions with two valid draws in each condition, by video.
        p: permutation p value that no question's answers depend on the condition.
        distance: per question, [N]; NaN where it is undefined.
        question_p: exact permutation p per question, [N]; NaN where undefined.
    """

    mean: Estimate
    p: float | None
    distance: Floats
    question_p: Floats


def energy_effect(
    replies: Replies, *, rng: Generator, permutations: int = 10_000, level: float = 0.95
) -> EnergyEffect:
    """Estimate how differently the two conditions answer.

    Formula: D2 = P(a_s != a_d) - P(a_s != a_s') / 2 - P(a_d != a_d') / 2 over distinct draws, an
    unbiased estimate of sum_a (p_s(a) - p_d(a))^2 / 2 and so at times below 0. Source: Szekely &
    Rizzo (2013, J. Stat. Plan. Inference 143, 1249-1272), with the discrete metric. The p values
    exchange the labels sham and destroy among one question's draws: exactly per question (all
    ways to choose its sham draws), and for the sum over questions by `permutations` draws from
    those exact laws, p = (1 + reached) / (1 + permutations). Assumes that draws of one question
    are exchangeable where the condition does not matter, and questions independent given that.
    One draw a condition: undefined, there is no second draw to compare with.

    Raises:
        UsageError: fewer than 100 permutations.
    """
    if permutations < FEWEST_PERMUTATIONS:
        raise UsageError(f"permutations = {permutations}; at least {FEWEST_PERMUTATIONS}.")
    n_s, n_d = replies.tallies()
    known = (n_s.sum(axis=1) >= 2) & (n_d.sum(axis=1) >= 2)
    distance = np.full(len(replies), np.nan)
    distance[known] = _distance(n_s[known], n_d[known])
    question_p = np.full(len(replies), np.nan)
    if not known.any():
        why = "undefined: no question has two valid draws in each condition (as at k = 1)"
        method = "energy distance by cluster"
        none = Estimate.none(why, method=method, total=len(replies), level=level)
        return EnergyEffect(none, None, distance, question_p)
    inside = replies.clusters.where(known)
    mean = difference_by_cluster(distance[known], inside, level=level, total=len(replies))
    sums = np.zeros(int(permutations))
    patterns, index = _patterns(n_s[known], n_d[known])
    own = np.empty(len(index))
    for row, (k_sham, *pooled) in enumerate(patterns):
        values, chance = _exchanged(k_sham, pooled)
        here = np.flatnonzero(index == row)
        observed = distance[known][here]
        reach = values[None, :] >= observed[:, None] - 1e-12
        own[here] = np.minimum(1.0, (reach * chance).sum(axis=1))
        sums += rng.multinomial(len(here), chance, size=len(sums)) @ values
    question_p[known] = own
    total = float(distance[known].sum())
    p = (1 + int((sums >= total - 1e-9).sum())) / (1 + len(sums))
    return EnergyEffect(mean, p, distance, question_p)


def condition_accuracy(
    letters: ArrayLike, gold: ArrayLike, clusters: Labels, *, level: float = 0.95
) -> Estimate:
    """Estimate the accuracy of one condition's valid draws, each question counting once.

    Formula: mean over questions of the share of valid draws that give the key, by video.

    Args:
        letters: int [N, K], -1 where there is no valid answer.
        gold: int [N].
    """
    return _match_rate(_letters("letters", letters), as_whole("gold", gold), clusters, level)


def retention(
    letters: ArrayLike,
    reference: ArrayLike,
    correct: ArrayLike,
    clusters: Labels,
    *,
    level: float = 0.95,
) -> Estimate:
    """Estimate how often draws repeat the committed answer, where that answer was right.

    Formula: mean over questions with a right committed answer of the share of valid draws equal to
    it, by video. No such question: no number.

    Args:
        reference: the committed answer, int [N]; `correct`: booleans [N].
    """
    codes, right = _letters("letters", letters), as_flags("correct", correct)
    groups = Clusters.of(clusters)
    same_length(letters=len(codes), correct=len(right), clusters=len(groups))
    return _match_rate(
        codes[right], as_whole("reference", reference)[right], groups.where(right), level
    )


def _match_rate(codes: Ints, wanted: Ints, clusters: Labels, level: float) -> Estimate:
    groups = Clusters.of(clusters)
    same_length(letters=len(codes), wanted=len(wanted), clusters=len(groups))
    valid = (codes >= 0).sum(axis=1)
    known: Bools = valid > 0
    hits = ((codes == wanted[:, None]) & (codes >= 0)).sum(axis=1)
    rate = hits[known] / valid[known]
    return mean_by_cluster(
        rate, groups.where(known), bounds=(0.0, 1.0), level=level, total=len(codes)
    )


def _letters(name: str, letters: ArrayLike) -> Ints:
    codes = as_whole(name, letters)
    if codes.ndim != 2 or (codes < -1).any():
        raise UsageError(f"{name}: option numbers [N, K] from 0 up, -1 where none, are allowed.")
    return codes


def _tally(codes: Ints, options: int) -> Ints:
    rows = np.arange(len(codes))[:, None] * options
    cells = (rows + codes)[codes >= 0]
    return np.bincount(cells, minlength=len(codes) * options).reshape(len(codes), options)


def _distance(n_s: Ints, n_d: Ints) -> Floats:
    """Return half the chance that two sham draws agree, plus half of destroy, minus across."""
    ks, kd = n_s.sum(axis=1), n_d.sum(axis=1)
    same_s = (n_s * (n_s - 1)).sum(axis=1) / (ks * (ks - 1))
    same_d = (n_d * (n_d - 1)).sum(axis=1) / (kd * (kd - 1))
    distance: Floats = (same_s + same_d) / 2 - (n_s * n_d).sum(axis=1) / (ks * kd)
    return distance


def _patterns(n_s: Ints, n_d: Ints) -> tuple[list[list[int]], Ints]:
    """Return the distinct (k_s, pooled counts, largest first) and each question's index."""
    pooled = -np.sort(-(n_s + n_d), axis=1)
    rows = np.concatenate([n_s.sum(axis=1, keepdims=True), pooled], axis=1)
    found, index = np.unique(rows, axis=0, return_inverse=True)
    return found.tolist(), index.reshape(-1)


def _exchanged(k_sham: int, pooled: list[int]) -> tuple[Floats, Floats]:
    """Return the distances over all ways to choose the sham draws, and their probabilities."""
    counts = [count for count in pooled if count]
    ways, chosen = [], []
    for pick in product(*(range(count + 1) for count in counts)):
        if sum(pick) == k_sham:
            chosen.append(pick)
            ways.append(np.prod([float(comb(c, p)) for c, p in zip(counts, pick, strict=True)]))
    sham = np.array(chosen, dtype=np.int64)
    values = _distance(sham, np.array(counts, dtype=np.int64) - sham)
    distinct, index = np.unique(np.round(values, 12), return_inverse=True)
    chance = np.bincount(index.reshape(-1), np.array(ways), len(distinct))
    return distinct, chance / chance.sum()
