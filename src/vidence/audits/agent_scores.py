"""What a probe's scores say on the whole, and what each can resolve: blocks of its report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import partial
from typing import Any

import numpy as np

from vidence.audits.agent_records import AgentRecords
from vidence.audits.agent_run import ProbedRun
from vidence.errors import UsageError
from vidence.seeds import rng_of
from vidence.stats import (
    Replies,
    condition_accuracy,
    delta_law,
    discoveries,
    draw_order,
    energy_effect,
    exact_p,
    expected_at,
    fit_flips,
    flip_effect,
    homogeneous_signs,
    least_p,
    mean_by_cluster,
    posterior,
    proportion_by_cluster,
    replays_for_reliability,
    retention,
    score_spread,
    split_half,
    tie_excess,
)
from vidence.stats.arrays import Bools
from vidence.stats.clusters import Clusters
from vidence.stats.estimate import Estimate
from vidence.stats.flip_counts import FLIPPED, INVALID, UNDRAWN, FlipCounts, FlipDraws
from vidence.stats.heterogeneity_fit import FlipFit

Row = dict[str, Any]
CERTAIN = 0.9
"""Posterior probability from which a question's sign counts as known."""
TARGETS = (0.8, 0.9, 0.95)
"""Reliabilities for which the report says how many draws they take."""
ENOUGH = 100
"""Scored questions from which single signs are called though no effect is shown on the whole.

Where destroying changes nothing in any question, the posterior calls about 33 % of signs at 24
questions, 16 % at 60 and 5 % at 100; where it does change answers, 3 or 4 % of its calls are wrong
at any of these sizes (`benchmarks/sign_calls.py`).
"""
TOO_FEW = (
    "{n} questions have a score, and no effect is shown on the whole; below {enough} the fitted "
    "prior is too uncertain itself to say of single questions which way they go."
)
ALIKE = (
    "Questions are not shown to differ: one pair of flip rates for all fits best. What is known of "
    "a single question's sign is then what is known of the mean."
)
SIGNS = ("negative", "tie", "positive")


def plain(value: Any) -> Any:
    """Return statistics as plain values: estimates by `to_json`, arrays as lists, NaN as None."""
    if isinstance(value, Estimate):
        return value.to_json()
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, np.ndarray):
        return [plain(item) for item in value.tolist()]
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value


def or_why(make: Callable[[], Any]) -> Any:
    """Return what `make` makes as plain values, or `{"why": ...}` where there is too little."""
    try:
        return plain(make())
    except UsageError as error:
        return {"why": str(error)}


