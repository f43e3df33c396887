"""Would it pay to hand low-scored questions to a fallback? Policies side by side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from vidence.audits.agent_scores import Row, Scores, or_why, plain
from vidence.stats import (
    CallCost,
    accuracy_at,
    at_most,
    below,
    control_harms,
    gain_difference,
    matched_random,
    prove_gain,
    risk_coverage,
    route,
    route_all,
    selective_risk,
    uplift_area,
    uplift_curve,
)
from vidence.stats.arrays import Bools, Floats, Ints
from vidence.stats.clusters import Clusters
from vidence.stats.routing import NO_ANSWER, Outcomes, Routing

NO_FALLBACK = (
    "Nobody was asked to answer instead of the agent. Name a member of the panel: "
    "vidence agent probe {folder} --fallback NAME."
)
NO_KEYS = "No question has a key, so nothing can be called a repair or a harm."
NO_SCORES = "No question with a key has a score, so no policy can read one."
HARMS = 0.05
"""Share of a new video's questions that a guaranteed threshold may harm."""
COVERAGES = (1.0, 0.9, 0.8, 0.7)
NORMAL = 1.959964
"""Standard deviations around the mean that hold 95 % of a normal law."""
POINTS = 101
"""Budgets at which the routing curve is written down."""


def routing_block(scores: Scores) -> Row:
    """Return every policy on one universe, its controls, and what can be promised of a threshold.

    The universe is all questions with a key: those probed, and those aside, which keep the agent's
    answer. A policy that reads a score leaves questions without one alone.
    """
    records, fallback = scores.records, scores.run.fallback
    if fallback is None:
        return {"why": NO_FALLBACK.format(folder=scores.run.folder)}
    if not records.keyed.any():
        return {"why": NO_KEYS}
    if not (scores.scored & records.keyed).any():
        return {"why": NO_SCORES}
    world = Universe(scores, fallback.codes(records.ids))
    policies = world.policies()
    rows = route_all(world.outcomes, policies)
    k = scores.run.k
    cost = CallCost.of_probe(k, float(records.items[records.keyed].mean()))
    again = CallCost(renderings=0.0, answers=float(k))
    pool = Pool(scores, world.outcomes)
    inclusive = policies["inclusive"]
    return {
        "fallback": fallback.name,
        "check": fallback.check,
        "universe": len(world.outcomes),
        "aside": len(records.aside),
        "answered": int((world.outcomes.fallback != NO_ANSWER).sum()),
        "rows": [
            {
                "policy": name,
                **_row(
                    rows[name],
                    again if name == "self_disagrees" else cost,
                    world.probed if name in policies else 0,
                ),
            }
            for name in ("never", *policies, "always", "oracle")
        ],
        "self_consistency": _facts(world.majority()),
        "against_always": plain(
            gain_difference(world.outcomes, inclusive, np.ones(len(inclusive), dtype=np.bool_))
        ),
        "controls": {
            name: pool.controls(policies[name], scores) for name in ("inclusive", "strict")
        },
        "curve": pool.curve(),
        "uplift": or_why(
            lambda: uplift_area(pool.values, pool.change, pool.groups, rng=scores.rng("uplift"))
        ),
        "qini": or_why(
            lambda: uplift_area(
                pool.values, pool.change, pool.groups, rng=scores.rng("qini"), normalised=True
            )
        ),
        "guarantees": {
            "harms": or_why(
                lambda: control_harms(pool.values, pool.change, pool.groups, alpha=HARMS)
            ),
            "gain": or_why(lambda: _gain(pool)),
        },
        "cost": {
            "renderings": cost.renderings,
            "answers": cost.answers,
            "probed": world.probed,
        },
    }


