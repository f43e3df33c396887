"""A learner that sees the words of questions and options, and never a video."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from vidence.errors import UsageError
from vidence.stats import Estimate, mean_by_cluster
from vidence.stats.cross_validation import accuracy_of_procedure, gain_of_procedure
from vidence.text.features import Features, features_of
from vidence.text.items import TextItems
from vidence.text.null import Permutation, permuted
from vidence.text.probability import (
    Calibration,
    calibration,
    expected_right,
    sharpness_of,
    softmax,
)
from vidence.text.ridge import Folded, Held, folds_of, held_out, padded

if TYPE_CHECKING:
    from vidence.text.explain import Carrier, Family

Floats = NDArray[np.float64]

FEWEST_QUESTIONS = 20
METHOD = "held-out accuracy of a text learner"


@dataclass(frozen=True)
class LearnerSettings:
    """How the learner is taught and judged.

    Args:
        folds: parts of the videos; each is judged by a fit on the others.
        repeats: how often the videos are cut into folds.
        permutations: how often the keys are drawn anew for the test; 0 leaves it out.
        explain: whether to say what carries the learner.

    Raises:
        UsageError: fewer than 2 folds or 1 repeat, or a negative number of permutations.
    """

    folds: int = 5
    repeats: int = 3
    permutations: int = 1000
    explain: bool = True

    def __post_init__(self) -> None:
        for name, least in (("folds", 2), ("repeats", 1), ("permutations", 0)):
            if getattr(self, name) < least:
                raise UsageError(f"{name} = {getattr(self, name)} came; {least} or more is needed.")


@dataclass(frozen=True, eq=False)
class Learned:
    """What a learner reached on questions about videos that it was not taught on.

    Args:
        accuracy: share right; the mean over repeats of the cross-validation.
        chance: accuracy of a blind guess.
        over_chance: the difference of the two.
        permutation: the test against keys drawn anew, on the first repeat.
        right: probability of being right, ties by expectation, mean over repeats, [N].
        probability: held-out probability of the key, mean over repeats, [N].
        option_probability: the same for every option, [N, K], 0 beyond a question's options.
        calibration: how the probabilities fared.
        carriers: what tells the key, in words.
        families: what each family of features is worth.
        settings: how it was done.
        strengths: the penalties chosen, a row a repeat.
    """

    accuracy: Estimate
    chance: Estimate
    over_chance: Estimate
    permutation: Permutation
    right: Floats
    probability: Floats
    option_probability: Floats
    calibration: Calibration
    carriers: tuple[Carrier, ...]
    families: tuple[Family, ...]
    settings: LearnerSettings
    strengths: tuple[tuple[float, ...], ...] = ()


def learn(items: TextItems, *, seed: int | str, settings: LearnerSettings | None = None) -> Learned:
    """Teach a learner on the text of some videos' questions and judge it on the others.

    Method: ridge regression on features of each option beside the others of its question
    (`vidence.text.features`), cross-validated by video, the penalty chosen inside the training
    folds, the whole repeated with other folds. The option of the highest score is the answer;
    ties by expectation. The interval is that of `accuracy_of_procedure`.
    Fewer than 20 questions, or fewer videos than folds: nothing is taught, every option is as
    likely, and the estimates say why. n = 0: no number.

    Args:
        items: the questions.
        seed: names the folds and the redrawn keys.
        settings: how to teach and judge.
    """
    how = settings or LearnerSettings()
    chance = _chance(items)
    videos = len(np.unique(items.clusters))
    if why := _too_little(len(items), videos, how.folds):
        return _untaught(items, chance, why, how)
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):  # small matrices, and sums that do not hang on the machine
        return _taught(items, chance, how, seed)


def _taught(items: TextItems, chance: Estimate, how: LearnerSettings, seed: int | str) -> Learned:
    features = features_of(items)
    if features.matrix.shape[1] == 0:
        return _untaught(items, chance, "the options of every question are the same text", how)
    cuts, held = _teach(items, features, how, seed)
    scores = [padded(one.scores, features.start, -np.inf) for one in held]
    rights = np.stack([expected_right(score, items.gold) for score in scores])
    shares = np.mean(
        [_probabilities(items, features, cut, one) for cut, one in zip(cuts, held, strict=True)],
        axis=0,
    )
    right = rights.mean(axis=0)
    folds = [cut.folded for cut in cuts]
    strengths = [one.strengths for one in held]
    told = _told(items, features, folds[0], held[0], how)
    return Learned(
        accuracy=accuracy_of_procedure(right, items.clusters, folds=how.folds),
        chance=chance,
        over_chance=gain_of_procedure(right - 1 / items.counts, items.clusters, folds=how.folds),
        permutation=permuted(
            items, folds[0], strengths[0], rights[0], count=how.permutations, seed=seed
        ),
        right=right,
        probability=shares[np.arange(len(items)), items.gold],
        option_probability=shares,
        calibration=calibration(
            shares.max(axis=1),
            expected_right(np.where(shares > 0, shares, -np.inf), items.gold),
            items.clusters,
        ),
        carriers=told[0],
        families=told[1],
        settings=how,
        strengths=tuple(strengths),
    )


@dataclass(frozen=True, eq=False)
class _Cut:
    folded: Folded
    fold: NDArray[np.int64]


def _teach(
    items: TextItems, features: Features, how: LearnerSettings, seed: int | str
) -> tuple[list[_Cut], list[Held]]:
    targets = targets_of(items)
    cuts, held = [], []
    for repeat in range(how.repeats):
        fold = folds_of(items.clusters, how.folds, seed=seed, repeat=repeat)
        folded = Folded.of(features.matrix, fold[features.question], how.folds)
        cuts.append(_Cut(folded, fold))
        held.append(held_out(folded, targets))
    return cuts, held


def targets_of(items: TextItems) -> Floats:
    """Return 1 - 1/k for keys and -1/k for other options, [M]."""
    start = np.r_[0, np.cumsum(items.counts)]
    targets = -np.repeat(1 / items.counts, items.counts)
    targets[start[:-1] + items.gold] += 1
    return targets


def _probabilities(items: TextItems, features: Features, cut: _Cut, held: Held) -> Floats:
    """Return the held-out probability of every option, [N, K]."""
    scores = padded(held.scores, features.start, -np.inf)
    shares = np.zeros(scores.shape)
    for f, inner in enumerate(held.inner):
        mine = cut.fold == f
        taught = padded(np.nan_to_num(inner), features.start, -np.inf)[~mine]
        sharpness = sharpness_of(taught, items.gold[~mine])
        shares[mine] = softmax(scores[mine], sharpness)
    return shares


def _told(
    items: TextItems, features: Features, folded: Folded, held: Held, how: LearnerSettings
) -> tuple[tuple[Carrier, ...], tuple[Family, ...]]:
    if not how.explain:
        return (), ()
    from vidence.text.explain import carriers_of, families_of

    return carriers_of(items, features), families_of(items, features, folded, held)


def _chance(items: TextItems) -> Estimate:
    return mean_by_cluster(1 / items.counts, items.clusters, bounds=(0.0, 1.0))


def _too_little(questions: int, videos: int, folds: int) -> str | None:
    if questions == 0:
        return "no question has options and a key"
    if questions < FEWEST_QUESTIONS:
        return f"{questions} questions are too few to learn from; {FEWEST_QUESTIONS} are needed"
    if videos < folds:
        return f"{videos} videos cannot be cut into {folds} folds"
    return None


def _untaught(items: TextItems, chance: Estimate, why: str, how: LearnerSettings) -> Learned:
    there = np.arange(int(items.counts.max(initial=0))) < items.counts[:, None]
    shares = there / np.maximum(1, items.counts)[:, None]
    guess = 1 / items.counts
    nothing = Estimate.none(why, method=METHOD, total=len(items))
    return Learned(
        accuracy=nothing,
        chance=chance,
        over_chance=nothing,
        permutation=Permutation(None, 0, 0.0, None, None),
        right=guess,
        probability=guess,
        option_probability=shares,
        calibration=Calibration((), None),
        carriers=(),
        families=(),
        settings=how,
    )


__all__: Sequence[str] = ["Learned", "LearnerSettings", "learn", "targets_of"]
