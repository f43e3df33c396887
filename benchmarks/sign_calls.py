"""How many signs the posterior calls where there is nothing to call, and how often it errs.

    python benchmarks/sign_calls.py [--repetitions 30]

k = 3, three questions a video. `one rate`: every question flips at 0.35 under both conditions.
`no effect`: rates differ between questions, Beta(0.4, 0.7), and are equal under both conditions.
`as fitted`: both rates differ, with means and spreads like those of CARVE's questions. The Monte
Carlo error of a mean share is about a fifth of it at 30 repetitions.
"""

from __future__ import annotations

import argparse

import numpy as np
from numpy.random import Generator

from vidence.seeds import rng_of
from vidence.stats import FlipCounts, fit_flips, posterior
from vidence.stats.arrays import Floats

K, CERTAIN = 3, 0.9
SIZES = (24, 60, 100, 200, 300, 500)
KINDS = ("one rate", "no effect", "as fitted")


def rates(kind: str, n: int, rng: Generator) -> tuple[Floats, Floats]:
    """Return sham and destroy flip rates of n questions."""
    if kind == "one rate":
        return np.full(n, 0.35), np.full(n, 0.35)
    if kind == "no effect":
        sham = rng.beta(0.4, 0.7, n)
        return sham, sham
    return rng.beta(0.37, 0.71, n), rng.beta(0.81, 0.45, n)


def once(kind: str, n: int, rng: Generator) -> tuple[float, int, int, str]:
    """Return the share called, wrong calls, calls, and the model of least AIC."""
    sham, destroy = rates(kind, n, rng)
    draws = np.full(n, K)
    flips = [(rng.binomial(K, rate), draws) for rate in (sham, destroy)]
    counts = FlipCounts.of(flips[0], flips[1], np.arange(n) // 3)
    fit = fit_flips(counts)
    sure = posterior(counts, fit.prior).positive
    up, down = sure >= CERTAIN, sure <= 1 - CERTAIN
    wrong = int(((up & (destroy <= sham)) | (down & (destroy >= sham))).sum())
    called = int((up | down).sum())
    return called / n, wrong, called, fit.best


def main() -> None:
    """Print a row a kind and size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=30)
    given = parser.parse_args()
    print(f"{'kind':<10} {'n':>4} {'called':>7} {'wrong among called':>19}  homogeneous fits best")
    for kind in KINDS:
        for n in SIZES:
            rng = rng_of("sign calls", kind, n)
            found = [once(kind, n, rng) for _ in range(given.repetitions)]
            called = float(np.mean([one[0] for one in found]))
            wrong, calls = (sum(one[i] for one in found) for i in (1, 2))
            alike = sum(one[3] == "homogeneous" for one in found)
            share = f"{wrong / calls:.2f}" if calls else "-"
            print(
                f"{kind:<10} {n:>4} {called:>7.2f} {share:>19}  {alike} of {len(found)}", flush=True
            )


if __name__ == "__main__":
    main()