def selective_block(scores: Scores) -> Row:
    """Return how well the score ranks right answers before wrong ones, over keyed scored questions.

    Trust is the score: what depends on its evidence is kept first. Beside it the agreement of the
    `self` replays with the committed answer, and the agent's own confidence, each where all of
    these questions have it.
    """
    records = scores.records
    use = scores.scored & records.keyed
    if not use.any():
        return {"why": NO_SCORES}
    right, groups = records.right[use], records.groups.where(use)
    trusts: dict[str, Floats] = {"delta": scores.counts.where(records.keyed).scores()}
    flips = records.flips(scores.run.label("self"))[use]
    valid = (flips >= 0).sum(axis=1)
    if (valid > 0).all():
        trusts["self_agreement"] = (flips == 0).sum(axis=1) / valid
    known = np.isfinite(records.confidence[use])
    if known.all():
        trusts["confidence"] = records.confidence[use]
    return {
        "questions": int(use.sum()),
        "with_confidence": int(known.sum()),
        "scores": {name: _selective(scores, name, trust, right, groups)
                   for name, trust in trusts.items()},
    }  # fmt: skip


def _selective(scores: Scores, name: str, trust: Floats, right: Bools, groups: Clusters) -> Row:
    measures = {
        measure: plain(
            selective_risk(
                trust, right, groups, rng=scores.rng(f"{name} {measure}"), measure=measure
            )
        )
        for measure in ("aurc", "e_aurc", "augrc", "aurc_70")
    }
    accuracy = {
        f"{coverage:g}": plain(
            accuracy_at(trust, right, groups, coverage, rng=scores.rng(f"{name} at {coverage}"))
        )
        for coverage in COVERAGES
    }
    return {**measures, "accuracy_at": accuracy, "curve": _risk_points(trust, right)}


def _risk_points(trust: Floats, right: Bools) -> list[Row]:
    coverage, risk = risk_coverage(trust, right)
    at = np.unique(np.rint(np.linspace(0, len(risk) - 1, min(len(risk), POINTS))).astype(np.int64))
    return [{"coverage": float(coverage[i]), "accuracy": float(1 - risk[i])} for i in at]


class Universe:
    """All questions with a key: those probed first, then those aside.

    Args:
        scores: of the probe.
        codes: of the fallback for the questions probed, [N]: 1 right, 0 wrong, -1 no answer.
    """

    def __init__(self, scores: Scores, codes: Ints) -> None:
        records = scores.records
        self._scores = scores
        self._keyed = records.keyed
        videos, kept = zip(*records.aside.values(), strict=True) if records.aside else ((), ())
        self._aside = len(videos)
        self.labels = (*(records.clusters[i] for i in np.flatnonzero(self._keyed)), *videos)
        self.clusters = Clusters.of(self.labels)
        vanilla = np.concatenate([records.right[self._keyed], np.array(kept, dtype=np.bool_)])
        unasked = np.full(self._aside, NO_ANSWER, np.int64)
        self.outcomes = Outcomes.of(
            vanilla, np.concatenate([codes[self._keyed], unasked]), self.clusters
        )

    @property
    def probed(self) -> int:
        """Questions of the universe that were probed."""
        return int(self._keyed.sum())

    @property
    def ids(self) -> tuple[str, ...]:
        """Their names, in the order of `outcomes`."""
        records = self._scores.records
        return (*(records.ids[i] for i in np.flatnonzero(self._keyed)), *records.aside)

    @property
    def scored(self) -> Bools:
        """Whether each question has a score."""
        return self._wide(self._scores.scored[self._keyed])

    def policies(self) -> dict[str, Bools]:
        """Return the policies that read a score: name -> which questions it defers."""
        scores = self._scores
        mine = scores.counts.where(self._keyed)
        scored = self._wide(mine.scored)
        values = mine.scores()
        found = {"inclusive": at_most(values, scored), "strict": below(values, scored)}
        if scores.chance_positive is not None:
            among = self._keyed[scores.scored]
            found["posterior"] = at_most(scores.chance_positive[among], scored, 0.5)
        flips = scores.records.flips(scores.run.label("self"))[self._keyed]
        valid = (flips >= 0).sum(axis=1)
        if (valid > 0).any():
            agreed = np.asarray(2 * (flips == 0).sum(axis=1) < valid)
            found["self_disagrees"] = self._wide(agreed)
        return found

    def majority(self) -> Routing:
        """Return what the replays' own majority would change, no fallback asked.

        This is self-consistency: the most frequent answer of the `self` replays replaces the
        committed one; a tie keeps it.
        """
        records = self._scores.records
        chosen = records.chosen[self._scores.run.label("self")][self._keyed]
        committed = records.committed[self._keyed]
        most = max(1, int(records.options.max()))
        votes = (chosen[:, :, None] == np.arange(most)).sum(axis=1)
        top = votes.max(axis=1, keepdims=True)
        alone = ((votes == top).sum(axis=1) == 1) & (top[:, 0] > 0)
        winner = np.where(alone, votes.argmax(axis=1), committed)
        right = winner == records.gold[self._keyed]
        fallback = np.concatenate(
            [right.astype(np.int64), np.full(self._aside, NO_ANSWER, np.int64)]
        )
        outcomes = Outcomes.of(self.outcomes.vanilla, fallback, self.clusters)
        return route(outcomes, self._wide(np.asarray(winner != committed)))

    def _wide(self, mask: Bools) -> Bools:
        return np.concatenate([mask, np.zeros(self._aside, dtype=np.bool_)])


