"""What the learner would reach if the keys had nothing to do with the texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from vidence.seeds import rng_of
from vidence.text.items import TextItems
from vidence.text.probability import expected_right
from vidence.text.ridge import Folded, fixed, padded
from vidence.text.tokens import plain

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_BLOCK = 64
_FAR = np.iinfo(np.int64).max // 2


Together = Literal["question", "video"]
"""What moves together when keys are drawn anew; see `redrawn`."""


@dataclass(frozen=True)
class Permutation:
    """The test of the learner against redrawn keys.

    Args:
        p: the larger of two, each (1 + how many redraws reach the observed gain) / (1 + redraws);
            None without redraws.
        permutations: redraws of each of the two.
        observed: gain over chance with the real keys, on the folds that the redraws use.
        null_mean: accuracy under redrawn keys, on average.
        null_high: accuracy that 5 % of the redraws exceed, the higher of the two.
    """

    p: float | None
    permutations: int
    observed: float
    null_mean: float | None
    null_high: float | None


def redrawn(
    items: TextItems, count: int, *, seed: int | str, together: Together = "question"
) -> Ints:
    """Return keys drawn anew, int [N, P].

    Each question's key becomes any of its options with equal probability, whatever their texts
    and places. By `question`, questions are independent, but for those of one video with the same
    words and the same options: these are one question asked several times, and their keys stay
    the same option or stay apart as they were. By `video`, the places of all keys of a video move
    on by the same number, so that keys which stand alike within a video still do.
    """
    rng = rng_of("text null", seed, together)
    counts = items.counts
    if together == "video":
        shift = rng.integers(0, _FAR, size=(int(items.clusters.max(initial=0)) + 1, count))
        moved: Ints = (items.gold[:, None] + shift[items.clusters]) % counts[:, None]
        return moved
    numbers: dict[tuple[object, ...], int] = {}
    group = np.zeros(len(items), dtype=np.int64)
    rank = np.zeros(len(items), dtype=np.int64)
    table = np.zeros((len(items), int(counts.max(initial=1))), dtype=np.int64)
    for i, (question, options) in enumerate(zip(items.questions, items.options, strict=True)):
        names = [(plain(text), text) for text in options]
        ranked = sorted(range(len(options)), key=lambda o: (names[o], o))
        key = (int(items.clusters[i]), plain(question), tuple(names[o] for o in ranked))
        group[i] = numbers.setdefault(key, len(numbers))
        rank[i] = ranked.index(int(items.gold[i]))
        table[i, : len(ranked)] = ranked
    shift = rng.integers(0, _FAR, size=(len(numbers), count))
    moved = (rank[:, None] + shift[group]) % counts[:, None]
    return np.take_along_axis(table, moved, axis=1)


def permuted(
    items: TextItems,
    folded: Folded,
    strengths: tuple[float, ...],
    observed: Floats,
    *,
    count: int,
    seed: int | str,
) -> Permutation:
    """Test the learner against keys drawn anew.

    Null: given all texts, places and videos, the key of a question is any of its options with
    equal probability; and either questions are independent, apart from a question repeated within
    a video, or keys of a video stand in places that depend on each other in any way that moving
    all of them on by the same number does not change. The test is made for both and the larger p
    is given, so that it holds under either. It is false if the texts tell the key, and also if
    keys prefer a place throughout. Features, folds and penalties are those of the real keys and
    are not chosen again. The statistic is the mean gain over chance, ties by expectation.

    Args:
        items: the questions [N].
        folded: one cut into folds.
        strengths: its penalties.
        observed: probability of being right with the real keys on that cut, [N].
        count: redraws; 0 gives no p.
        seed: names the redraws.
    """
    chance = 1 / items.counts
    gain = float((observed - chance).mean()) if len(items) else 0.0
    if not count or not len(items):
        return Permutation(None, 0, gain, None, None)
    level = float(chance.mean())
    draws: tuple[Together, ...] = ("question", "video")
    reached = [
        _reached(items, folded, strengths, redrawn(items, count, seed=seed, together=together))
        for together in draws
    ]
    at_least = max(int((one - level >= gain - 1e-12).sum()) for one in reached)
    return Permutation(
        p=(1 + at_least) / (1 + count),
        permutations=count,
        observed=gain,
        null_mean=float(np.mean(reached)),
        null_high=max(float(np.quantile(one, 0.95)) for one in reached),
    )


def _reached(items: TextItems, folded: Folded, strengths: tuple[float, ...], keys: Ints) -> Floats:
    """Return the held-out accuracy with each column of keys [N, P], [P]."""
    start = np.r_[0, np.cumsum(items.counts)]
    base = -np.repeat(1 / items.counts, items.counts)[:, None]
    reached = []
    for begin in range(0, keys.shape[1], _BLOCK):
        some = keys[:, begin : begin + _BLOCK]
        targets = base + np.zeros(some.shape[1])
        targets[start[:-1, None] + some, np.arange(some.shape[1])] += 1
        scores = padded(fixed(folded, targets, strengths), start, -np.inf)
        reached.append(expected_right(scores, some).mean(axis=0))
    return np.concatenate(reached)
