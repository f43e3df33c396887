"""Figures of a text-only audit: leaks are small, so one decimal where the interval is narrow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vidence.report import numbers
from vidence.report.numbers import NONE, Estimate, number

NARROW = 0.10
"""An interval under 10 points wide earns one decimal; so does a figure that is exact."""
KEYS = frozenset({"value", "low", "high", "n", "method"})


def is_estimate(data: Any) -> bool:
    """Return whether a part of the data is an estimate."""
    return isinstance(data, Mapping) and data.keys() >= KEYS


def decimals(estimate: Estimate | None) -> int:
    """Return how many decimals an estimate deserves."""
    if not estimate:
        return 0
    low, high = number(estimate.get("low")), number(estimate.get("high"))
    return 0 if low is None or high is None else int(high - low < NARROW)


def value(estimate: Estimate | None) -> str:
    """Write a value alone: `34.1 %`."""
    return numbers.value(estimate, decimals(estimate))


def short(estimate: Estimate | None) -> str:
    """Write value and interval: `34.1 % (32.2–36.0)`; an exact figure has no interval."""
    if is_exact(estimate):
        return value(estimate)
    return numbers.short(estimate, decimals(estimate))


def points(estimate: Estimate | None) -> str:
    """Write a difference and its interval: `+9.1 (7.2–11.0)`."""
    return numbers.short_difference(estimate, decimals(estimate))


def gain(estimate: Estimate | None) -> str:
    """Write a difference alone: `+9.1`."""
    return numbers.difference(estimate.get("value"), decimals(estimate)) if estimate else NONE


def long(estimate: Estimate | None) -> str:
    """Write an estimate with its interval in words and what it rests on."""
    return numbers.long(estimate, "question", decimals(estimate))


def share(given: Any) -> str:
    """Write a bare share or an estimate's value, with one decimal."""
    return numbers.percent(given.get("value") if isinstance(given, Mapping) else given, 1)


def is_exact(estimate: Estimate | None) -> bool:
    """Return whether an interval has no width: the figure is known, not estimated."""
    if not estimate or number(estimate.get("low")) is None:
        return False
    return bool(estimate["low"] == estimate["high"])


def p_value(p: Any) -> str:
    """Write a p value: `p = 0.001`, or that none was computed."""
    given = number(p)
    if given is None:
        return "p not computed"
    return f"p = {given:.3f}" if given < 0.1 else f"p = {given:.2f}"


def permuted(p: Any, permutations: Any) -> str:
    """Write a p value with what it rests on: `p = 0.001 (1,000 permutations)`."""
    if number(p) is None or not permutations:
        return p_value(None)
    return f"{p_value(p)} ({numbers.plural(permutations, 'permutation')})"
