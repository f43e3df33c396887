"""The same questions probed twice: with fewer draws of one run, or by another run."""

from __future__ import annotations

from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from vidence.audits.agent_scores import Row, Scores, or_why, plain
from vidence.errors import UsageError
from vidence.seeds import rng_of
from vidence.stats import agreement, flip_effect, runs_mean, transition
from vidence.stats.flip_counts import FlipDraws

STEPS = (1, 2, 3, 5, 10, 20, 50)


def budgets_block(scores: Scores) -> Row:
    """Return signs and Delta at smaller budgets, nested in this one, and who moved between.

    The budgets are prefixes of the same draws, so their rows are not independent.
    """
    k = scores.run.k
    rows = []
    for less in (*(step for step in STEPS if step < k), k):
        effect = flip_effect(scores.draws.first(less).counts(), total=scores.eligible)
        signs = {name: plain(getattr(effect, name)) for name in ("negative", "tie", "positive")}
        rows.append({"k": less, "delta": plain(effect.delta), **signs})
    before = next((step for step in (3, 1) if step < k), None)
    if before is None:
        return {"rows": rows, "transition": {"why": "One draw a condition; nothing is nested."}}
    moved = or_why(
        lambda: transition(
            scores.draws.first(before).counts(), scores.counts, rng=scores.rng("transition")
        )
    )
    return {"rows": rows, "transition": {"from": before, "to": k, **moved}}


def agreement_block(found: dict[str, Scores]) -> Row | None:
    """Return how runs agree, pair by pair on the questions that both probed; None for one run."""
    if len(found) < 2:
        return None
    pairs = []
    for (first, one), (second, other) in combinations(found.items(), 2):
        facts = or_why(partial(compare_runs, one, other))
        pairs.append({"first": first, "second": second, **facts})
    return {"pairs": pairs, "runs": _replications(list(found.values()))}


def _replications(found: list[Scores]) -> Row | None:
    """Return mean and SD of Delta over runs of one agent; None where the agents differ."""
    if len({scores.run.facts["name"] for scores in found}) > 1:
        return None
    means = np.array([_mean(scores) for scores in found], dtype=np.float64)
    mean, spread = runs_mean(means[np.isfinite(means)])
    return {"mean": plain(mean), "sd": plain(spread)}


def _mean(scores: Scores) -> float:
    values = scores.counts.scores()
    return float(values.mean()) if len(values) else np.nan


def compare_runs(one: Scores, other: Scores) -> dict[str, Any]:
    """Return how two runs agree on the questions that both probed, and how many those are.

    Raises:
        UsageError: there is none.
    """
    place = {name: i for i, name in enumerate(other.records.ids)}
    mine = [i for i, name in enumerate(one.records.ids) if name in place]
    if not mine:
        raise UsageError("The runs have no question in common.")
    theirs = [place[one.records.ids[i]] for i in mine]
    videos = [one.records.clusters[i] for i in mine]
    counts = [
        FlipDraws.of(scores.draws.sham[at], scores.draws.destroy[at], videos).counts()
        for scores, at in ((one, mine), (other, theirs))
    ]
    rng = rng_of("agent report", "agreement", one.run.name, other.run.name)
    return {"questions": len(mine), **plain(agreement(counts[0], counts[1], rng=rng))}
