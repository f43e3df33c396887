"""Charts of the benchmark report as Vega-Lite specs, built with altair.

Colours are names of the page's style sheet (`var(--accent)`), so that one drawing serves light,
dark and print. Every text in a chart is data; no text of a dataset enters an expression or a
field's name. A chart without a single number is None, and the page says so in words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from vidence.report import numbers
from vidence.report.palette import Palette
from vidence.report.untrusted import visible

Spec = dict[str, Any]
Data = Mapping[str, Any]

ROW = 18
FONT = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', 'Liberation Sans', Arial, sans-serif"
CONFIG: Spec = {
    "background": "transparent",
    "font": FONT,
    "padding": 4,
    "view": {"stroke": None},
    "axis": {
        "labelColor": "var(--ink-2)",
        "titleColor": "var(--ink-2)",
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "domain": False,
        "ticks": False,
        "labelPadding": 6,
        "gridColor": "var(--line)",
        "labelFont": FONT,
        "titleFont": FONT,
    },
    "axisQuantitative": {"tickCount": 5},
    "text": {"color": "var(--ink)", "fontSize": 12, "font": FONT},
}


def curve(data: Data) -> Spec | None:
    """Draw the share flagged against the threshold, over the luck line, with the excess shaded."""
    import altair as alt

    chosen = data["headline"]["threshold"]
    rows = [_curve_row(point, chosen) for point in data["curve"]]
    rows = [row for row in rows if row["shortcut"] is not None]
    if not rows:
        return None
    first, last = rows[0]["c"], rows[-1]["c"]
    pad = 0.18 if last > first else 0.5
    x = alt.X(
        "c:Q",
        title=f"models that must be right, of {data['headline']['panel_size']}",
        scale=alt.Scale(domain=[first - pad, last + pad], nice=False),
        axis=alt.Axis(values=[row["c"] for row in rows], format="d", grid=False),
    )
    base = alt.Chart(_values(rows))

    def y(field: str) -> alt.Y:
        return alt.Y(f"{field}:Q", title=None, scale=_percent_scale(), axis=_percent_axis())

    line = {"strokeWidth": 2.5, "interpolate": "linear"}
    layers = [
        base.mark_area(color="var(--excess)").encode(x=x, y=y("luck"), y2="shortcut:Q"),
        base.mark_area(color="var(--band)").encode(x=x, y=y("low"), y2="high:Q"),
        base.mark_line(color="var(--ink-3)", strokeDash=[1, 4], strokeWidth=1.5).encode(
            x=x, y=y("independent")
        ),
        base.mark_line(color="var(--ink-2)", strokeDash=[6, 4], strokeWidth=2).encode(
            x=x, y=y("luck")
        ),
        base.mark_line(color="var(--accent)", **line).encode(x=x, y=y("shortcut")),
        base.mark_rule(color="var(--accent)", strokeWidth=1.5).encode(
            x=x, y=y("low"), y2="high:Q", tooltip="told:N"
        ),
        base.mark_rule(color="var(--accent-2)", strokeWidth=5, opacity=0.55).encode(
            x=x, y=y("worst"), y2="best:Q", tooltip="told:N"
        ),
        base.mark_point(
            shape="circle", size=70, filled=True, opacity=1, stroke="var(--paper)", strokeWidth=1.5
        ).encode(x=x, y=y("luck"), color=alt.value("var(--ink-2)"), tooltip="told:N"),
        base.mark_point(
            shape="circle", size=110, filled=True, opacity=1, stroke="var(--paper)", strokeWidth=1.5
        ).encode(x=x, y=y("shortcut"), color=alt.value("var(--accent)"), tooltip="told:N"),
    ]
    for row in rows:
        layers += _curve_labels(alt, row, x, y)
    return _finish(alt.layer(*layers), height=300)


def _curve_row(point: Data, chosen: int) -> Spec:
    shortcut, luck = point["shortcut"], point["luck"]
    lowest, highest = point.get("bounds") or (None, None)
    told = (
        f"at least {point['c']} right: {numbers.short(shortcut)} flagged, luck alone "
        f"{numbers.value(luck)}, excess {numbers.short_difference(point['excess'])} points"
    )
    best, worst = _hundred(highest), _hundred(lowest)
    return {
        "c": point["c"],
        "shortcut": _hundred(shortcut["value"]),
        "low": _hundred(shortcut["low"]),
        "high": _hundred(shortcut["high"]),
        "luck": _hundred(luck["value"]),
        "independent": _hundred(point.get("independent")),
        # Bounds are drawn only where a missing reply could move the share.
        "best": best if best != worst else None,
        "worst": worst if best != worst else None,
        "text": numbers.value(shortcut),
        "luck_text": numbers.value(luck),
        "chosen": point["c"] == chosen,
        "told": told,
    }


def _curve_labels(alt: Any, row: Spec, x: Any, y: Any) -> list[Any]:
    """Place a point's two labels apart: the higher one above, the lower one below."""
    luck, share = row["luck"], row["shortcut"]
    up = luck is None or share >= luck
    top = max(row["high"] or share, row["best"] or share) if up else share
    data = _values([{**row, "top": top}])
    weight = "bold" if row["chosen"] else "normal"
    labels = [
        alt.Chart(data)
        .mark_text(dx=9, dy=-11 if up else 15, align="left", fontSize=15, fontWeight=weight)
        .encode(x=x, y=y("shortcut"), text="text:N", color=alt.value("var(--accent-ink)"))
    ]
    if luck is not None:
        labels.append(
            alt.Chart(data)
            .mark_text(dx=9, dy=15 if up else -11, align="left", fontSize=13)
            .encode(x=x, y=y("luck"), text="luck_text:N", color=alt.value("var(--ink-2)"))
        )
    return labels


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
                "value": _hundred(estimate["value"]),
                "low": _hundred(estimate["low"]),
                "high": _hundred(estimate["high"]),
                "colour": look.colour,
                "shape": look.shape,
                "told": f"{check}, {name}: {numbers.long(estimate)}",
            }
        )
        slot[check] += 1
        if row.get("chance") and row["chance"]["value"] is not None:
            chance.append({"check": check, "chance": _hundred(row["chance"]["value"])})
    if not dots:
        return None
    slots = max(slot.values())
    y = _rows(alt, order)
    offset = alt.YOffset("slot:O", scale=alt.Scale(domain=list(range(slots)), paddingOuter=0.6))
    x = alt.X("value:Q", title="right answers, %", scale=_percent_scale(), axis=_percent_axis())
    base = alt.Chart(_values(dots))
    layers = [
        alt.Chart(_values(_once(chance)))
        .mark_tick(thickness=1.5, color="var(--ink-2)", bandSize=row_height(slots))
        .encode(y=y, x=alt.X("chance:Q", scale=_percent_scale())),
        base.mark_rule(strokeWidth=2).encode(
            y=y, yOffset=offset, x=alt.X("low:Q"), x2="high:Q", color=_raw(alt, "colour")
        ),
        base.mark_point(filled=True, size=75, opacity=1).encode(
            y=y,
            yOffset=offset,
            x=x,
            color=_raw(alt, "colour"),
            shape=_raw_shape(alt, "shape"),
            tooltip="told:N",
        ),
    ]
    return _finish(alt.layer(*layers), height=len(order) * row_height(slots))