class Scores:
    """The scores of one probed run, worked out once.

    Args:
        run: the probe.
    """

    def __init__(self, run: ProbedRun) -> None:
        self.run = run
        self.records: AgentRecords = run.records
        self.draws: FlipDraws = run.draws()
        self.counts: FlipCounts = self.draws.counts()
        self.scored: Bools = self.counts.scored
        self.fit: FlipFit | str = _fit(self.counts)
        self.unsure = _unsure(self.fit, self.counts)
        self.chance_positive = None
        if not isinstance(self.fit, str) and self.unsure is None:
            self.chance_positive = posterior(self.counts, self.fit.prior).positive

    def blocks(self) -> Row:
        """Return the parts of a report that need the replays alone."""
        counts = self.counts
        effect = flip_effect(counts, total=self.eligible)
        return {
            "delta": effect.delta.to_json(),
            "effect": {
                name: plain(getattr(effect, name))
                for name in (
                    *("sham", "destroy", "sham_invalid", "destroy_invalid"),
                    *("invalid_difference", "lowest", "highest"),
                )
            },
            "signs": self._signs({name: getattr(effect, name) for name in SIGNS}),
            "distribution": self._distribution(),
            "ladder": [self._rung(label) for label in self.records.chosen],
            "noise": self._noise(),
            "resolved": self._resolved(),
            "fit": {"why": self.fit} if isinstance(self.fit, str) else _fit_words(self.fit),
            "reliability": self._reliability(),
            "discoveries": self._discoveries(),
            "energy": or_why(self._energy),
            "order": {
                name: or_why(partial(draw_order, self._flips(self.run.label(name))))
                for name in ("sham", "destroy")
            },
        }

    @property
    def eligible(self) -> int:
        """Questions that could be probed."""
        return int(self.run.facts["counts"]["eligible"])

    def rng(self, what: str) -> np.random.Generator:
        """Return the generator of one figure; figures do not depend on each other's order."""
        return rng_of("agent report", self.run.config.get("seed", 0), what)

    def _flips(self, label: str) -> Any:
        return self.records.flips(label)

    def _signs(self, found: dict[str, Estimate]) -> Row:
        if not self.scored.any():
            return {**plain(found), "homogeneous": None, "fitted": None, "tie_excess": None}
        fitted = None
        if not isinstance(self.fit, str):
            fitted = dict(zip(SIGNS, self.fit.prior.signs(self.run.k), strict=True))
        return {
            **plain(found),
            "homogeneous": plain(homogeneous_signs(self.counts)),
            "fitted": plain(fitted),
            "tie_excess": plain(tie_excess(self.counts, rng=self.rng("tie excess"))),
        }

    def _distribution(self) -> list[Row]:
        """Count scores on the lattice of width 1/k, beside what the pooled rates would give."""
        k = self.run.k
        if not self.scored.any():
            return []
        at = np.rint(self.counts.scores() * k).astype(np.int64)
        sham, destroy = (float(rates.mean()) for rates in self.counts.rates())
        law = delta_law(sham, destroy, k)
        chance = dict(zip(law.numerators.tolist(), law.chance.tolist(), strict=True))
        scale = law.denominator // k
        return [
            {
                "score": m / k,
                "n": int((at == m).sum()),
                "homogeneous": len(at) * chance.get(m * scale, 0.0),
            }
            for m in range(-k, k + 1)
        ]

    def _rung(self, label: str) -> Row:
        records = self.records
        chosen = records.chosen[label]
        codes = np.where(chosen == UNDRAWN, INVALID, chosen)
        keyed, groups = records.keyed, records.groups
        flips = self._flips(label)
        asked = (flips > UNDRAWN).any(axis=1)
        lost = (flips == INVALID).sum(axis=1)[asked] / (flips > UNDRAWN).sum(axis=1)[asked]
        return {
            "check": label,
            "role": next((n for n, v in self.run.facts["checks"].items() if v == label), None),
            "flips": self._rate(label),
            "accuracy": plain(
                condition_accuracy(codes[keyed], records.gold[keyed], groups.where(keyed))
            ),
            "kept": plain(retention(codes, records.committed, records.right, groups)),
            "invalid": plain(
                mean_by_cluster(lost, groups.where(asked), bounds=(0.0, 1.0), total=len(records))
            ),
        }

    def _rate(self, label: str) -> Row:
        flips = self._flips(label)
        valid = (flips >= 0).sum(axis=1)
        known = valid > 0
        rates = (flips == FLIPPED).sum(axis=1)[known] / valid[known]
        groups: Clusters = self.records.groups.where(known)
        return dict(
            plain(mean_by_cluster(rates, groups, bounds=(0.0, 1.0), total=len(self.records)))
        )

    def _noise(self) -> Row:
        """Split the flips: the answerer's own, what the renderer adds, what destruction adds."""
        steps = {"renderer": ("self", "sham"), "effect": ("sham", "destroy")}
        found = {
            name: plain(
                flip_effect(
                    self.records.draws(self.run.label(low), self.run.label(high)).counts(),
                    total=len(self.records),
                ).delta
            )
            for name, (low, high) in steps.items()
        }
        return {"answerer": self._rate(self.run.label("self")), **found}

    def _resolved(self) -> Row:
        if self.chance_positive is None:
            return {"why": self.unsure}
        sure = self.chance_positive
        groups = self.counts.clusters.where(self.scored)
        known = {
            "share": (sure >= CERTAIN) | (sure <= 1 - CERTAIN),
            "positive": sure >= CERTAIN,
            "negative": sure <= 1 - CERTAIN,
        }
        return {
            "certainty": CERTAIN,
            **{
                name: plain(proportion_by_cluster(mask, groups, total=self.eligible))
                for name, mask in known.items()
            },
        }

    def _reliability(self) -> Row:
        single = score_spread(self.counts, rng=self.rng("score spread")).single
        value = single.value
        needed = {
            str(target): None
            if value is None or not 0 < value < 1
            else replays_for_reliability(target, value)
            for target in TARGETS
        }
        halves = or_why(lambda: split_half(self.draws, rng=self.rng("split half")))
        expected = None
        if not isinstance(self.fit, str):
            expected = expected_at(self.fit.prior, self.run.k)
        return {
            "single": plain(single),
            "split_half": halves,
            "needed": plain(needed),
            "expected": plain(expected),
        }

    def _discoveries(self) -> Row:
        scored = self.counts.where(self.scored)
        found = discoveries(exact_p(scored), least_p(scored))
        return {
            "named": int(found.named.sum()),
            "of": len(scored),
            "rate": found.rate,
            "needed": found.needed,
            "powerless": found.powerless,
            "sentence": found.sentence,
        }

    def _energy(self) -> Row:
        if self.run.k < 2:
            raise UsageError("One draw a condition: how far two distributions lie apart is not "
                             "told from noise. Draw k >= 2.")  # fmt: skip
        codes = [
            np.where(chosen == UNDRAWN, INVALID, chosen)
            for chosen in (
                self.records.chosen[self.run.label("sham")],
                self.records.chosen[self.run.label("destroy")],
            )
        ]
        found = energy_effect(
            Replies.of(codes[0], codes[1], self.records.groups), rng=self.rng("energy")
        )
        return {"mean": found.mean.to_json(), "p": found.p}


def _fit(counts: FlipCounts) -> FlipFit | str:
    try:
        return fit_flips(counts)
    except UsageError as error:
        return str(error)


def _unsure(fit: FlipFit | str, counts: FlipCounts) -> str | None:
    """Return why nothing is said about single questions' signs; None where something may be."""
    if isinstance(fit, str):
        return fit
    if fit.best == "homogeneous":
        return ALIKE
    delta, scored = flip_effect(counts).delta, int(counts.scored.sum())
    shown = delta.low is not None and delta.high is not None and not delta.low <= 0 <= delta.high
    return None if shown or scored >= ENOUGH else TOO_FEW.format(n=scored, enough=ENOUGH)


def _fit_words(fit: FlipFit) -> Row:
    spread, noise = fit.prior.moments()
    return {
        "best": fit.best,
        "estimates": plain(fit.estimates),
        "edge": list(fit.edge),
        "models": plain(fit.models),
        "spread": spread,
        "noise": noise,
    }
