"""The tables of CARVE that are about routing, each computed from the records of any probe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import permutations

import numpy as np

from vidence.audits.agent_routing import NO_FALLBACK, NO_KEYS, Pool, Universe
from vidence.audits.agent_run import ProbedRun
from vidence.audits.agent_scores import Row, Scores, or_why, plain
from vidence.errors import UsageError
from vidence.stats import (
    accuracy_at,
    coarse_partial_risk,
    route,
    selective_difference,
    selective_risk,
    transfer,
    transition,
)
from vidence.stats.arrays import Bools, Floats
from vidence.stats.routing import NO_ANSWER, Outcomes, Routing

KEPT_AT = (1.0, 0.9, 0.7)
RULES = ("never", "strict", "inclusive")
"""The menu of `table_a5`: a tie goes to the one named first, which defers least."""


@dataclass(frozen=True, kw_only=True)
class Method:
    """Hold what another method made of the same questions.

    Args:
        right: question -> whether its final answer is the key; a question that is not there keeps
            the agent's own answer.
        tools, tokens: question -> what the method used, where it is known.
    """

    right: Mapping[str, bool]
    tools: Mapping[str, float] = field(default_factory=dict)
    tokens: Mapping[str, float] = field(default_factory=dict)


def table_3(run: ProbedRun) -> list[Row]:
    """The inclusive policy, its two strata, and random policies of its size.

    Returns:
        Rows of `policy`: `strict` (Delta < 0), `tie` (Delta = 0), `inclusive` with `selected`,
        `repairs`, `harms`, `net` and `yielded` (an estimate by video, net per deferred question);
        then `plain`, `video` and `evidence`, the matched controls, with `selected` and
        `matched_random`'s fields.

    Raises:
        UsageError: no fallback was asked, no question has a key, or none has a score.
    """
    scores, universe = _universe(run)
    policies = universe.policies()
    inclusive, strict = policies["inclusive"], policies["strict"]
    chosen = {"strict": strict, "tie": inclusive & ~strict, "inclusive": inclusive}
    rows = [{"policy": name, **_counts(universe.outcomes, mask)} for name, mask in chosen.items()]
    controls = Pool(scores, universe.outcomes).controls(inclusive, scores)
    return rows + [{"policy": name, **found} for name, found in controls.items()]


def table_4(run: ProbedRun, methods: Mapping[str, Method] | None = None) -> list[Row]:
    """Final accuracy by method on one universe, each paired with the agent's own answers.

    Args:
        methods: name -> what it made of the questions, such as a run that looked more.

    Returns:
        Rows of `method`: `vanilla`, those given, `self_consistency` (the majority of the replays
        of the logged words), `random` (inclusive's size) and `inclusive`; with `accuracy`, `gain`
        (estimates by video), `repairs`, `harms`, `p` (exact sign flips by video), `tools` and
        `tokens` (means, where known). The row `random` has the mean gain of random policies and
        the central 95 % of them, which is no confidence interval.

    Raises:
        UsageError: as `table_3`, or a method names a question that is not in the universe.
    """
    scores, universe = _universe(run)
    n = len(universe.outcomes)
    never = _paired(universe, np.zeros(n, dtype=np.bool_))
    rows: list[Row] = [{"method": "vanilla", "accuracy": never["accuracy"]}]
    taken = {"vanilla", "self_consistency", "random", "inclusive"} & set(methods or ())
    if taken:
        raise UsageError(f"{', '.join(sorted(taken))} name rows of the table; choose others.")
    for name, method in (methods or {}).items():
        outcomes = outcomes_of(universe, name, method)
        routed = route(outcomes, outcomes.fallback != NO_ANSWER)
        rows.append(
            {
                "method": name,
                **effects(routed),
                "tools": _mean(method.tools),
                "tokens": _mean(method.tokens),
            }
        )
    rows.append({"method": "self_consistency", **effects(universe.majority())})
    inclusive = universe.policies()["inclusive"]
    pool = Pool(scores, universe.outcomes)
    random = pool.controls(inclusive, scores)["plain"]
    gains = {name: random[name] / n for name in ("mean", "low", "high")}
    rows.append({"method": "random", "gain": gains, "selected": random["selected"]})
    rows.append({"method": "inclusive", **_paired(universe, inclusive)})
    return rows


def figure_2(run: ProbedRun, budgets: tuple[int, int] = (3, 10)) -> Row:
    """Where signs go when draws are added, and what the same rule then repairs.

    Returns:
        `transition`: `counts` [3, 3] (rows the sign at the smaller budget, columns at the larger:
        negative, tie, positive), `shares`, `left` (the non-ties that tie after), `inclusive`
        (Jaccard of Delta <= 0), `common`; `routing`: a row a budget, as in `table_3`, with `gain`.

    Raises:
        UsageError: a budget the run does not have; `routing` is then not computed either.
    """
    if len(budgets) != 2 or not budgets[0] < budgets[1]:
        raise UsageError(f"budgets = {budgets}; a smaller and a larger k are allowed.")
    few, many = (Scores(run.first(k)) for k in budgets)
    moved = transition(few.counts, many.counts, rng=many.rng("figure 2"))
    rows: list[Row] = []
    for k in budgets:
        _, universe = _universe(run.first(k))
        rows.append({"k": k, **_counts(universe.outcomes, universe.policies()["inclusive"])})
    return {"transition": plain(moved), "routing": rows}


def table_a4(run: ProbedRun, confidence: Mapping[str, float], name: str = "confidence") -> Row:
    """Selective prediction by Delta and by another score, on the questions that have both.

    Args:
        confidence: question -> the other score, more is more trusted.
        name: of the other score.

    Returns:
        `n`, and by score (`delta` and `name`): `accuracy_at` (coverage -> estimate), `aurc`,
        `aurc_70` (estimates), `coarse_70` (the trapezoid over 70, 90 and 100 %, as the paper's
        figures are made); `difference`: `aurc` and `aurc_70` of Delta minus the other, paired.

    Raises:
        UsageError: no question with a key has both scores.
    """
    scores = Scores(run)
    records = run.records
    known = np.array([qid in confidence for qid in records.ids], dtype=np.bool_)
    use = scores.scored & records.keyed & known
    if not use.any():
        raise UsageError(f"No question with a key has both a score and a {name}.")
    values: dict[str, Floats] = {
        "delta": scores.counts.where(records.keyed & known).scores(),
        name: np.array([confidence[records.ids[i]] for i in np.flatnonzero(use)]),
    }
    right, groups = records.right[use], records.groups.where(use)
    found: Row = {"n": int(use.sum())}
    for which, trust in values.items():
        at = {
            kept: accuracy_at(trust, right, groups, kept, rng=scores.rng(f"a4 {which} {kept}"))
            for kept in KEPT_AT
        }
        found[which] = {
            "accuracy_at": {f"{kept:g}": plain(estimate) for kept, estimate in at.items()},
            **{
                measure: plain(
                    selective_risk(
                        trust, right, groups, rng=scores.rng(f"a4 {which}"), measure=measure
                    )
                )
                for measure in ("aurc", "aurc_70")
            },
            "coarse_70": coarse_partial_risk(
                list(at), [float(estimate.value or 0.0) for estimate in at.values()]
            ),
        }
    found["difference"] = {
        measure: plain(
            selective_difference(
                values["delta"],
                values[name],
                right,
                groups,
                rng=scores.rng(f"a4 {measure}"),
                measure=measure,
            )
        )
        for measure in ("aurc", "aurc_70")
    }
    return found


def table_a5(source: ProbedRun, target: ProbedRun, *, splits: int = 400) -> Row:
    """Does a rule chosen on one answerer help another? Video-level splits of common questions.

    Args:
        source: chooses among `RULES`.
        target: the same questions by another answerer, with a fallback of its own.
        splits: of the videos into halves.

    Returns:
        `questions`, and the fields of `transfer`: gains with corrected intervals, their SD over
        splits (which is no standard error), the share of splits that chose each rule.

    Raises:
        UsageError: as `table_3` for either, no common question, or fewer than 4 videos.
    """
    (first, one), (_, other) = (_universe(run) for run in (source, target))
    both = set(_scored(one)) & set(_scored(other))
    if not both:
        raise UsageError(f"{source.name} and {target.name} have no scored question in common.")
    videos = {qid: label for qid, label in zip(one.ids, one.labels, strict=True) if qid in both}
    sides = [_among(universe, videos) for universe in (one, other)]
    made = transfer(*sides, rng=first.rng("table a5"), splits=splits)
    return {"questions": len(videos), **plain(made)}


def transfer_block(runs: Sequence[ProbedRun]) -> list[Row] | None:
    """Return `table_a5` for every ordered pair of runs with a fallback; None where there is none.

    Returns:
        Rows of `source`, `target` and `table_a5`'s fields, or why there is too little.
    """
    asked = [run for run in runs if run.fallback is not None]
    if len(asked) < 2:
        return None
    return [
        {"source": a.name, "target": b.name, **or_why(partial(_transferred, a, b))}
        for a, b in permutations(asked, 2)
    ]


def _transferred(source: ProbedRun, target: ProbedRun) -> Row:
    found = table_a5(source, target)
    gains = {"gain": found.pop("source"), "transferred": found.pop("target")}
    return {**gains, **found}


def _universe(run: ProbedRun) -> tuple[Scores, Universe]:
    scores = Scores(run)
    if run.fallback is None:
        raise UsageError(NO_FALLBACK.format(folder=run.folder))
    if not run.records.keyed.any():
        raise UsageError(NO_KEYS)
    return scores, Universe(scores, run.fallback.codes(run.records.ids))


def _counts(outcomes: Outcomes, mask: Bools) -> Row:
    routed = route(outcomes, mask)
    names = ("selected", "repairs", "harms", "net", "yielded", "accuracy", "gain")
    return {name: plain(getattr(routed, name)) for name in names}


def _paired(universe: Universe, mask: Bools) -> Row:
    return effects(route(universe.outcomes, mask))


def effects(routed: Routing) -> Row:
    """Return what a method changes: accuracy, gain, repairs, harms, p by video."""
    names = ("accuracy", "gain", "repairs", "harms")
    return {**{name: plain(getattr(routed, name)) for name in names}, "p": routed.gain_p}


def outcomes_of(universe: Universe, name: str, method: Method) -> Outcomes:
    """Return the agent's outcomes with a method's answers as the fallback.

    Raises:
        UsageError: the method answers a question that is not in the universe.
    """
    right = method.right
    strangers = sorted(set(right) - set(universe.ids))
    if strangers:
        raise UsageError(
            f"{name} answers {len(strangers)} questions that are not in the universe "
            f"({', '.join(strangers[:3])}); give answers of the keyed questions of this run."
        )
    codes = [NO_ANSWER if qid not in right else int(right[qid]) for qid in universe.ids]
    return Outcomes.of(universe.outcomes.vanilla, np.array(codes), universe.clusters)


def _scored(universe: Universe) -> list[str]:
    return [qid for qid, scored in zip(universe.ids, universe.scored, strict=True) if scored]


def _among(universe: Universe, videos: Mapping[str, str]) -> tuple[Outcomes, dict[str, Bools]]:
    """Return the outcomes and rules of some questions, in their order and under their videos."""
    place = {qid: i for i, qid in enumerate(universe.ids)}
    at = np.array([place[qid] for qid in videos])
    policies = {"never": np.zeros(len(universe.ids), dtype=np.bool_), **universe.policies()}
    outcomes = Outcomes.of(
        universe.outcomes.vanilla[at], universe.outcomes.fallback[at], list(videos.values())
    )
    return outcomes, {name: policies[name][at] for name in RULES}


def _mean(values: Mapping[str, float]) -> float | None:
    return float(np.mean(list(values.values()))) if values else None
