"""How many draws, and of what: replays for a sign, a test, a ranking or an average."""

from __future__ import annotations

import math
from dataclasses import dataclass

from vidence.errors import UsageError
from vidence.stats.binomial_difference import delta_law
from vidence.stats.exact_tests import ExactTest, exact_power
from vidence.stats.heterogeneity import FlipPrior

MOST_REPLAYS = 200


def sign_power(sham: float, destroy: float, k: int) -> float:
    """Return the probability that k draws a condition show the true sign, ties not counted.

    With equal rates there is no sign to show, and the probability is that of a tie.
    """
    law = delta_law(sham, destroy, k)
    if destroy == sham:
        return law.tie
    return law.positive if destroy > sham else law.negative


def replays_for_sign(
    sham: float, destroy: float, power: float = 0.9, *, most: int = MOST_REPLAYS
) -> int | None:
    """Return the least k from which on the true sign shows with `power`; None above `most`.

    Formula: P(D > 0) of the exact law (P(D < 0) where destroy flips less). It is no test: a sign
    may be right as often and still not differ significantly from zero.

    Raises:
        UsageError: equal rates, which no number of draws can tell apart, or power outside (0, 1).
    """
    _check_power(power)
    if sham == destroy:
        raise UsageError(f"Both rates are {sham}; there is no sign that draws could show.")
    found = None
    for k in range(most, 0, -1):
        if sign_power(sham, destroy, k) < power:
            break
        found = k
    return found


def replays_for_test(
    sham: float,
    destroy: float,
    power: float = 0.8,
    *,
    alpha: float = 0.05,
    test: ExactTest = "boschloo",
    most: int = 80,
) -> int | None:
    """Return the least k at which the one-sided exact test of one question has `power`.

    Formula: `exact_power`, walked upwards; power jumps with k, so a slightly larger k can have
    slightly less. None if more than `most` draws a condition are needed.

    Raises:
        UsageError: destroy not above sham, or power outside (0, 1).
    """
    _check_power(power)
    if destroy <= sham:
        raise UsageError(f"destroy = {destroy} is not above sham = {sham}; there is no effect.")
    for k in range(1, most + 1):
        if exact_power(sham, destroy, k, alpha=alpha, test=test) >= power:
            return k
    return None


def replays_for_reliability(target: float, single: float) -> float:
    """Return the draws a condition at which scores reach a target reliability.

    Formula: Spearman-Brown solved for k: k = rho (1 - r1) / (r1 (1 - rho)), r1 the reliability of
    one draw. Not rounded: 9.4 says that 9 fall short.

    Args:
        target: rho, inside (0, 1).
        single: r1, from `score_spread`, `split_half` or `FlipPrior.reliability(1)`.

    Raises:
        UsageError: either outside (0, 1).
    """
    if not (0 < target < 1 and 0 < single < 1):
        raise UsageError(f"target = {target}, single = {single}; both must lie inside (0, 1).")
    return target * (1 - single) / (single * (1 - target))


def expected_at(prior: FlipPrior, k: int) -> dict[str, float]:
    """Return what k draws do for questions of a fitted prior: shares and agreement expected.

    Keys: negative, tie, positive, reliability, sign_agreement (two runs), same_side (both runs on
    the same side of the inclusive threshold).
    """
    negative, tie, positive = prior.signs(k)
    again = prior.repeat(k)
    return {
        "negative": negative,
        "tie": tie,
        "positive": positive,
        "reliability": prior.reliability(k),
        "sign_agreement": float(again.trace()),
        "same_side": float(again[:2, :2].sum() + again[2, 2]),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeDesign:
    """Hold a plan: n questions, k draws a condition.

    Args:
        questions, k: the plan.
        error: standard error of the mean score.
        reliability: of a question's score.
        cost: in the unit of the costs given.
    """

    questions: int
    k: int
    error: float
    reliability: float
    cost: float


def mean_error(
    spread: float,
    noise: float,
    *,
    questions: int,
    k: int,
    per_video: float = 1.0,
    icc: float = 0.0,
) -> float:
    """Return the standard error of the mean score.

    Formula: sqrt(V (1 + (m - 1) icc) / n + E / (n k)), m questions a video with correlation icc of
    their true scores. The first term does not fall with k: an average wants questions, a ranking
    wants draws.

    Raises:
        UsageError: fewer than one question or draw.
    """
    if questions < 1 or k < 1 or per_video < 1:
        raise UsageError(f"questions = {questions}, k = {k}, per_video = {per_video}; from 1 up.")
    design = 1 + (per_video - 1) * icc
    return math.sqrt(max(0.0, spread) * design / questions + noise / (questions * k))


def probe_designs(
    spread: float,
    noise: float,
    budget: float,
    *,
    per_draw: float,
    per_question: float = 0.0,
    most_questions: int | None = None,
) -> tuple[ProbeDesign, ...]:
    """Return the plans that a budget buys, by k, the one of least error first.

    Formula: n = floor(budget / (per_question + k per_draw)) questions at each k up to
    `MOST_REPLAYS`, errors by `mean_error`, reliability V / (V + E / k). Without a cost per question
    one draw on as many questions as possible is best for the mean; where questions run out the
    rest of the budget goes into draws.

    Args:
        per_draw: cost of one draw in both conditions (2 x items renderings and 2 answers).
        per_question: what a question costs before its first draw.
        most_questions: how many there are; None means no end.

    Raises:
        UsageError: a budget that does not pay for one question, or a cost that is not positive.
    """
    if per_draw <= 0 or per_question < 0:
        raise UsageError(f"per_draw = {per_draw}, per_question = {per_question}; costs, please.")
    plans = []
    for k in range(1, MOST_REPLAYS + 1):
        n = math.floor(budget / (per_question + k * per_draw))
        n = n if most_questions is None else min(n, most_questions)
        if n < 1:
            break
        error = mean_error(spread, noise, questions=n, k=k)
        ranked = spread / (spread + noise / k) if spread > 0 else 0.0
        cost = n * (per_question + k * per_draw)
        plans.append(ProbeDesign(questions=n, k=k, error=error, reliability=ranked, cost=cost))
    if not plans:
        raise UsageError(f"budget = {budget} does not pay for one draw on one question.")
    return tuple(sorted(plans, key=lambda plan: (plan.error, plan.k)))


def _check_power(power: float) -> None:
    if not 0 < power < 1:
        raise UsageError(f"power = {power}; a share between 0 and 1 is allowed.")
