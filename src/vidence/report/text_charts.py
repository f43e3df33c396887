"""Charts of a text-only report as Vega-Lite specs: rules on one axis, and how sure the learner is.

As in `charts`: colours are names of the style sheet, every text is data, and a chart without a
single number is None.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from vidence.report import numbers, text_figures, vega
from vidence.report.text_tables import LEARNER, span
from vidence.report.untrusted import visible
from vidence.report.vega import Spec

Data = Mapping[str, Any]

ROW = 27
LABEL = 60


def guesses(data: Data) -> Spec | None:
    """Draw the learner and each guessing rule as a dot with its interval, best rule first.

    Chance is a thin line through all rows; behind the learner lies what it reaches where keys
    are shuffled. A filled dot is above chance at the level that all rules share.
    """
    rows: list[Spec] = []
    learner, chance = data["learner"], _value(data["headline"].get("chance"))
    if learner:
        rows += _dot(LEARNER, learner["accuracy"], sure=True, main=True)
    rules = [rule for name, rule in data["priors"].items() if name != "chance"]
    rules.sort(key=lambda rule: -(_value(rule["accuracy"]) or 0.0))
    for rule in rules:
        rows += _dot(rule["title"], rule["accuracy"], sure=bool(rule.get("claimed")))
    if not rows:
        return None
    null = (learner or {}).get("null") or {}
    low, high = _hundred(null.get("low", null.get("mean"))), _hundred(null.get("high"))
    bands = []
    if learner and low is not None and high is not None:
        told = f"shuffled keys: {low:.1f} to {high:.1f} %"
        bands = [{"name": rows[0]["name"], "low": low, "high": high, "told": told}]
    return _dots(rows, chance, bands)


def overlap(data: Data) -> Spec | None:
    """Draw how often the option that fits the transcript is right, own and others' transcripts."""
    given = data.get("overlap")
    if not given:
        return None
    rows = _dot("own transcript", given["accuracy"], sure=True, main=True)
    rows += _dot("other videos' transcripts", given.get("swapped"))
    return _dots(rows, _value(given.get("chance")), ()) if rows else None


def families(data: Data) -> Spec | None:
    """Draw what each family of features reaches alone, and what the learner reaches without it."""
    import altair as alt

    dots: list[Spec] = []
    given = (data["learner"] or {}).get("families") or ()
    for family in given:
        title = visible(family["title"], LABEL)
        for slot, key in enumerate(("alone", "without")):
            found = _dot(title, family.get(key))
            for dot in found:
                dots.append(
                    {
                        **dot,
                        "slot": slot,
                        "colour": ("var(--accent)", "var(--accent-2)")[slot],
                        "shape": ("circle", "diamond")[slot],
                        "told": f"{title}, {key}: {text_figures.long(family[key])}",
                    }
                )
    if not dots:
        return None
    order = list(dict.fromkeys(dot["name"] for dot in dots))
    lines = [_value(data["headline"].get("chance")), _value(data["learner"]["accuracy"])]
    scale = scale_of(dots, lines)
    y = rows_of(alt, order)
    offset = alt.YOffset("slot:O", scale=alt.Scale(domain=[0, 1], paddingOuter=0.6))
    base = alt.Chart(vega.values(dots)).encode(y=y, yOffset=offset)
    x = alt.X("value:Q", title="right answers", scale=scale, axis=vega.percent_axis())
    layers = [
        *_lines(alt, lines[:1], scale, "var(--ink-2)", ()),
        *_lines(alt, lines[1:], scale, "var(--accent)", (5, 3)),
        base.mark_rule(strokeWidth=2).encode(
            x=alt.X("low:Q", scale=scale), x2=alt.X2("high:Q"), color=vega.raw(alt, "colour")
        ),
        base.mark_point(filled=True, size=75, opacity=1).encode(
            x=x,
            color=vega.raw(alt, "colour"),
            shape=vega.raw_shape(alt, "shape"),
            tooltip=alt.Tooltip("told:N"),
        ),
    ]
    return vega.finish(alt.layer(*layers), height=len(order) * 40)


def calibration(data: Data) -> Spec | None:
    """Draw how often the learner is right against how sure it was, n of each bin above."""
    import altair as alt

    rows = []
    for one in ((data["learner"] or {}).get("calibration") or {}).get("bins") or ():
        right = one["right"]
        if not one["n"] or right["value"] is None:
            continue
        rows.append(
            {
                "said": _hundred(one["predicted"]),
                "right": _hundred(right["value"]),
                "low": _hundred(right["low"]),
                "high": _hundred(right["high"]),
                "n": numbers.count(one["n"]),
                "told": f"said {span(one)}: right {text_figures.long(right)}",
            }
        )
    if not rows:
        return None
    base = alt.Chart(vega.values(rows))
    axis: dict[str, Any] = {"labelExpr": "datum.value + ' %'", "values": list(range(0, 101, 20))}
    x = alt.X(
        "said:Q",
        title="said: chance of the key, on average",
        scale=alt.Scale(domain=[0, 100], nice=False),
        axis=alt.Axis(**axis, grid=False),
    )

    def y(field: str) -> alt.Y:
        scale = alt.Scale(domain=[0, 112], nice=False)
        return alt.Y(f"{field}:Q", title="right", scale=scale, axis=alt.Axis(**axis))

    ends = alt.Chart(vega.values([{"said": 0, "right": 0}, {"said": 100, "right": 100}]))
    layers = [
        ends.mark_line(color="var(--ink-2)", strokeDash=[6, 4], strokeWidth=1.5).encode(
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
        base.mark_text(fontSize=11, color="var(--ink-2)").encode(
            x=x, y=alt.YDatum(107), text=alt.Text("n:N")
        ),
    ]
    return vega.finish(alt.layer(*layers), height=290, right=18)


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
    chart = bars.encode(x=x, x2=alt.X2("high:Q"), y=y, tooltip=alt.Tooltip("told:N"))
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
                    "chance": _value(point.get("chance")),
                    "told": f"{numbers.percent(point['removed_share'], 1)} removed: right on the "
                    f"rest {text_figures.long(left)}",
                }
            )
    if not rows:
        return None
    scale = scale_of(rows, [row["chance"] for row in rows], ("left", "low", "high"))
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


