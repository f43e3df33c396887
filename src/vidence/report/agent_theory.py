"""The law of Delta in the terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from math import ceil
from typing import Any

from vidence.report.numbers import percent

Data = Mapping[str, Any]

BAR, ROWS = 40, 21
"""Width of the longest bar, and the most scores that are listed."""


def theory_lines(found: Data) -> list[str]:
    """Return signs, the law as a small picture where it has few scores, and the draws needed.

    Args:
        found: of `vidence.audits.agent_theory.theory`.
    """
    k, sham, destroy = found["k"], found["sham"], found["destroy"]
    told = [
        f"Delta at k = {k}, flip rates {sham:g} (sham) and {destroy:g} (destroy):",
        *(f"  {name:<9} {percent(found[name], 1):>8}" for name in ("negative", "tie", "positive")),
        f"  mean {found['mean']:+.4f}, variance {found['variance']:.4f}",
    ]
    pmf = found["pmf"]
    if len(pmf) <= ROWS:
        most = max(row["chance"] for row in pmf)
        for row in pmf:
            bar = "#" * round(BAR * row["chance"] / most)
            told.append(f"  {row['fraction']:>7} {percent(row['chance'], 1):>8}  {bar}".rstrip())
    told += ["How many draws a condition it takes:", *map(_needed, found["needed"].items())]
    shown = "no sign, the rates are equal"
    if found["sign_power"] is not None:
        shown = f"the sign shows in {percent(found['sign_power'], 1)}"
    known = found["reliability"]
    ranked = "no question differs" if known is None else f"reliability {known:.2f}"
    told.append(f"  at k = {k}: {shown}; {ranked}")
    return [*told, *textwrap.wrap(found["assumed"], 100)]


def _needed(item: tuple[str, Data]) -> str:
    name, aim = item
    titles = {
        "sign": lambda: f"the sign of one question shows in {percent(aim['power'])}",
        "test": lambda: (
            f"one question's exact one-sided test at {percent(aim['alpha'])} finds it in "
            f"{percent(aim['power'])}"
        ),
        "reliability": lambda: f"scores rank questions with reliability {aim['reliability']:g}",
    }
    k = aim["k"]
    draws = "more than were tried, or none" if k is None else f"{ceil(k - 1e-9)}"
    return f"  {titles[name]()}: {draws}"
