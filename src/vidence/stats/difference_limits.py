"""How far apart two replay rates can be: limits for one question's score on few draws."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

import numpy as np

from vidence.errors import UsageError
from vidence.stats.arrays import Floats, check_level
from vidence.stats.estimate import Estimate
from vidence.stats.flip_counts import FlipCounts
from vidence.stats.limits import normal_quantile, wilson

DifferenceInterval = Literal["newcombe", "score"]
_NAMES = {"newcombe": "Newcombe hybrid score", "score": "Miettinen-Nurminen score"}


def delta_limits(
    counts: FlipCounts, *, interval: DifferenceInterval = "newcombe", level: float = 0.95
) -> tuple[Floats, Floats]:
    """Return the limits of each scored question's flip-rate difference, ([M], [M]).

    Formula and sources: `delta_estimate`. Not valid for draws whose number depended on what they
    showed (a stopping rule).
    """
    tables, index = counts.tables()
    ends = [_ends(row, interval, level) for row in tables.tolist()]
    low, high = np.array(ends, dtype=np.float64).reshape(-1, 2).T
    return low[index], high[index]


def delta_estimate(
    destroy: tuple[int, int],
    sham: tuple[int, int],
    *,
    interval: DifferenceInterval = "newcombe",
    level: float = 0.95,
) -> Estimate:
    """Estimate one question's flip rate under destroy minus that under sham.

    "newcombe" (Newcombe 1998, Statistics in Medicine 17, 873-890, method 10): Wilson limits of
    each rate, joined by sqrt of summed squares. "score" (Miettinen & Nurminen 1985, Statistics in
    Medicine 4, 213-226): all differences that the score test with variance times N / (N - 1)
    keeps. Assumes independent draws of one rate a condition. 0 of k and k of k keep width; no
    valid draw in either condition: no number.

    Args:
        destroy, sham: (flips, valid draws).
    """
    (x, kd), (y, ks) = destroy, sham
    method = f"difference of two shares, {_NAMES.get(interval, interval)} interval"
    if min(kd, ks) < 1:
        why = "no valid draw in one of the conditions"
        return Estimate.none(why, method=method, total=kd + ks, level=check_level(level))
    if not (0 <= x <= kd and 0 <= y <= ks):
        raise UsageError(f"{x} of {kd} and {y} of {ks}: flips must lie between 0 and the draws.")
    low, high = _ends([x, kd, y, ks], interval, level)
    value = (x * ks - y * kd) / (kd * ks)
    return Estimate(value=value, low=low, high=high, n=kd + ks, method=method, level=level)


def _ends(table: list[int], interval: str, level: float) -> tuple[float, float]:
    x, kd, y, ks = table
    check_level(level)
    if interval == "newcombe":
        return _newcombe(x, kd, y, ks, level)
    if interval == "score":
        return _score(x, kd, y, ks, level)
    raise UsageError(f"interval = {interval!r}; allowed: {', '.join(_NAMES)}.")


def _newcombe(x: int, kd: int, y: int, ks: int, level: float) -> tuple[float, float]:
    d, s = x / kd, y / ks
    (low_d, high_d), (low_s, high_s) = wilson(d, kd, level), wilson(s, ks, level)
    low = (d - s) - np.hypot(d - low_d, high_s - s)
    high = (d - s) + np.hypot(high_d - d, s - low_s)
    return max(-1.0, float(low)), min(1.0, float(high))


def _score(x: int, kd: int, y: int, ks: int, level: float) -> tuple[float, float]:
    value, z = x / kd - y / ks, normal_quantile(level)

    def far(gap: float) -> bool:
        d, s = _restricted(x, kd, y, ks, gap)
        whole = kd + ks
        variance = (d * (1 - d) / kd + s * (1 - s) / ks) * whole / (whole - 1)
        return (value - gap) ** 2 > z * z * variance

    return _edge(far, value, -1.0), _edge(far, value, 1.0)


def _edge(far: Callable[[float], bool], inside: float, outside: float) -> float:
    """Bisect for the last difference that is still kept between `inside` and `outside`."""
    if not far(outside):
        return outside
    for _ in range(60):
        middle = (inside + outside) / 2
        if far(middle):
            outside = middle
        else:
            inside = middle
    return inside


def _restricted(x: int, kd: int, y: int, ks: int, gap: float) -> tuple[float, float]:
    """Return the most likely (d, s) with d - s = gap: the root of a cubic in s, in closed form.

    The cubic is the score equation x / (s + gap) - (k_d - x) / (1 - s - gap) + y / s -
    (k_s - y) / (1 - s) = 0 multiplied out; of its three real roots the trigonometric one below
    lies inside the unit interval.
    """
    whole = kd + ks
    a2 = ((kd + 2 * ks) * gap - whole - (x + y)) / whole
    a1 = ((ks * gap - whole - 2 * y) * gap + x + y) / whole
    a0 = y * gap * (1 - gap) / whole
    q = a2**3 / 27 - a1 * a2 / 6 + a0 / 2
    p = math.copysign(math.sqrt(max(0.0, a2 * a2 / 9 - a1 / 3)), q)
    angle = math.acos(min(1.0, max(-1.0, q / p**3))) if p else 0.0
    s = 2 * p * math.cos((math.pi + angle) / 3) - a2 / 3
    s = min(max(s, 0.0, -gap), 1.0, 1.0 - gap)
    return s + gap, s
