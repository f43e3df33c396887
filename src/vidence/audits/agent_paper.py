"""The tables of CARVE that are about scores, each computed from the records of any probe.

Every function takes probed runs (`vidence.audits.agent_run.probed_runs`) and returns rows of plain
values and estimates. Tables of routing are in `vidence.audits.agent_paper_routing`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from vidence.audits.agent_budgets import compare_runs
from vidence.audits.agent_coverage import coverage_block
from vidence.audits.agent_run import ProbedRun
from vidence.audits.agent_scores import Row, Scores, plain
from vidence.errors import UsageError
from vidence.stats import flip_effect, homogeneous_signs, runs_mean, tie_excess
from vidence.stats.flip_counts import FLIPPED

SIGNS = ("negative", "tie", "positive")
NO_SPANS = (
    "{name} has no question with both an annotated span and a look whose place is known. Import "
    "its logs with --questions FILE, which holds the spans."
)


def table_1(runs: Sequence[ProbedRun]) -> list[Row]:
    """Aggregate behaviour over independent runs: mean and SD over runs, never pooled draws.

    Args:
        runs: probes of the same agent under other seeds; one alone has no SD and no interval.

    Returns:
        Rows of `metric` (`self`, `sham`, `destroy`: mean flip rates; `delta`; `negative`, `tie`,
        `positive`: shares of questions), `mean` (estimate over runs, `runs_mean`), `sd` (n - 1)
        and `runs` (a value a run).

    Raises:
        UsageError: no run, or a run without a score.
    """
    if not runs:
        raise UsageError("Table 1 needs at least one probed run.")
    kinds = {(run.facts["name"], run.records.answerer, run.k) for run in runs}
    if len(kinds) > 1:
        told = "; ".join(f"{name} by {answerer}, k = {k}" for name, answerer, k in sorted(kinds))
        raise UsageError(
            f"Table 1 is over independent runs of one agent with one k; there came {told}."
        )
    columns = [_aggregate(run) for run in runs]
    rows = []
    for metric in columns[0]:
        values = [column[metric] for column in columns]
        mean, spread = runs_mean(np.array(values))
        rows.append({"metric": metric, "mean": plain(mean), "sd": spread, "runs": values})
    return rows


def table_2(run: ProbedRun) -> Row:
    """Score by coverage and correctness, and what the score has to do with coverage.

    Returns:
        `cells`: the four cells, as `covered`, `correct`, `n`, `delta`; and `gap_of_right`,
        `spearman` (temporal recall), `spearman_iou`, `roc_auc`, `pr_auc`, `prevalence`, each an
        estimate by video, or `{"why": ...}` where there is too little.

    Raises:
        UsageError: no question has both a span and a look.
    """
    found = _coverage(run)
    names = ("gap_of_right", "spearman", "spearman_iou", "roc_auc", "pr_auc", "prevalence")
    cells = [
        {name: cell[name] for name in ("covered", "correct", "n", "delta")}
        for cell in found["cells"]
    ]
    return {"cells": cells, **{name: found[name] for name in names}}


def table_a1(runs: Sequence[ProbedRun]) -> list[Row]:
    """Agreement of every pair of runs on the questions that both scored.

    Returns:
        Rows of `first`, `second`, `questions`, and as estimates `pearson`, `sign`, `strict`
        (Jaccard of Delta < 0: the paper's trigger sets) and `inclusive`.

    Raises:
        UsageError: fewer than two runs, or two without a common question.
    """
    if len(runs) < 2:
        raise UsageError(f"{len(runs)} run: agreement takes two or more probes of one agent.")
    scores = [Scores(run) for run in runs]
    return [
        {"first": a.run.name, "second": b.run.name, **compare_runs(a, b)}
        for a, b in combinations(scores, 2)
    ]


def table_a2(run: ProbedRun, budgets: Sequence[int] = (3, 10)) -> list[Row]:
    """Signs of the score at nested budgets, beside what the pooled rates alone would give.

    Args:
        budgets: draws a condition, each at most the run's; prefixes of the same draws.

    Returns:
        A row a budget: `k`, `n` (scored), `observed` and `homogeneous` (shares of `SIGNS`; the
        observed ones as estimates), `excess` (observed minus predicted ties, an estimate) and
        `change` (observed minus the row before, None in the first).

    Raises:
        UsageError: a budget the run does not have, or no scored question.
    """
    rows: list[Row] = []
    for k in budgets:
        scores = Scores(run.first(k))
        effect = flip_effect(scores.counts, total=scores.eligible)
        observed = {name: getattr(effect, name) for name in SIGNS}
        before = rows[-1]["observed"] if rows else None
        rows.append(
            {
                "k": k,
                "n": int(scores.scored.sum()),
                "homogeneous": homogeneous_signs(scores.counts),
                "observed": plain(observed),
                "excess": plain(tie_excess(scores.counts, rng=scores.rng("table a2"))),
                "change": None
                if before is None
                else {name: observed[name].value - before[name]["value"] for name in SIGNS},
            }
        )
    return rows


def table_a3(run: ProbedRun, budgets: Sequence[int] = (3, 10)) -> list[Row]:
    """The score's two components by coverage and correctness, at nested budgets.

    Returns:
        Rows of `k`, `covered`, `correct`, `n`, and `sham` and `destroy` as estimates by video.

    Raises:
        UsageError: a budget the run does not have, or no question with a span and a look.
    """
    names = ("covered", "correct", "n", "sham", "destroy")
    return [
        {"k": k, **{name: cell[name] for name in names}}
        for k in budgets
        for cell in _coverage(run.first(k))["cells"]
    ]


def _aggregate(run: ProbedRun) -> dict[str, float]:
    scores = Scores(run)
    if not scores.scored.any():
        raise UsageError(f"{run.name} has no scored question; nothing is averaged.")
    effect = flip_effect(scores.counts)
    flips = run.records.flips(run.label("self"))
    valid = (flips >= 0).sum(axis=1)
    own = (flips == FLIPPED).sum(axis=1)[valid > 0] / valid[valid > 0]
    found: dict[str, Any] = {
        "self": float(own.mean()) if len(own) else np.nan,
        **{name: getattr(effect, name).value for name in ("sham", "destroy", "delta", *SIGNS)},
    }
    return {name: float(value) for name, value in found.items()}


def _coverage(run: ProbedRun) -> Row:
    found = coverage_block(Scores(run))
    if found is None:
        raise UsageError(NO_SPANS.format(name=run.name))
    return found
