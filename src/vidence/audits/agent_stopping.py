"""How many of the logged draws it would have taken to know each sign: a block of a report."""

from __future__ import annotations

from vidence.audits.agent_scores import CERTAIN, Row, Scores, plain
from vidence.stats import SignRule, e_stop, mean_by_cluster, proportion_by_cluster
from vidence.stats.sequential import Stopped

ALPHA = 0.05
"""Chance with which the anytime-valid rule may call a question whose conditions flip alike."""


def stopping_block(scores: Scores) -> list[Row]:
    """Return what two stopping rules would have spent and called, on the draws in their order.

    `posterior` stops a question once P(Delta > 0) leaves [0.1, 0.9] under the fitted prior;
    `e_value` once its sign is proved at any time one looks. A question that is not stopped has
    used all its draws. Nothing else in a report may be computed from draws stopped so.

    Returns:
        Rows of `rule`, `pairs` (mean pairs of draws a question) and `called` (share of questions),
        both estimates by video, and `most` (pairs there are); `posterior` only where the prior
        can be trusted with single signs (`vidence.audits.agent_scores.ENOUGH`).
    """
    found = {"e_value": e_stop(scores.draws, alpha=ALPHA)}
    if not isinstance(scores.fit, str) and scores.unsure is None:
        rule = SignRule(scores.fit.prior, CERTAIN, scores.run.k)
        found = {"posterior": rule.replay(scores.draws), **found}
    return [_row(scores, name, stopped) for name, stopped in found.items()]


def _row(scores: Scores, name: str, stopped: Stopped) -> Row:
    groups, most = scores.records.groups, scores.run.k
    pairs = mean_by_cluster(
        stopped.pairs.astype(float), groups, bounds=(0.0, float(most)), total=scores.eligible
    )
    called = proportion_by_cluster(stopped.call != 0, groups, total=scores.eligible)
    return {"rule": name, "most": most, "pairs": plain(pairs), "called": plain(called)}