def flags(data: Data) -> Spec | None:
    """Draw what each check flags: only here, and here and elsewhere, with the luck line."""
    import altair as alt

    chosen = data["headline"]["threshold"]
    bars, luck, texts = [], [], []
    for row in data["checks"]:
        if not 0 < chosen <= len(row["flagged"]):
            continue
        flagged, alone = row["flagged"][chosen - 1], row["unique_share"]
        share = _hundred(flagged["value"])
        if share is None:
            continue
        check = visible(row["check"], 60)
        only = min(_hundred(alone["value"]) or 0.0, share)
        told = f"{check}: {numbers.long(flagged)}, {numbers.value(alone)} flagged only here"
        bars += [
            {"check": check, "from": 0.0, "to": only, "fill": "var(--accent)", "told": told},
            {"check": check, "from": only, "to": share, "fill": "var(--accent-pale)", "told": told},
        ]
        texts.append({"check": check, "to": share, "text": numbers.value(flagged)})
        chance = row["luck"][chosen - 1]["value"] if len(row["luck"]) >= chosen else None
        if chance is not None:
            luck.append({"check": check, "luck": _hundred(chance)})
    if not bars:
        return None
    order = check_order(data)
    slots = slots_of(data)
    y = _rows(alt, order)
    top = max(bar["to"] for bar in bars)
    scale = alt.Scale(domain=[0, min(100, max(10, 1.25 * top + 5))], nice=False, clamp=True)
    x = alt.X("from:Q", title="flagged, %", scale=scale, axis=_percent_axis(4))
    layers = [
        alt.Chart(_values(bars))
        .mark_bar(height=ROW - 4)
        .encode(y=y, x=x, x2="to:Q", color=_raw(alt, "fill"), tooltip="told:N"),
        alt.Chart(_values(luck))
        .mark_tick(thickness=2, color="var(--ink)", bandSize=ROW + 6)
        .encode(y=y, x=alt.X("luck:Q", scale=scale)),
        alt.Chart(_values(texts))
        .mark_text(align="left", dx=6)
        .encode(y=y, x=alt.X("to:Q", scale=scale), text="text:N"),
    ]
    return _finish(alt.layer(*layers), height=len(order) * row_height(slots))


