"""What draws can show before anything is drawn: the law of Delta, and the k that an aim takes."""

from __future__ import annotations

from typing import Any

from vidence.errors import UsageError
from vidence.stats import delta_law
from vidence.stats.heterogeneity import FlipPrior
from vidence.stats.replay_budget import (
    replays_for_reliability,
    replays_for_sign,
    replays_for_test,
    sign_power,
)

MOST_DRAWS = 1000
ALPHA = 0.05
EDGE = 1e-6
ASSUMED = (
    "The law holds for a question with these two flip rates, or for questions that all share them. "
    "How reliably draws rank questions hangs on how much questions differ; here they differ as in "
    "the fit to CARVE's LVBench figures (correlated Beta rates, totals 1.08 and 1.26, correlation "
    "0.42) around these rates. A probe's own report fits that anew."
)


def theory(
    k: int, sham: float, destroy: float, *, power: float = 0.9, reliability: float = 0.8
) -> dict[str, Any]:
    """Return the exact law of Delta at two flip rates, and the draws that two aims take.

    Args:
        k: draws a condition, 1 to 1000.
        sham, destroy: probability that a replay changes the answer, 0 to 1.
        power: chance with which the sign of one question's Delta is to show; `test` is the k at
            which Boschloo's one-sided test at 5 % reaches it.
        reliability: correlation that two probes' scores over questions are to have.

    Returns:
        `k`, `sham`, `destroy`, `negative`, `tie`, `positive`, `mean`, `variance`, `pmf` (a row a
        score), `sign_power` at k, `reliability` at k (None where no question can differ), and
        `needed`: `sign`, `test` and `reliability`, each with its aim and `k`, None where no k up to
        1000 (80 for the test) reaches it.

    Raises:
        UsageError: something outside its range.
    """
    if not 1 <= k <= MOST_DRAWS:
        raise UsageError(f"k = {k}; 1 to {MOST_DRAWS} draws a condition are allowed.")
    for name, value in (("sham", sham), ("destroy", destroy)):
        if not 0 <= value <= 1:
            raise UsageError(f"{name} = {value}; a probability from 0 to 1 is allowed.")
    for name, value in (("sign power", power), ("reliability", reliability)):
        if not 0 < value < 1:
            raise UsageError(f"{name} = {value}; a number above 0 and below 1 is allowed.")
    law = delta_law(sham, destroy, k)
    # A Beta law has no mean of 0 or 1; next to it there is as good as no spread.
    still = sham in (0, 1) and destroy in (0, 1)  # then questions cannot differ
    prior = FlipPrior.reference(*(min(max(rate, EDGE), 1 - EDGE) for rate in (sham, destroy)))
    differ, more = sham != destroy, destroy > sham
    return {
        "k": k,
        **law.to_json(),
        "sign_power": sign_power(sham, destroy, k) if differ else None,
        "reliability": None if still else prior.reliability(k),
        "needed": {
            "sign": {
                "power": power,
                "k": replays_for_sign(sham, destroy, power) if differ else None,
            },
            "test": {
                "power": power,
                "alpha": ALPHA,
                "k": replays_for_test(sham, destroy, power, alpha=ALPHA) if more else None,
            },
            "reliability": {
                "reliability": reliability,
                "k": None if still else replays_for_reliability(reliability, prior.reliability(1)),
            },
        },
        "assumed": ASSUMED,
    }
