"""The one form in which a statistic leaves this package."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from vidence.errors import UsageError

# Rounding in the last digits must not make an interval "miss" its own value.
_SLACK = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """Hold a number with its interval, what it was counted over, and how it was made.

    Args:
        value: the point estimate; None where nothing was scored.
        low, high: ends of the interval, both or neither.
        n: cases in the denominator.
        total: cases asked for, so that a lost case shows; None means `n`.
        clusters: independent groups (videos) among the `n`; None where cases are independent.
        method: exact name of the estimator and of its interval.
        level: confidence level of the interval.
        degenerate: in words, why there is no interval or why it is to be read with care.

    Raises:
        UsageError: NaN or infinity; one end without the other; an interval that does not hold the
            value; `n > total`; a missing interval without a reason.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    method: str
    total: int | None = None
    clusters: int | None = None
    level: float = 0.95
    degenerate: str | None = None

    def __post_init__(self) -> None:
        for name in ("value", "low", "high", "level"):
            number = getattr(self, name)
            if number is not None:
                object.__setattr__(self, name, _finite(name, number))
        for name in ("n", "total", "clusters"):
            count = getattr(self, name)
            if count is not None:
                object.__setattr__(self, name, _count(name, count))
        if self.total is None:
            object.__setattr__(self, "total", self.n)
        self._check()

    def _check(self) -> None:
        if self.total is not None and self.n > self.total:
            raise UsageError(f"n = {self.n} cases scored of total = {self.total} asked.")
        if not 0 < self.level < 1:
            raise UsageError(f"level = {self.level}; a share between 0 and 1 is allowed.")
        if (self.low is None) != (self.high is None):
            raise UsageError(f"An interval needs both ends; got {self.low} and {self.high}.")
        if self.low is None or self.high is None:
            if not self.degenerate:
                raise UsageError("No interval and no reason; say why in degenerate=.")
            return
        if self.value is None:
            raise UsageError(f"Interval {self.low} to {self.high} without a value.")
        slack = _SLACK * max(1.0, abs(self.value))
        if not self.low - slack <= self.value <= self.high + slack:
            raise UsageError(f"Value {self.value} lies outside {self.low} to {self.high}.")

    @classmethod
    def none(
        cls,
        why: str,
        *,
        method: str,
        total: int = 0,
        clusters: int | None = None,
        level: float = 0.95,
    ) -> Estimate:
        """Return the estimate of nothing: n = 0, no number, and the reason."""
        return cls(
            value=None,
            low=None,
            high=None,
            n=0,
            total=total,
            clusters=clusters,
            method=method,
            level=level,
            degenerate=why,
        )

    def excludes(self, null: float) -> bool:
        """Return whether the interval exists and does not hold `null`."""
        return self.low is not None and self.high is not None and not self.low <= null <= self.high

    def to_json(self) -> dict[str, float | int | str | None]:
        """Return nine plain values: every field under its own name, never NaN."""
        return {name: getattr(self, name) for name in _KEYS}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Estimate:
        """Return the estimate that `to_json` wrote; a missing or unknown key is an error."""
        missing, unknown = set(_KEYS) - set(data), set(data) - set(_KEYS)
        if missing or unknown:
            raise UsageError(
                f"Not an estimate: missing {sorted(missing)}, unknown {sorted(unknown)}. "
                f"Allowed: {', '.join(_KEYS)}."
            )
        return cls(**{name: data[name] for name in _KEYS})

    def percent(self, digits: int = 0) -> str:
        """Return the value in percent for people, as in `41 % (35-47)`."""
        if self.value is None:
            return f"- ({self.degenerate})"
        value = _fixed(100 * self.value, digits)
        if self.low is None or self.high is None:
            return f"{value} % (no interval: {self.degenerate})"
        low, high = _fixed(100 * self.low, digits), _fixed(100 * self.high, digits)
        dash = " to " if low.startswith("-") or high.startswith("-") else "-"
        return f"{value} % ({low}{dash}{high})"

    def __str__(self) -> str:
        of = f"n = {self.n}" if self.n == self.total else f"n = {self.n} of {self.total}"
        groups = "" if self.clusters is None else f", {self.clusters} clusters"
        if self.value is None:
            return f"- ({of}; {self.degenerate})"
        if self.low is None:
            return f"{self.value:.4g} ({of}{groups}; no interval: {self.degenerate})"
        return f"{self.value:.4g} ({self.low:.4g} to {self.high:.4g}; {of}{groups})"


_KEYS = ("value", "low", "high", "level", "n", "total", "clusters", "method", "degenerate")


def _finite(name: str, number: float) -> float:
    number = float(number)
    if not math.isfinite(number):
        raise UsageError(f"{name} = {number}; pass None and say why in degenerate=.")
    return number


def _count(name: str, count: int) -> int:
    if isinstance(count, bool) or int(count) != count or count < 0:
        raise UsageError(f"{name} = {count!r}; a whole number from 0 up is allowed.")
    return int(count)


def _fixed(number: float, digits: int) -> str:
    text = f"{number:.{digits}f}"
    return text.removeprefix("-") if float(text) == 0 else text
