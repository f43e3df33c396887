"""Charts of a text-only report as Vega-Lite specs: rules on one axis, and how sure the learner is.

As in `charts`: colours are names of the style sheet, every text is data, and a chart without a
single number is None.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import ceil, floor
from typing import Any

from vidence.report import numbers, text_figures, vega
from vidence.report.dots import Dots, Look, dot, row_name, scale_of
from vidence.report.text_overview import Line
from vidence.report.text_tables import CHANCE, LEARNER, bins_of, measured, span
from vidence.report.vega import Spec

Data = Mapping[str, Any]

MAIN = Look("var(--accent)")
SURE, UNSURE = Look("var(--ink-2)"), Look("var(--ink-2)", filled=False)
PARTS = (Look("var(--accent)"), Look("var(--accent-2)", "diamond"))
MARKS = (
    ("learner", "learned from text"),
    ("longest", "longest option"),
    ("majority", "majority position"),
)
LOOKS = (*PARTS, Look("var(--m0)", "square"))


def guesses(data: Data) -> Dots:
    """Draw the learner and each guessing rule as a dot with its interval, best rule first.

    Chance is a thin line through all rows; behind the learner lies what it reaches where keys
    are shuffled. A filled dot is above chance at the level that all rules share.
    """
    learner = measured(data)
    found = _dot(LEARNER, learner["accuracy"], MAIN) if learner else []
    rules = [rule for name, rule in data["priors"].items() if name != CHANCE]
    rules.sort(key=lambda rule: -(_hundred(rule["accuracy"]) or 0.0))
    for rule in rules:
        found += _dot(rule["title"], rule["accuracy"], SURE if rule.get("claimed") else UNSURE)
    null = (learner or {}).get("null") or {}
    low, high = _hundred(null.get("low", null.get("mean"))), _hundred(null.get("high"))
    bands = []
    if learner and low is not None and high is not None:
        told = f"shuffled keys: {low:.1f} % on average, over {high:.1f} % once in twenty times"
        bands = [{"name": LEARNER, "low": low, "high": high, "told": told}]
    return Dots(found, _names(found), lines=[_chance(data)], bands=bands, figures=True)


def overlap(data: Data) -> Dots:
    """Draw how often the option that fits the transcript is right, own and others' transcripts."""
    given = data.get("overlap") or {}
    found = _dot("own transcript", given.get("accuracy"), MAIN)
    found += _dot("other videos' transcripts", given.get("swapped"), UNSURE)
    line = (_hundred(given.get("chance")), "var(--ink-2)", ())
    return Dots(found, _names(found), lines=[line], figures=True)


def families(data: Data) -> Dots:
    """Draw what each family of features reaches alone, and what the learner reaches without it."""
    learner = measured(data) or {}
    found: list[Spec] = []
    for family in learner.get("families") or ():
        for slot, part in enumerate(("alone", "without")):
            found += _dot(family["title"], family.get(part), PARTS[slot], slot, part)
    whole = (_hundred(learner.get("accuracy")), "var(--accent)", (5, 3))
    return Dots(found, _names(found), slots=2, lines=[_chance(data), whole])


def overview(lines: Sequence[Line]) -> Dots:
    """Draw a row a benchmark: the learner, two rules and chance on one axis."""
    found: list[Spec] = []
    ticks = []
    for line in lines:
        for slot, (part, title) in enumerate(MARKS):
            found += _dot(line.title, getattr(line, part), LOOKS[slot], slot, title)
        if (chance := _hundred(line.chance)) is not None:
            ticks.append({"name": row_name(line.title), "at": chance})
    order = list(dict.fromkeys(row_name(line.title) for line in lines))
    return Dots(found, order, slots=len(MARKS), ticks=ticks)


def calibration(data: Data) -> Spec | None:
    """Draw how often the learner is right against how sure it was, n above where there is room."""
    import altair as alt

    rows = [_bin(one) for one in bins_of(data)]
    if not rows:
        return None
    places = [row[k] for row in rows for k in ("said", "right", "low", "high")]
    ends = [place for place in places if place is not None]
    step = 20 if max(ends) - min(ends) > 50 else 10
    high = step * max(1, ceil(max(ends) / step))
    low = min(step * floor(min(ends) / step), high - step)
    # Bins of equally many questions lie close together, and their n side by side would be a blur.
    gaps = [after["said"] - before["said"] for before, after in pairwise(rows)]
    roomy = all(gap >= 0.055 * (high - low) for gap in gaps)
    top = high + (0.12 * (high - low) if roomy else 0)
    ticks = list(range(low, high + 1, step))
    axis: dict[str, Any] = {
        "labelExpr": "datum.value + ' %'",
        "tickCount": len(ticks),
        "values": ticks,
    }
    base = alt.Chart(vega.values(rows))
    x = alt.X(
        "said:Q",
        title="how sure it was, on average",
        scale=alt.Scale(domain=[low, high], nice=False, zero=False),
        axis=alt.Axis(**axis, grid=False),
    )

    def y(field: str) -> alt.Y:
        scale = alt.Scale(domain=[low, top], nice=False, zero=False)
        return alt.Y(f"{field}:Q", title="right", scale=scale, axis=alt.Axis(**axis))

    ideal = alt.Chart(vega.values([{"said": end, "right": end} for end in (low, high)]))
    layers = [
        ideal.mark_line(color="var(--ink-2)", strokeDash=[6, 4], strokeWidth=1.5).encode(
            x=x, y=y("right")
        ),
        base.mark_rule(color="var(--accent)", strokeWidth=2).encode(
            x=x, y=y("low"), y2=alt.Y2("high:Q")
        ),
        base.mark_point(
            shape="circle", size=90, filled=True, opacity=1, stroke="var(--paper)", strokeWidth=1.5
        ).encode(
            x=x, y=y("right"), color=alt.value("var(--accent)"), tooltip=alt.Tooltip("told:N")
        ),
    ]
    if roomy:
        above = base.mark_text(fontSize=11, color="var(--ink-2)")
        place = alt.YDatum(high + 0.07 * (high - low))
        layers.append(above.encode(x=x, y=place, text=alt.Text("n:N")))
    return vega.finish(alt.layer(*layers), height=290, right=18)