class Pool:
    """The questions that a score-reading policy chooses from: keyed, and scored.

    Args:
        scores: of the probe.
        outcomes: of the universe.
    """

    def __init__(self, scores: Scores, outcomes: Outcomes) -> None:
        records = scores.records
        mine = scores.counts.where(records.keyed)
        self._at = np.flatnonzero(mine.scored)
        self.values = mine.scores()
        self.change = outcomes.change[self._at]
        self.groups = outcomes.clusters.where(_mask(len(outcomes), self._at))
        self._items = records.items[records.keyed][self._at]

    def controls(self, deferred: Bools, scores: Scores) -> Mapping[str, Any]:
        """Return the policy beside random ones of its size, plain and within strata."""
        strata = {"plain": None, "video": self.groups, "evidence": Clusters.of(self._items)}
        return {
            name: plain(
                matched_random(
                    self.change, deferred[self._at], group, rng=scores.rng(f"control {name}")
                )
            )
            for name, group in strata.items()
        }

    def curve(self) -> list[Row]:
        """Return the expected net gain by budget, with the lines it has to be seen with."""
        found = uplift_curve(self.values, self.change)
        n = len(self.values)
        budgets = np.unique(np.rint(np.linspace(0, n, min(n + 1, POINTS))))
        budgets = np.unique(np.concatenate([budgets, found.deferred.astype(np.float64)]))
        # Of m drawn without replacement from n: variance m s^2 (n - m) / (n - 1).
        spread = NORMAL * np.sqrt(budgets * self.change.var() * (n - budgets) / max(1, n - 1))
        names = ("deferred", "score", "random", "low", "high", "oracle")
        mean = found.random(budgets)
        lines = (found.at(budgets), mean, mean - spread, mean + spread, found.oracle(budgets))
        return [
            dict(zip(names, map(float, point), strict=True))
            for point in zip(budgets, *lines, strict=True)
        ]


def _gain(pool: Pool) -> Row:
    found = prove_gain(pool.values, pool.change, pool.groups)
    return {
        "best": found.best,
        "proved": int(found.proved.sum()),
        "tried": len(found.thresholds),
        "p": float(found.p[0]) if len(found.p) else None,
        "delta": found.delta,
        "videos": found.videos,
    }


def _row(routing: Routing, cost: CallCost, probed: int) -> Row:
    """Return a policy's facts with its calls; the probe's are counted where a score is read."""
    calls = cost.calls(probed=probed, selected=routing.selected)
    per_call = cost.net_per_call(routing, probed=probed)
    return {**_facts(routing), "calls": calls, "net_per_call": per_call}


def _facts(routing: Routing) -> Row:
    return dict(plain(routing))


def _mask(n: int, at: Ints) -> Bools:
    mask = np.zeros(n, dtype=np.bool_)
    mask[at] = True
    return mask
