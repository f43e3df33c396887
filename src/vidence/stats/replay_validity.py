"""Are the draws what they are taken for: exchangeable in order, whatever the condition?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import chdtrc

from vidence.errors import UsageError
from vidence.stats.arrays import Floats, as_whole
from vidence.stats.flip_counts import FLIPPED


@dataclass(frozen=True, eq=False)
class DrawOrder:
    """Hold whether flips depend on when a draw was made.

    Args:
        rates: flip rate at each position over the questions used, [K].
        statistic, p: Cochran's Q and its p value; None where no question differs within itself.
        questions: questions with all K draws valid.
    """

    rates: Floats
    statistic: float | None
    p: float | None
    questions: int


def draw_order(codes: ArrayLike) -> DrawOrder:
    """Test whether the position of a draw matters, within questions.

    Formula: Cochran's (1950) Q = (K - 1) (K sum C_j^2 - T^2) / (K T - sum R_i^2) with C_j flips at
    position j, R_i flips of question i and T of all; chi-square with K - 1 degrees of freedom. A
    drift (a cache that warms, a server that changes) shows here. Assumes independent questions,
    and many that flip on some draws and not on others. Only questions with all K draws valid.

    Args:
        codes: draws of one condition, [N, K], as in `FlipDraws`.

    Raises:
        UsageError: fewer than two draws.
    """
    draws = as_whole("codes", codes)
    if draws.ndim != 2 or draws.shape[1] < 2:
        raise UsageError(f"codes has shape {draws.shape}; [questions, draws >= 2] is needed.")
    whole = draws[(draws >= 0).all(axis=1)] == FLIPPED
    n, k = whole.shape
    by_draw, by_question = whole.sum(axis=0), whole.sum(axis=1)
    total = int(by_draw.sum())
    spread = k * total - int((by_question**2).sum())
    rates = by_draw / n if n else np.zeros(k)
    if spread == 0:
        return DrawOrder(rates, None, None, n)
    statistic = (k - 1) * (k * float((by_draw**2).sum()) - total**2) / spread
    return DrawOrder(rates, statistic, float(chdtrc(k - 1, statistic)), n)
