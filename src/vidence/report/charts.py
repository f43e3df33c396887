"""Charts of the benchmark report as Vega-Lite specs, built with altair.

Colours are names of the page's style sheet (`var(--accent)`), so that one drawing serves light,
dark and print. Every text in a chart is data; no text of a dataset enters an expression or a
field's name. A chart without a single number is None, and the page says so in words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from vidence.report import numbers, vega
from vidence.report.palette import Palette
from vidence.report.tables import at
from vidence.report.untrusted import visible
from vidence.report.vega import Spec

Data = Mapping[str, Any]

ROW = 18


def accuracy(data: Data, palette: Palette) -> Spec | None:
    """Draw a row a check, a dot a model with its interval, and chance as a thin line."""
    import altair as alt

    order = check_order(data)
    dots, chance, slot = [], [], dict.fromkeys(order, 0)
    for row in data["accuracy"]:
        estimate = row["accuracy"]
        if estimate["value"] is None:
            continue
        name, look = visible(row["answerer"], 60), palette[row["answerer"]]
        check = visible(row["check"], 60)
        dots.append(
            {
                "check": check,
                "slot": slot[check],
                "value": vega.hundred(estimate["value"]),
                "low": vega.hundred(estimate["low"]),
                "high": vega.hundred(estimate["high"]),
                "colour": look.colour,
                "shape": look.shape,
                "told": f"{check}, {name}: {numbers.long(estimate)}",
            }
        )
        slot[check] += 1
        if row.get("chance") and row["chance"]["value"] is not None:
            chance.append({"check": check, "chance": vega.hundred(row["chance"]["value"])})
    if not dots:
        return None
    slots = max(slot.values())
    y = _rows(alt, order)
    offset = alt.YOffset("slot:O", scale=alt.Scale(domain=list(range(slots)), paddingOuter=0.6))
    x = alt.X(
        "value:Q", title="right answers", scale=vega.percent_scale(), axis=vega.percent_axis()
    )
    base = alt.Chart(vega.values(dots))
    layers = [
        alt.Chart(vega.values(vega.once(chance)))
        .mark_tick(thickness=1.5, color="var(--ink-2)", bandSize=row_height(slots))
        .encode(y=y, x=alt.X("chance:Q", scale=vega.percent_scale())),
        base.mark_rule(strokeWidth=2).encode(
            y=y,
            yOffset=offset,
            x=alt.X("low:Q"),
            x2=alt.X2("high:Q"),
            color=vega.raw(alt, "colour"),
        ),
        base.mark_point(filled=True, size=75, opacity=1).encode(
            y=y,
            yOffset=offset,
            x=x,
            color=vega.raw(alt, "colour"),
            shape=vega.raw_shape(alt, "shape"),
            tooltip=alt.Tooltip("told:N"),
        ),
    ]
    return vega.finish(alt.layer(*layers), height=len(order) * row_height(slots))


def flags(data: Data) -> Spec | None:
    """Draw what each check flags: only here, and here and elsewhere, with the luck line."""
    import altair as alt

    chosen = data["headline"]["threshold"]
    bars: list[Spec] = []
    luck: list[Spec] = []
    texts: list[Spec] = []
    for row in data["checks"]:
        flagged, alone = at(row["flagged"], chosen, row), row["unique_share"]
        if flagged is None:
            continue
        share = vega.hundred(flagged["value"])
        if share is None:
            continue
        check = visible(row["check"], 60)
        only = min(vega.hundred(alone["value"]) or 0.0, share)
        told = f"{check}: {numbers.long(flagged)}, {numbers.value(alone)} flagged only here"
        bars += [
            {"check": check, "from": 0.0, "to": only, "fill": "var(--accent)", "told": told},
            {"check": check, "from": only, "to": share, "fill": "var(--accent-pale)", "told": told},
        ]
        texts.append({"check": check, "to": share, "text": numbers.value(flagged)})
        chance = at(row["luck"], chosen, row)
        if chance is not None and chance["value"] is not None:
            luck.append({"check": check, "luck": vega.hundred(chance["value"])})
    if not bars:
        return None
    order = check_order(data)
    slots = slots_of(data)
    y = _rows(alt, order)
    top = max(bar["to"] for bar in bars)
    scale = alt.Scale(domain=[0, min(100, max(10, 1.25 * top + 5))], nice=False, clamp=True)
    x = alt.X("from:Q", title="flagged", scale=scale, axis=vega.percent_axis(4))
    layers = [
        alt.Chart(vega.values(bars))
        .mark_bar(height=ROW - 4)
        .encode(
            y=y, x=x, x2=alt.X2("to:Q"), color=vega.raw(alt, "fill"), tooltip=alt.Tooltip("told:N")
        ),
        alt.Chart(vega.values(luck))
        .mark_tick(thickness=2, color="var(--ink)", size=ROW + 6)
        .encode(y=y, x=alt.X("luck:Q", scale=scale)),
        alt.Chart(vega.values(texts))
        .mark_text(align="left", dx=6)
        .encode(y=y, x=alt.X("to:Q", scale=scale), text=alt.Text("text:N")),
    ]
    return vega.finish(alt.layer(*layers), height=len(order) * row_height(slots))


def two_rates(rows: Sequence[Spec]) -> Spec | None:
    """Draw up to two rates a row with their intervals.

    Args:
        rows: `{"name", "first": Estimate, "second": Estimate}`.
    """
    import altair as alt

    dots: list[Spec] = []
    for row in rows:
        for slot, key in enumerate(("first", "second")):
            estimate = row.get(key)
            if not estimate or estimate["value"] is None:
                continue
            dots.append(
                {
                    "name": visible(row["name"], 60),
                    "slot": slot,
                    "value": vega.hundred(estimate["value"]),
                    "low": vega.hundred(estimate["low"]),
                    "high": vega.hundred(estimate["high"]),
                    "colour": ("var(--accent)", "var(--accent-2)")[slot],
                    "shape": ("circle", "diamond")[slot],
                    "told": f"{visible(row['name'], 60)}: {numbers.long(estimate, 'case')}",
                }
            )
    if not dots:
        return None
    order = [visible(row["name"], 60) for row in rows]
    lowest = min(min(dot["value"], dot["low"] or 0) for dot in dots)
    scale = alt.Scale(domain=[min(0, lowest), 100], nice=True)
    y = _rows(alt, order, "name")
    offset = alt.YOffset("slot:O", scale=alt.Scale(domain=[0, 1], paddingOuter=0.6))
    base = alt.Chart(vega.values(dots)).encode(
        y=y, yOffset=offset, x=alt.X("value:Q", title=None, scale=scale, axis=vega.percent_axis())
    )
    layers = [
        base.mark_rule(strokeWidth=2).encode(
            x=alt.X("low:Q"), x2=alt.X2("high:Q"), color=vega.raw(alt, "colour")
        ),
        base.mark_point(filled=True, size=80, opacity=1).encode(
            color=vega.raw(alt, "colour"),
            shape=vega.raw_shape(alt, "shape"),
            tooltip=alt.Tooltip("told:N"),
        ),
    ]
    return vega.finish(alt.layer(*layers), height=len(order) * row_height(2))


def check_order(data: Data) -> list[str]:
    """Return the rows of the strip: intact first, then the checks in their order."""
    checks = [row["check"] for row in data["checks"]]
    answered = dict.fromkeys(row["check"] for row in data["accuracy"])
    first = [check for check in answered if check not in checks]
    return [visible(check, 60) for check in dict.fromkeys([*first, *checks])]


def slots_of(data: Data) -> int:
    """Return the most answerers that share a row of the strip."""
    sizes: dict[str, int] = {}
    for row in data["accuracy"]:
        if row["accuracy"]["value"] is not None:
            sizes[row["check"]] = sizes.get(row["check"], 0) + 1
    return max(sizes.values(), default=1)


def row_height(slots: int) -> int:
    """Return the height of a strip's row in pixels."""
    return max(34, ROW * slots + 10 if slots < 5 else 12 * slots + 10)


def _rows(alt: Any, order: Sequence[str], field: str = "check") -> Any:
    axis = alt.Axis(grid=True, tickBand="extent", labelLimit=170, labelColor="var(--ink)")
    return alt.Y(
        f"{field}:N",
        title=None,
        sort=list(order),
        scale=alt.Scale(domain=list(order), paddingInner=0, paddingOuter=0),
        axis=axis,
    )