def _dots(rows: list[Spec], chance: float | None, bands: Sequence[Spec]) -> Spec:
    """Draw dots with intervals on one axis, figures at the right."""
    import altair as alt

    order = list(dict.fromkeys(row["name"] for row in rows))
    scale = scale_of(rows, [chance, *(band[end] for band in bands for end in ("low", "high"))])
    y = rows_of(alt, order)
    base = alt.Chart(vega.values(rows)).encode(y=y)
    x = alt.X("value:Q", title="right answers", scale=scale, axis=vega.percent_axis())
    shades = alt.Chart(vega.values(list(bands)))
    layers = [
        shades.mark_bar(height=ROW - 3, color="var(--null)").encode(
            y=y,
            x=alt.X("low:Q", scale=scale),
            x2=alt.X2("high:Q"),
            tooltip=alt.Tooltip("told:N"),
        ),
        *_lines(alt, [chance], scale, "var(--ink-2)", ()),
        base.mark_rule(strokeWidth=2).encode(
            x=alt.X("low:Q", scale=scale), x2=alt.X2("high:Q"), color=vega.raw(alt, "colour")
        ),
        base.mark_point(filled=True, size=80, opacity=1, strokeWidth=2).encode(
            x=x,
            fill=alt.Fill("fill:N", scale=None, legend=None),
            stroke=alt.Stroke("colour:N", scale=None, legend=None),
            tooltip=alt.Tooltip("told:N"),
        ),
        base.mark_text(align="left", dx=10).encode(x=alt.value("width"), text=alt.Text("text:N")),
    ]
    return vega.finish(alt.layer(*layers), height=len(order) * ROW, right=58)


def _dot(name: str, estimate: Any, *, sure: bool = False, main: bool = False) -> list[Spec]:
    """Return a row of a dot plot; none where nothing was measured."""
    if not estimate or numbers.number(estimate.get("value")) is None:
        return []
    title = visible(name, LABEL)
    colour = "var(--accent)" if main else "var(--ink-2)"
    return [
        {
            "name": title,
            "value": _hundred(estimate["value"]),
            "low": _hundred(estimate["low"]),
            "high": _hundred(estimate["high"]),
            "colour": colour,
            "fill": colour if sure else "var(--paper)",
            "text": text_figures.value(estimate),
            "told": f"{title}: {text_figures.long(estimate)}",
        }
    ]


def _lines(
    alt: Any, places: Sequence[float | None], scale: Any, colour: str, dash: Sequence[int]
) -> list[Any]:
    """Return thin lines through all rows; none for a place that is None."""
    rows = [{"at": place} for place in places if place is not None]
    if not rows:
        return []
    mark = alt.Chart(vega.values(rows)).mark_rule(
        color=colour, strokeWidth=1.5, strokeDash=list(dash)
    )
    return [mark.encode(x=alt.X("at:Q", scale=scale))]


def scale_of(
    rows: Sequence[Spec],
    others: Sequence[float | None],
    fields: Sequence[str] = ("value", "low", "high"),
) -> Any:
    """Return the scale that holds all numbers; dots need no zero."""
    import altair as alt

    found = [row[field] for row in rows for field in fields if row[field] is not None]
    found += [place for place in others if place is not None]
    least, most = min(found), max(found)
    room = max(1.0, 0.05 * (most - least))
    return alt.Scale(
        domain=[max(0.0, least - room), min(100.0, most + room)], nice=False, zero=False
    )


def rows_of(alt: Any, order: Sequence[str]) -> Any:
    """Return the axis of names, a row each."""
    return alt.Y(
        "name:N",
        title=None,
        sort=list(order),
        scale=alt.Scale(domain=list(order), paddingInner=0, paddingOuter=0),
        axis=alt.Axis(grid=True, tickBand="extent", labelLimit=190, labelColor="var(--ink)"),
    )


def _value(given: Any) -> float | None:
    """Return an estimate's value, or a bare share, in percent."""
    return _hundred(given.get("value") if isinstance(given, Mapping) else given)


def _hundred(share: Any) -> float | None:
    return vega.hundred(share)
