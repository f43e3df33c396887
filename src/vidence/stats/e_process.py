"""Replay until the sign is proved: evidence that may be looked at after every pair.

Each pair of one destroy and one sham replay gives Z = flip(destroy) - flip(sham) in {-1, 0, 1}.
Where both conditions flip alike, a Z that is not 0 is +1 with probability 1/2; where destroying
flips less, with at most 1/2. A bet on +1 is then no better than fair, and its wealth passes 1 /
alpha with probability at most alpha, at any time one looks (Ville 1939).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc, betaln

from vidence.errors import UsageError
from vidence.stats.arrays import Bools, Floats, Ints, as_whole
from vidence.stats.flip_counts import FlipDraws
from vidence.stats.sequential import Stopped, StoppingCost


def e_value(up: ArrayLike, down: ArrayLike) -> Floats:
    """Return the evidence that destroy flips more often, from the pairs that differ.

    Formula: E = 2^(a + b) 2 int_{1/2}^{1} t^a (1 - t)^b dt = 2^(a + b + 1) B(a + 1, b + 1)
    (1 - I_{1/2}(a + 1, b + 1)) with a pairs +1 and b pairs -1: the wealth of a uniform mixture of
    bets on +1. Sources: Wald (1945) for the ratio, Ville (1939) for the bound at any time, Howard
    et al. (2021), Waudby-Smith & Ramdas (2024). Assumes that pairs are independent given the
    question. No pair that differs: 1. The evidence for the other side is `e_value(down, up)`.
    """
    a, b = as_whole("up", up), as_whole("down", down)
    if (a < 0).any() or (b < 0).any():
        raise UsageError("up and down count pairs; 0 and more are allowed.")
    log = (a + b + 1) * np.log(2.0) + betaln(a + 1, b + 1)
    with np.errstate(over="ignore"):  # evidence beyond the largest number is infinite
        value: Floats = np.exp(log) * (1 - betainc(a + 1, b + 1, 0.5))
    return value


def pair_path(draws: FlipDraws) -> tuple[Ints, Ints]:
    """Return how many pairs were +1 and -1 after each pair, int [N, K] each.

    A pair with a lost draw counts as 0: it brings no evidence.
    """
    width = min(draws.sham.shape[1], draws.destroy.shape[1])
    s, d = draws.sham[:, :width], draws.destroy[:, :width]
    known = (s >= 0) & (d >= 0)
    return np.cumsum(known & (d > s), axis=1), np.cumsum(known & (d < s), axis=1)


def e_stop(draws: FlipDraws, *, alpha: float = 0.05) -> Stopped:
    """Stop each question once its sign is proved at `alpha`, in the order of the draws.

    A sign is called when the evidence for it reaches 1 / alpha; each side errs with probability
    at most alpha, whatever the flip rates. `positive` holds the evidence's share for +1, E+ /
    (E+ + E-), which is no probability.

    Raises:
        UsageError: alpha outside (0, 1).
    """
    if not 0 < alpha < 1:
        raise UsageError(f"alpha = {alpha}; a share between 0 and 1 is allowed.")
    up, down = pair_path(draws)
    n, width = up.shape
    for_up, for_down = e_value(up, down), e_value(down, up)
    over: Bools = np.maximum(for_up, for_down) >= (1 - 1e-12) / alpha
    stopped = over.any(axis=1)
    last = np.where(stopped, over.argmax(axis=1), width - 1)
    rows = np.arange(n)
    call = np.where(stopped, np.where(for_up[rows, last] > for_down[rows, last], 1, -1), 0)
    share = for_up[rows, last] / (for_up[rows, last] + for_down[rows, last])
    return Stopped((last + 1).astype(np.int64), call.astype(np.int64), share)


def e_cost(sham: float, destroy: float, *, most: int, alpha: float = 0.05) -> StoppingCost:
    """Return the expected pairs, calls and errors of `e_stop` at given rates, exactly.

    Formula: the law of (a, b) pair by pair with P(+1) = d (1 - s), P(-1) = s (1 - d), mass taken
    out where it stops. With equal rates every call is an error.
    """
    rise, fall = destroy * (1 - sham), sham * (1 - destroy)
    live = np.zeros((most + 1, most + 1))
    live[0, 0] = 1.0
    a, b = np.indices(live.shape)
    edge = (1 - 1e-12) / alpha
    for_up, for_down = e_value(a, b) >= edge, e_value(b, a) >= edge
    pairs = called = wrong = 0.0
    for _ in range(most):
        pairs += float(live.sum())
        moved = live * (1 - rise - fall)
        moved[1:] += live[:-1] * rise
        moved[:, 1:] += live[:, :-1] * fall
        hit_up, hit_down = float(moved[for_up].sum()), float(moved[for_down].sum())
        called += hit_up + hit_down
        wrong += hit_up * (destroy <= sham) + hit_down * (destroy >= sham)
        live = np.where(for_up | for_down, 0.0, moved)
    return StoppingCost(pairs, called, wrong / called if called else 0.0)


def fewest_pairs(alpha: float = 0.05) -> int:
    """Return how many pairs, all +1, it takes at least to prove a sign at `alpha`."""
    if not 0 < alpha < 1:
        raise UsageError(f"alpha = {alpha}; a share between 0 and 1 is allowed.")
    n = 1
    while float(e_value(n, 0)) < (1 - 1e-12) / alpha:
        n += 1
    return n
