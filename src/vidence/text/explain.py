"""What carries a text learner, in the words of a benchmark's author."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vidence.stats import Estimate, difference_by_cluster, holm, mean_by_cluster
from vidence.text.features import FAMILIES, Features
from vidence.text.items import TextItems
from vidence.text.probability import expected_right
from vidence.text.ridge import Folded, Held, fixed, held_out, padded
from vidence.text.wording import MEASURES, taken_apart

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Family:
    """What a family of features is worth.

    Args:
        name: see `vidence.text.features.FAMILIES`.
        title: what it looks at.
        alone: held-out accuracy of a learner that has only these features.
        without: of one that has all others.
        drop: what is lost without them; paired, by video.
    """

    name: str
    title: str
    alone: Estimate
    without: Estimate
    drop: Estimate


@dataclass(frozen=True)
class Carrier:
    """One thing that tells right options from wrong ones.

    Args:
        name: of the feature.
        sentence: what was found, in words.
        effect: how much more often than by chance the options marked by it are right.
        share: of the questions, in how many it tells options apart.
        estimate: `effect`, with its interval.
    """

    name: str
    sentence: str
    effect: float
    share: float
    estimate: Estimate


def families_of(
    items: TextItems, features: Features, folded: Folded, held: Held
) -> tuple[Family, ...]:
    """Return what each family is worth, judged on the same folds.

    Without a family the penalties stay; alone it chooses its own.
    """
    from vidence.text.learner import targets_of

    targets = targets_of(items)
    kinds = np.array(features.families, dtype=object)
    whole = _right(held.scores, items, features)
    found = []
    for name, title in FAMILIES.items():
        mine = kinds == name
        if not mine.any():
            continue
        alone = held_out(folded.columns(np.flatnonzero(mine)), targets).scores
        rest = np.zeros((len(targets), 1))
        if not mine.all():
            rest = fixed(folded.columns(np.flatnonzero(~mine)), targets[:, None], held.strengths)
        without = _right(rest[:, 0], items, features)
        found.append(
            Family(
                name=name,
                title=title,
                alone=_share(_right(alone, items, features), items),
                without=_share(without, items),
                drop=difference_by_cluster(whole - without, items.clusters),
            )
        )
    return tuple(sorted(found, key=lambda family: -(family.drop.value or 0.0)))


_SAYS = {
    "longest": "the longest option is right",
    "shortest": "the shortest option is right",
    "absolute_word": "options with an absolute word (always, never, only, all ...) are right",
    "hedged_word": "options with a hedge (may, some, usually, likely ...) are right",
    "negation": "options with a negation are right",
    "all_or_none": "options like “all of the above” or “none of them” are right",
    "digits": "options with a digit are right",
    "full_stop": "options that end with a full stop are right",
    "capital": "options that begin with a capital are right",
    "lowest_number": "the lowest number is right",
    "highest_number": "the highest number is right",
    "most_like_question": "the option that shares most words with the question is right",
    "least_like_question": "the option that shares fewest words with the question is right",
    "most_like_others": "the option most like the other options is right",
    "least_like_others": "the option least like the other options is right",
    "middle_number": "the middle one of three or more numbers is right",
    "most_seen_elsewhere": "the option whose text is an option elsewhere most often is right",
    "least_seen_elsewhere": "the option whose text is an option elsewhere least often is right",
}
_EXTREMES = {
    "most_like_question": ("like_question", 1),
    "least_like_question": ("like_question", -1),
    "most_like_others": ("like_others", 1),
    "least_like_others": ("like_others", -1),
    "middle_number": ("middle_number", 1),
    "most_seen_elsewhere": ("seen_elsewhere", 1),
    "least_seen_elsewhere": ("seen_elsewhere", -1),
}
FEWEST_QUESTIONS = 20
MOST_CARRIERS = 12


def carriers_of(items: TextItems, features: Features) -> tuple[Carrier, ...]:
    """Return what marks right options, or wrong ones, more than chance does.

    A mark (being the longest, holding the word "only", standing first) picks some options of a
    question. Effect: over the questions in which it picks some options and not all, the share of
    keys that it picks minus the share expected by chance, the part of options that it picks.
    Kept are marks in 20 questions or more whose p, by a t test clustered by video, passes Holm's
    correction over all marks looked at, at 5 %; those that would move most questions come first.
    They are seen on the same keys that they describe: the learner's accuracy is held out, these
    figures are not, which is why so many are asked to pass together.
    """
    names, marks = _marks(items, features)
    effects = [_effect(items, features, mark) for mark in marks]
    found = [(name, one) for name, one in zip(names, effects, strict=True) if one is not None]
    corrected = holm([one.p for _, one in found])
    carriers = [
        _carrier(items, name, one)
        for (name, one), p in zip(found, corrected, strict=True)
        if p <= 0.05
    ]
    carriers.sort(key=lambda c: -abs(c.effect) * c.share)
    return tuple(carriers[:MOST_CARRIERS])


@dataclass(frozen=True)
class _Effect:
    picked: float
    expected: float
    n: int
    options: int
    p: float
    gain: Estimate


def _marks(items: TextItems, features: Features) -> tuple[list[str], list[Bools]]:
    """Return names of marks, and which rows each picks, bool [M]."""
    shown = taken_apart(items.questions, items.options, items.clusters.tolist())
    rows = int(features.start[-1])
    names: list[str] = []
    marks: list[Bools] = []

    def add(name: str, values: list[list[float]]) -> None:
        picked = np.fromiter((v > 0 for one in values for v in one), np.bool_, rows)
        names.append(name)
        marks.append(picked)

    for name in _SAYS:
        if name not in _EXTREMES:
            add(name, [MEASURES[name][1](one) for one in shown])
        else:
            measure, sign = _EXTREMES[name]
            scores = [[sign * v for v in MEASURES[measure][1](one)] for one in shown]
            add(name, [[float(v == max(s)) if min(s) < max(s) else 0.0 for v in s] for s in scores])
    place = np.arange(rows) - features.start[features.question]
    for position in range(int(items.counts.max(initial=0))):
        names.append(f"position {position}")
        marks.append(np.asarray(place == position))
    columns = features.words.tocsc()
    for word, column in zip(features.vocabulary, range(columns.shape[1]), strict=True):
        mark = np.zeros(rows, dtype=np.bool_)
        mark[columns.indices[columns.indptr[column] : columns.indptr[column + 1]]] = True
        names.append(f"word {word}")
        marks.append(mark)
    return names, marks


def _effect(items: TextItems, features: Features, mark: Bools) -> _Effect | None:
    counts = np.add.reduceat(mark, features.start[:-1], dtype=np.int64)
    where = np.flatnonzero((counts > 0) & (counts < items.counts))
    if len(where) < FEWEST_QUESTIONS or len(np.unique(items.clusters[where])) < 5:
        return None
    picked = mark[features.start[:-1] + items.gold][where].astype(np.float64)
    expected = counts[where] / items.counts[where]
    gain = difference_by_cluster(picked - expected, items.clusters[where])
    return _Effect(
        picked=float(picked.mean()),
        expected=float(expected.mean()),
        n=len(where),
        options=int(counts[where].sum()),
        p=_p(picked - expected, items.clusters[where]),
        gain=gain,
    )


def _p(gains: Floats, clusters: NDArray[np.int64]) -> float:
    """Return the two-sided p of a mean of zero, from sums by video."""
    from scipy.stats import t

    _, code = np.unique(clusters, return_inverse=True)
    sums = np.bincount(code, weights=gains)
    spread = float((sums**2).sum())
    if spread == 0:
        return 1.0
    count = len(sums)
    statistic = float(sums.sum()) / np.sqrt(spread * count / (count - 1))
    return float(2 * t.sf(abs(statistic), count - 1))


def _carrier(items: TextItems, name: str, found: _Effect) -> Carrier:
    kind, _, rest = name.partition(" ")
    what = _SAYS.get(name)
    if kind == "position":
        what = f"the option at place {int(rest) + 1} is right"
    elif kind == "word":
        what = f"options with “{rest}” hold the right one"
    times = f"{100 * found.picked:.0f} % of {found.n:,} questions"
    sentence = f"{what} in {times}; {100 * found.expected:.0f} % would be chance"
    return Carrier(
        name=name,
        sentence=sentence[0].upper() + sentence[1:],
        effect=found.picked - found.expected,
        share=found.n / len(items),
        estimate=found.gain,
    )


def _right(scores: Floats, items: TextItems, features: Features) -> Floats:
    return expected_right(padded(scores, features.start, -np.inf), items.gold)


def _share(right: Floats, items: TextItems) -> Estimate:
    return mean_by_cluster(right, items.clusters, bounds=(0.0, 1.0))
