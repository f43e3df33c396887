"""Should a question go to the fallback? What a policy repairs, what it harms, what it costs.

Every question has the vanilla answer's correctness y and, where the fallback gave a valid answer,
the fallback's correctness f; an invalid fallback keeps the vanilla answer. A policy is a set of
questions that are deferred. The change is x = f - y: a repair is +1, a harm is -1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from vidence.errors import UsageError
from vidence.stats.arrays import Bools, Floats, Ints, as_flags, as_numbers, as_whole, same_length
from vidence.stats.clusters import Clusters
from vidence.stats.estimate import Estimate
from vidence.stats.intervals import Labels, difference_by_cluster, proportion_by_cluster
from vidence.stats.paired import sign_flip_p

NO_ANSWER = -1
REFERENCE_ROWS = ("never", "always", "oracle")


@dataclass(frozen=True, eq=False)
class Outcomes:
    """Hold right and wrong under both answerers.

    Args:
        vanilla: bool [N].
        fallback: int [N] of 1 (right), 0 (wrong) and `NO_ANSWER`.
        clusters: the video of each question.
    """

    vanilla: Bools
    fallback: Ints
    clusters: Clusters

    @classmethod
    def of(cls, vanilla: ArrayLike, fallback: ArrayLike, clusters: Labels) -> Outcomes:
        """Return checked outcomes.

        Raises:
            UsageError: a fallback code other than 1, 0, -1, or lengths that differ.
        """
        right, codes = as_flags("vanilla", vanilla), as_whole("fallback", _plain(fallback))
        groups = Clusters.of(clusters)
        same_length(vanilla=len(right), fallback=len(codes), clusters=len(groups))
        if ((codes < NO_ANSWER) | (codes > 1)).any():
            raise UsageError("fallback: 1 (right), 0 (wrong) and -1 (no valid answer) are allowed.")
        return cls(right, codes, groups)

    def __len__(self) -> int:
        return len(self.vanilla)

    @property
    def change(self) -> Ints:
        """The change x = f - y in {-1, 0, 1}, [N]; 0 where the fallback gave no valid answer."""
        x = self.fallback - self.vanilla.astype(np.int64)
        return np.where(self.fallback == NO_ANSWER, 0, x)


@dataclass(frozen=True, slots=True)
class Routing:
    """Hold what one policy does, over all N questions.

    `net` / `selected` is the yield; times 100 it is net repairs per 100 fallback calls. The yield
    splits exactly into `changed` x (2 `repair_share` - 1): how often correctness changes at all,
    and which way.

    Args:
        selected: deferred questions; `kept`: those of them whose fallback gave no valid answer.
        repairs, harms, net: counts.
        accuracy: share right after routing.
        gain: accuracy minus vanilla accuracy, paired and by video.
        gain_p: exact sign-flip p value of the gain, by video.
        yielded: net per deferred question, by video.
        changed: share of the deferred whose correctness changes.
        repair_share: share of repairs among those changes.
    """

    selected: int
    kept: int
    repairs: int
    harms: int
    net: int
    accuracy: Estimate
    gain: Estimate
    gain_p: float
    yielded: Estimate
    changed: Estimate
    repair_share: Estimate


def route(
    outcomes: Outcomes, deferred: ArrayLike, *, level: float = 0.95, total: int | None = None
) -> Routing:
    """Work out one policy.

    Formula: with S the deferred questions, repairs = #{S: x = 1}, harms = #{S: x = -1}, gain =
    net / N as the mean of x 1[S] over all N (`difference_by_cluster`), yield = net / |S| as the
    mean of x over S. Source: CARVE, section 6.4. Assumes that the deferred set does not depend on
    these outcomes: a set that was chosen on them looks better than it is.
    Nothing deferred: gain 0 with an interval, yield without a number.

    Args:
        deferred: booleans [N].
        total: questions of the benchmark; None means N.
    """
    mask = as_flags("deferred", deferred)
    same_length(outcomes=len(outcomes), deferred=len(mask))
    x, groups = outcomes.change, outcomes.clusters
    moved = np.where(mask, x, 0)
    after = outcomes.vanilla.astype(np.int64) + moved
    inside, altered = groups.where(mask), mask & (x != 0)
    repairs, harms = int((moved > 0).sum()), int((moved < 0).sum())
    selected = int(mask.sum())
    return Routing(
        selected=selected,
        kept=int((mask & (outcomes.fallback == NO_ANSWER)).sum()),
        repairs=repairs,
        harms=harms,
        net=repairs - harms,
        accuracy=proportion_by_cluster(after.astype(np.bool_), groups, level=level, total=total),
        gain=difference_by_cluster(moved, groups, level=level, total=total),
        gain_p=sign_flip_p(after, outcomes.vanilla, groups),
        yielded=difference_by_cluster(x[mask], inside, level=level),
        changed=proportion_by_cluster(x[mask] != 0, inside, level=level),
        repair_share=proportion_by_cluster(x[altered] > 0, groups.where(altered), level=level),
    )


def route_all(
    outcomes: Outcomes,
    policies: Mapping[str, ArrayLike],
    *,
    level: float = 0.95,
    total: int | None = None,
) -> dict[str, Routing]:
    """Work out policies beside the three that always have to be seen.

    `never` defers nothing, `always` everything, `oracle` exactly the repairs: no policy on the
    same fallback does better. A policy that loses to `always` has not been worth its probe.

    Raises:
        UsageError: a policy that is called like one of the three.
    """
    taken = sorted(set(policies) & set(REFERENCE_ROWS))
    if taken:
        raise UsageError(f"The names {', '.join(taken)} are always computed; choose others.")
    n = len(outcomes)
    rows: dict[str, ArrayLike] = {
        "never": np.zeros(n, dtype=np.bool_),
        "always": np.ones(n, dtype=np.bool_),
        "oracle": outcomes.change > 0,
        **policies,
    }
    return {name: route(outcomes, mask, level=level, total=total) for name, mask in rows.items()}


def gain_difference(
    outcomes: Outcomes, first: ArrayLike, second: ArrayLike, *, level: float = 0.95
) -> Estimate:
    """Estimate the accuracy of the first policy minus that of the second, paired and by video.

    Formula: mean of x (1[S1] - 1[S2]), `difference_by_cluster`. Two intervals that overlap say
    nothing about this difference; where the policies agree it has no noise at all.
    """
    a, b = as_flags("first", first), as_flags("second", second)
    same_length(outcomes=len(outcomes), first=len(a), second=len(b))
    moved = outcomes.change * (a.astype(np.int64) - b.astype(np.int64))
    return difference_by_cluster(moved, outcomes.clusters, level=level)


def at_most(scores: ArrayLike, scored: ArrayLike, threshold: float = 0.0) -> Bools:
    """Return which questions have a score of at most the threshold: at 0 the inclusive policy.

    Args:
        scores: the scored questions' scores, [M].
        scored: booleans [N] with M true; a question without a score keeps the vanilla answer.
    """
    chosen, values = _placed(scores, scored)
    chosen[chosen] = values <= threshold
    return chosen


def below(scores: ArrayLike, scored: ArrayLike, threshold: float = 0.0) -> Bools:
    """Return which questions have a score below the threshold: at 0 the strict policy."""
    chosen, values = _placed(scores, scored)
    chosen[chosen] = values < threshold
    return chosen


@dataclass(frozen=True, slots=True, kw_only=True)
class CallCost:
    """Hold the calls behind a policy, by what they are.

    Args:
        renderings, answers: the probe's calls per probed question.
        fallback: calls per deferred question.
    """

    renderings: float
    answers: float
    fallback: float = 1.0

    @classmethod
    def of_probe(cls, k: int, items: float, *, fallback: float = 1.0) -> CallCost:
        """Return the cost of k draws of two conditions with `items` evidence items a question.

        Formula: 2 k items renderings and 2 k answers: 16.16 and 6 at k = 3 and 2.693 items.
        """
        return cls(renderings=2 * k * items, answers=2.0 * k, fallback=fallback)

    def calls(self, *, probed: int, selected: int) -> float:
        """Return all calls of a policy: the probe's for every probed question, and the fallback's.

        A policy that reads no score, such as always, has probed = 0.
        """
        return probed * (self.renderings + self.answers) + selected * self.fallback

    def net_per_call(self, routing: Routing, *, probed: int) -> float | None:
        """Return net repairs per call, the probe's own calls counted; None without a call."""
        calls = self.calls(probed=probed, selected=routing.selected)
        return routing.net / calls if calls else None


def _placed(scores: ArrayLike, scored: ArrayLike) -> tuple[Bools, Floats]:
    values, mask = as_numbers("scores", scores), as_flags("scored", scored)
    if len(values) != int(mask.sum()):
        raise UsageError(f"{len(values)} scores for {int(mask.sum())} scored questions.")
    return mask.copy(), values


def _plain(codes: ArrayLike) -> ArrayLike:
    """Take booleans as 0 and 1, which is what a fallback without invalid answers is."""
    array = np.asarray(codes)
    return array.astype(np.int64) if array.dtype.kind == "b" else codes
