"""Numbers in words: shares, intervals and counts with the digits that they deserve.

Every estimate comes as a mapping `{"value", "low", "high", "level", "n", "total", "clusters",
"method", "degenerate"}` with shares as fractions; `value`, `low` and `high` may be None.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isfinite
from typing import Any

Estimate = Mapping[str, Any]

NONE = "–"
MINUS = "−"


def number(value: Any) -> float | None:
    """Return a finite float, or None for everything else (None, NaN, infinities, words)."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if isfinite(value) else None


def digits(low: Any, high: Any) -> int:
    """Return how many decimals a percentage deserves: one where the interval is under 2 points."""
    lower, upper = number(low), number(high)
    if lower is None or upper is None:
        return 0
    return 1 if 0 < upper - lower < 0.02 else 0


def percent(share: Any, decimals: int = 0) -> str:
    """Write a share as a percentage; something is never rounded to nothing, nor to all."""
    value = number(share)
    if value is None:
        return NONE
    if 0 < value <= 0.0005:
        return "<0.1 %"
    if 0.9995 <= value < 1:
        return ">99.9 %"
    if 0 < value <= 0.005 or 0.995 <= value < 1:
        decimals = max(decimals, 1)
    return f"{_points(value, decimals)} %"


def difference(share: Any, decimals: int = 0) -> str:
    """Write a difference of shares in points, with its sign."""
    value = number(share)
    if value is None:
        return NONE
    shown = _points(value, decimals)
    return shown if shown.startswith(MINUS) or float(shown) == 0 else f"+{shown}"


def value(estimate: Estimate | None, decimals: int = 0) -> str:
    """Write an estimate's value alone, `41 %`; a dash where nothing was measured."""
    return percent(estimate.get("value"), decimals) if estimate else NONE


def interval(estimate: Estimate | None, decimals: int | None = None) -> str:
    """Write an estimate's interval alone, `35–47` (percent), or an empty string.

    Args:
        estimate: of a share.
        decimals: None lets the interval's width decide; so it does in the functions below.
    """
    if not estimate:
        return ""
    low, high = number(estimate.get("low")), number(estimate.get("high"))
    if low is None or high is None:
        return ""
    if decimals is None:
        decimals = digits(low, high)
    dash = " to " if min(low, high) < 0 else "–"
    return f"{_points(low, decimals)}{dash}{_points(high, decimals)}"


def short(estimate: Estimate | None, decimals: int | None = None) -> str:
    """Write value and interval for a table: `41 % (35–47)`."""
    span = interval(estimate, decimals)
    if not estimate or not span:
        return value(estimate, decimals or 0)
    return f"{_fine(estimate, decimals)} ({span})"


def short_difference(estimate: Estimate | None, decimals: int | None = None) -> str:
    """Write a difference and its interval for a table: `−29 (−35 to −23)`, in points."""
    if not estimate:
        return NONE
    span = interval(estimate, decimals)
    if decimals is None:
        decimals = digits(estimate.get("low"), estimate.get("high"))
    shown = difference(estimate.get("value"), decimals)
    return f"{shown} ({span})" if span else shown


def long(estimate: Estimate | None, unit: str = "question", decimals: int | None = None) -> str:
    """Write an estimate for a sentence, with its interval in words and what it rests on."""
    if not estimate or number(estimate.get("value")) is None:
        return f"not measured ({of(estimate, unit)})"
    rests = of(estimate, unit)
    clusters = estimate.get("clusters")
    if clusters:
        rests += f", {plural(clusters, 'video')}"
    span = interval(estimate, decimals)
    if span:
        level = percent(estimate.get("level") or 0.95)
        return f"{_fine(estimate, decimals)} ({level} interval {span}; {rests})"
    return f"{value(estimate, decimals or 0)} ({why_no_interval(estimate)}; {rests})"


def why_no_interval(estimate: Estimate) -> str:
    """Say why an estimate has no interval."""
    if estimate.get("degenerate"):
        return f"no interval: {estimate['degenerate']}"
    if not estimate.get("n"):
        return "no interval: nothing was measured"
    if estimate.get("clusters") == 1:
        return "no interval: all questions are about one video"
    return "no interval: the method gives none"


def of(estimate: Estimate | None, unit: str = "") -> str:
    """Write `240 of 250 questions`, or `240 questions` where none is missing."""
    if not estimate:
        return "n = 0"
    n, total = estimate.get("n") or 0, estimate.get("total")
    if total is None or total == n:
        return plural(n, unit) if unit else count(n)
    return f"{count(n)} of {plural(total, unit) if unit else count(total)}"


def count(n: Any) -> str:
    """Write a count with thousands separated; a dash where there is none."""
    given = number(n)
    return NONE if given is None else f"{round(given):,}"


def plural(n: Any, noun: str) -> str:
    """Write a count with its noun."""
    return f"{count(n)} {noun}{'' if n == 1 else 's'}"


def seconds(duration: Any) -> str:
    """Write a duration: `0.42 s`, `12 s`, `3 min 20 s`, `2 h 5 min`."""
    given = number(duration)
    if given is None:
        return NONE
    if given < 9.95:
        return f"{given:.2g} s"
    whole = round(given)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600:,} h {whole % 3600 // 60} min"


def methods(estimates: Iterable[Estimate | None]) -> tuple[str, ...]:
    """Return the methods named by some estimates, each once, in their order."""
    named = (str(e["method"]) for e in estimates if e and e.get("method"))
    return tuple(dict.fromkeys(named))


def cautions(estimates: Iterable[Estimate | None]) -> tuple[str, ...]:
    """Return why some intervals are absent or to be read with care, each reason once."""
    told = (str(e["degenerate"]) for e in estimates if e and e.get("degenerate"))
    return tuple(dict.fromkeys(told))


def _fine(estimate: Estimate, decimals: int | None) -> str:
    """Write a value with the digits of its interval."""
    if decimals is None:
        decimals = digits(estimate.get("low"), estimate.get("high"))
    return percent(estimate.get("value"), decimals)


def _points(share: float, decimals: int) -> str:
    shown = f"{100 * share:.{decimals}f}"
    if float(shown) == 0:
        return shown.removeprefix("-")
    return shown.replace("-", MINUS)