def _bin(one: Data) -> Spec:
    right = one["right"]
    return {
        "said": _hundred(one["predicted"]),
        "right": _hundred(right["value"]),
        "low": _hundred(right["low"]),
        "high": _hundred(right["high"]),
        "n": numbers.count(one["n"]),
        "told": f"said {span(one)}: right {text_figures.long(right)}",
    }


def scores(data: Data) -> Spec | None:
    """Draw how many questions have how high a held-out probability of the key."""
    import altair as alt

    bins = (data.get("scores") or {}).get("histogram") or ()
    if not any(one["n"] for one in bins):
        return None
    rows = [
        {
            "low": 100 * one["low"],
            "high": 100 * one["high"],
            "n": one["n"],
            "none": 0,
            "told": f"P(key) {span(one)}: {numbers.plural(one['n'], 'question')}",
        }
        for one in bins
    ]
    x = alt.X(
        "low:Q",
        title="held-out probability of the key",
        scale=alt.Scale(domain=[0, 100], nice=False),
        axis=vega.percent_axis(),
    )
    y = alt.Y("n:Q", title="questions", axis=alt.Axis(tickCount=3, format=",d"))
    bars = alt.Chart(vega.values(rows)).mark_bar(
        color="var(--accent-pale)", stroke="var(--paper)", strokeWidth=1
    )
    chart = bars.encode(
        x=x, x2=alt.X2("high:Q"), y=y, y2=alt.Y2("none:Q"), tooltip=alt.Tooltip("told:N")
    )
    return vega.finish(alt.layer(chart), height=120, right=18)


def pruning(data: Data) -> Spec | None:
    """Draw what the learner still reaches after the easiest questions are removed."""
    import altair as alt

    rows: list[Spec] = []
    for point in (data.get("pruning") or {}).get("curve") or ():
        left = point["left"]
        if left["value"] is not None:
            rows.append(
                {
                    "removed": _hundred(point["removed_share"]),
                    "left": _hundred(left["value"]),
                    "low": _hundred(left["low"]),
                    "high": _hundred(left["high"]),
                    "chance": _hundred(point.get("chance")),
                    "told": f"{numbers.percent(point['removed_share'], 1)} removed: right on the "
                    f"rest {text_figures.long(left)}",
                }
            )
    if not rows:
        return None
    scale = scale_of([row[k] for row in rows for k in ("left", "low", "high", "chance")])
    base = alt.Chart(vega.values(rows))
    last = max(row["removed"] for row in rows) or 1.0
    x = alt.X(
        "removed:Q",
        title="share of questions removed",
        scale=alt.Scale(domain=[0, 1.04 * last], nice=False),
        axis=vega.percent_axis(),
    )

    def y(field: str) -> alt.Y:
        return alt.Y(f"{field}:Q", title="right on the rest", scale=scale, axis=vega.percent_axis())

    layers = [
        base.mark_area(color="var(--band)").encode(x=x, y=y("low"), y2=alt.Y2("high:Q")),
        base.mark_line(color="var(--ink-2)", strokeWidth=1.5).encode(x=x, y=y("chance")),
        base.mark_line(color="var(--accent)", strokeWidth=2.5).encode(x=x, y=y("left")),
        base.mark_point(
            shape="circle", size=80, filled=True, opacity=1, stroke="var(--paper)", strokeWidth=1.5
        ).encode(x=x, y=y("left"), color=alt.value("var(--accent)"), tooltip=alt.Tooltip("told:N")),
    ]
    return vega.finish(alt.layer(*layers), height=240, right=18)


def _dot(name: str, estimate: Any, look: Look, slot: int = 0, part: str = "") -> list[Spec]:
    def write(given: Any) -> tuple[str, str]:
        title = f"{row_name(name)}, {part}" if part else row_name(name)
        return text_figures.value(given), f"{title}: {text_figures.long(given)}"

    return dot(name, estimate, look, write, slot)


def _names(dots: Sequence[Spec]) -> list[str]:
    return list(dict.fromkeys(dot["name"] for dot in dots))


def _chance(data: Data) -> tuple[float | None, str, tuple[int, ...]]:
    return (_hundred(data["headline"].get("chance")), "var(--ink-2)", ())


def _hundred(given: Any) -> float | None:
    """Return an estimate's value, or a bare share, in percent."""
    return vega.hundred(given.get("value") if isinstance(given, Mapping) else given)
