"""Which questions can be named: many tests at once, and whether they could have found anything."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from vidence.errors import UsageError
from vidence.stats.arrays import Bools, Floats, as_numbers, same_length

FalseDiscovery = Literal["bh", "by"]


@dataclass(frozen=True, eq=False)
class Discoveries:
    """Hold which questions are named at a false discovery rate.

    Args:
        named: booleans [M].
        adjusted: the rate at which each question would just be named, [M].
        rate: the false discovery rate asked for.
        needed: least number of questions that must reach the best value their draws allow for
            any to be named; None where not even all of them would do.
        sentence: what was found, or that nothing could have been.
    """

    named: Bools
    adjusted: Floats
    rate: float
    needed: int | None
    sentence: str

    @property
    def powerless(self) -> bool:
        """Whether no question could be named on its own, however extreme its draws."""
        return self.needed is None or self.needed > 1


def discoveries(
    p_values: ArrayLike,
    least: ArrayLike,
    *,
    rate: float = 0.05,
    method: FalseDiscovery = "bh",
) -> Discoveries:
    """Name questions by their p values at a false discovery rate.

    Formula: Benjamini & Hochberg (1995), or Benjamini & Yekutieli (2001) under any dependence, as
    in scipy. Replays of different questions are independent, so "bh" holds. Exact p values of few
    draws are discrete and the true rate lies below. `needed` is the least r with r questions at
    their best p passing: p_(r) <= r rate / (m c), c = 1 or the harmonic sum. No tests: nothing is
    named.

    Args:
        p_values: one per question, [M], from `exact_p`.
        least: the smallest p value that each question's draws can reach, [M], from `least_p`.

    Raises:
        UsageError: values outside [0, 1], or a rate outside (0, 1).
    """
    from scipy.stats import false_discovery_control

    p, best = _shares("p_values", p_values), _shares("least", least)
    same_length(p_values=len(p), least=len(best))
    if method not in ("bh", "by"):
        raise UsageError(f"method = {method!r}; allowed: bh, by.")
    _check_rate(rate)
    m = len(p)
    adjusted = np.asarray(false_discovery_control(p, method=method)) if m else np.zeros(0)
    penalty = 1.0 if method == "bh" else float((1 / np.arange(1, m + 1)).sum())
    ranks = np.arange(1, m + 1)
    passing = np.flatnonzero(np.sort(best) * m * penalty <= ranks * rate * (1 + 1e-12))
    needed = int(passing[0]) + 1 if len(passing) else None
    named = adjusted <= rate
    lowest = f"the smallest p that these draws allow is {best.min():.2g}" if m else ""
    return Discoveries(named, adjusted, rate, needed, _sentence(named, needed, lowest, rate))


def e_discoveries(
    e_values: ArrayLike, most: ArrayLike | float | None = None, *, rate: float = 0.05
) -> Discoveries:
    """Name questions by their evidence at a false discovery rate, after any stopping rule.

    Formula: the r questions of most evidence, for the largest r with e_(r) >= m / (rate r) (e-BH:
    Wang & Ramdas 2022, JRSS B 84, 822-852). Holds under any dependence.

    Args:
        e_values: one per question, [M], from `e_value`.
        most: the largest evidence that each question's draws allow, [M] or one number: that of
            pairs which all say +1. None leaves `needed` at the evidence found.
    """
    e = as_numbers("e_values", e_values)
    _check_rate(rate)
    if (e < 0).any():
        raise UsageError("e_values: 0 and more are allowed.")
    m = len(e)
    best = e if most is None else np.broadcast_to(np.asarray(most, dtype=np.float64), e.shape)
    order = np.argsort(-e, kind="stable")
    ranks = np.arange(1, m + 1)
    with np.errstate(divide="ignore"):
        own = m / (ranks * e[order])
    adjusted = np.empty(m)
    adjusted[order] = np.minimum(np.minimum.accumulate(own[::-1])[::-1], 1.0)
    named = adjusted <= rate * (1 + 1e-12)
    passing = np.flatnonzero(np.sort(best)[::-1] * ranks * rate >= m * (1 - 1e-12))
    needed = int(passing[0]) + 1 if len(passing) else None
    highest = f"the most evidence that these draws allow is {best.max():.3g}" if m else ""
    return Discoveries(named, adjusted, rate, needed, _sentence(named, needed, highest, rate))


def _sentence(named: Bools, needed: int | None, limit: str, rate: float) -> str:
    m, found = len(named), int(named.sum())
    if not m:
        return "No question was tested."
    if found:
        return f"{found} of {m} questions are named at a false discovery rate of {rate:g}."
    if needed is None:
        return f"No power: {limit}, so none of {m} questions could be named whatever they showed."
    if needed > 1:
        share = math.ceil(1000 * needed / m) / 10
        return (
            f"No power: {limit}, so at least {needed} of {m} questions ({share:g} %) would have to "
            "reach it before any could be named."
        )
    return f"None of {m} questions is named at a false discovery rate of {rate:g}."


def _shares(name: str, values: ArrayLike) -> Floats:
    numbers = as_numbers(name, values)
    if ((numbers < 0) | (numbers > 1)).any():
        raise UsageError(f"{name}: values from 0 to 1 are allowed.")
    return numbers


def _check_rate(rate: float) -> None:
    if not 0 < rate < 1:
        raise UsageError(f"rate = {rate}; a share between 0 and 1 is allowed.")