def two_rates(rows: Sequence[Spec]) -> Spec | None:
    """Draw up to two rates a row with their intervals.

    Args:
        rows: `{"name", "first": Estimate, "second": Estimate}`.
    """
    import altair as alt

    dots = []
    for row in rows:
        for slot, key in enumerate(("first", "second")):
            estimate = row.get(key)
            if not estimate or estimate["value"] is None:
                continue
            dots.append(
                {
                    "name": visible(row["name"], 60),
                    "slot": slot,
                    "value": _hundred(estimate["value"]),
                    "low": _hundred(estimate["low"]),
                    "high": _hundred(estimate["high"]),
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
    base = alt.Chart(_values(dots)).encode(
        y=y, yOffset=offset, x=alt.X("value:Q", title="%", scale=scale, axis=_percent_axis())
    )
    layers = [
        base.mark_rule(strokeWidth=2).encode(
            x=alt.X("low:Q"), x2="high:Q", color=_raw(alt, "colour")
        ),
        base.mark_point(filled=True, size=80, opacity=1).encode(
            color=_raw(alt, "colour"), shape=_raw_shape(alt, "shape"), tooltip="told:N"
        ),
    ]
    return _finish(alt.layer(*layers), height=len(order) * row_height(2))


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


def _raw(alt: Any, field: str) -> Any:
    return alt.Color(f"{field}:N", scale=None, legend=None)


def _raw_shape(alt: Any, field: str) -> Any:
    return alt.Shape(f"{field}:N", scale=None, legend=None)


def _percent_scale() -> Any:
    import altair as alt

    return alt.Scale(domain=[0, 100], nice=False)


def _percent_axis(ticks: int = 5) -> Any:
    import altair as alt

    return alt.Axis(labelExpr="datum.value + ' %'", tickCount=ticks)


def _values(rows: Sequence[Spec]) -> Any:
    import altair as alt

    return alt.Data(values=list(rows))


def _hundred(share: Any) -> float | None:
    value = numbers.number(share)
    return None if value is None else round(100 * value, 4)


def _once(rows: Sequence[Spec]) -> list[Spec]:
    return list({tuple(row.items()): row for row in rows}.values())


def _finish(chart: Any, height: int) -> Spec:
    spec: Spec = chart.properties(width="container", height=height).to_dict()
    spec["config"] = CONFIG
    spec["autosize"] = {"type": "fit-x", "contains": "padding"}
    return spec
