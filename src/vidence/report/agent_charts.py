"""Charts of an agent's report as Vega-Lite specs: scores, conditions, routing, trust.

As in `charts`: colours are names of the style sheet, every text is data, and a chart without a
single number is None.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from vidence.report import numbers, text_figures, vega
from vidence.report.agent_policy_tables import POLICIES, TRUSTS
from vidence.report.agent_tables import rung_name
from vidence.report.dots import Dots, Look, dot, row_name, scale_of
from vidence.report.vega import Spec

Data = Mapping[str, Any]

FLIPS, RIGHT = Look("var(--accent)"), Look("var(--accent-2)", "diamond")
LINES = ("var(--accent)", "var(--m0)", "var(--accent-2)")
MARKED = {"never": "square", "always": "diamond", "inclusive": "circle", "strict": "triangle-up"}


def deltas(data: Data) -> Dots:
    """Draw Delta of every agent with its interval, on one axis with 0 marked."""

    def write(estimate: Any) -> tuple[str, str]:
        shown = text_figures.points(estimate)
        return text_figures.gain(estimate), f"{shown} points, {numbers.of(estimate, 'question')}"

    found: list[Spec] = []
    for name, block in data["agents"].items():
        found += dot(name, block["delta"], FLIPS, write)
    order = [one["name"] for one in found]
    line = (0.0, "var(--ink-2)", ())
    title = "Delta, percentage points"
    return Dots(found, order, lines=[line], figures=True, title=title, least=-100.0)


def ladder(block: Data) -> Dots:
    """Draw flips and accuracy under every condition."""
    found: list[Spec] = []
    parts = (("flips", FLIPS), ("accuracy", RIGHT))
    for rung in block["ladder"]:
        for slot, (part, look) in enumerate(parts):
            told = "changed" if part == "flips" else "right"

            def write(given: Any, told: str = told) -> tuple[str, str]:
                return text_figures.value(given), f"{told}: {text_figures.long(given)}"

            found += dot(rung_name(rung), rung[part], look, write, slot)
    order = list(dict.fromkeys(row_name(rung_name(rung)) for rung in block["ladder"]))
    return Dots(found, order, slots=len(parts), title="share of replays")


def distribution(block: Data) -> Spec | None:
    """Draw how many questions have which Delta, beside what the pooled rates alone would give."""
    import altair as alt

    bins = block["distribution"]
    if not bins:
        return None
    k = block["k"]
    rows = [
        {
            "low": 100 * (one["score"] - 0.42 / k),
            "high": 100 * (one["score"] + 0.42 / k),
            "left": 100 * (one["score"] - 0.5 / k),
            "right": 100 * (one["score"] + 0.5 / k),
            "n": one["n"],
            "chance": one["homogeneous"],
            "none": 0,
            "told": f"Delta {_points(one['score'])}: {numbers.plural(one['n'], 'question')}; "
            f"{one['homogeneous']:.1f} if all flipped at the pooled rates",
        }
        for one in bins
    ]
    scale = alt.Scale(domain=[-100 - 50 / k, 100 + 50 / k], nice=False, zero=False)
    values = [-100, -50, 0, 50, 100]
    x = alt.X(
        "low:Q",
        title="Delta of a question, percentage points",
        scale=scale,
        axis=alt.Axis(values=values, grid=False),
    )
    y = alt.Y("n:Q", title="questions", axis=alt.Axis(tickCount=4, format=",d", tickMinStep=1))
    base = alt.Chart(vega.values(rows))
    bars = base.mark_bar(color="var(--accent-pale)").encode(
        x=x, x2=alt.X2("high:Q"), y=y, y2=alt.Y2("none:Q"), tooltip=alt.Tooltip("told:N")
    )
    expected = base.mark_rule(color="var(--accent-2)", strokeWidth=2.5).encode(
        x=alt.X("left:Q", scale=scale), x2=alt.X2("right:Q"), y=alt.Y("chance:Q")
    )
    return vega.finish(alt.layer(bars, expected), height=220, right=12)


def routing(block: Data) -> Spec | None:
    """Draw accuracy against the share deferred: by score, at random with its band, by oracle."""
    import altair as alt

    given = block["routing"]
    if "why" in given or len(given["curve"]) < 2:
        return None
    n, start = given["universe"], given["rows"][0]["accuracy"]["value"]
    rows = [
        {
            "share": 100 * point["deferred"] / n,
            **{
                name: 100 * (start + point[name] / n)
                for name in ("score", "random", "low", "high", "oracle")
            },
        }
        for point in given["curve"]
    ]
    marks = [_mark(row, n) for row in given["rows"] if row["policy"] in MARKED]
    scale = scale_of([row[name] for row in rows for name in ("score", "low", "high", "oracle")])
    base = alt.Chart(vega.values(rows))
    x = alt.X(
        "share:Q",
        title="share of questions deferred",
        scale=alt.Scale(domain=[0, 100], nice=False),
        axis=vega.percent_axis(),
    )

    def y(field: str) -> alt.Y:
        return alt.Y(f"{field}:Q", title="right", scale=scale, axis=vega.percent_axis())

    layers = [
        base.mark_area(color="var(--null)").encode(x=x, y=y("low"), y2=alt.Y2("high:Q")),
        base.mark_line(color="var(--ink-2)", strokeWidth=1.5, strokeDash=[6, 4]).encode(
            x=x, y=y("random")
        ),
        base.mark_line(color="var(--ink-3)", strokeWidth=1.5).encode(x=x, y=y("oracle")),
        base.mark_line(color="var(--accent)", strokeWidth=2.5).encode(x=x, y=y("score")),
        alt.Chart(vega.values(marks))
        .mark_point(filled=True, size=90, opacity=1, stroke="var(--paper)", strokeWidth=1.5)
        .encode(
            x=x,
            y=y("right"),
            color=alt.value("var(--accent-2)"),
            shape=vega.raw_shape(alt, "shape"),
            tooltip=alt.Tooltip("told:N"),
        ),
    ]
    return vega.finish(alt.layer(*layers), height=280, right=18)


def trust(block: Data) -> Spec | None:
    """Draw accuracy of the most trusted answers against how many are kept."""
    import altair as alt

    lines = block["selective"].get("scores", {})
    rows: list[Spec] = []
    for colour, (name, facts) in zip(LINES, lines.items(), strict=False):
        rows += [
            {
                "kept": 100 * point["coverage"],
                "right": 100 * point["accuracy"],
                "name": TRUSTS.get(name, name),
                "colour": colour,
                "told": f"{TRUSTS.get(name, name)}: {numbers.percent(point['accuracy'], 1)} right "
                f"of the most trusted {numbers.percent(point['coverage'])}",
            }
            for point in facts["curve"]
        ]
    if len(rows) < 2:
        return None
    x = alt.X(
        "kept:Q",
        title="share of answers kept, most trusted first",
        scale=alt.Scale(domain=[0, 100], nice=False),
        axis=vega.percent_axis(),
    )
    y = alt.Y("right:Q", title="right", scale=_scale(rows), axis=vega.percent_axis())
    lined = alt.Chart(vega.values(rows)).mark_line(strokeWidth=2.5)
    chart = lined.encode(
        x=x, y=y, color=vega.raw(alt, "colour"), detail="name:N", tooltip=alt.Tooltip("told:N")
    )
    return vega.finish(alt.layer(chart), height=240, right=18)


def _mark(row: Data, n: int) -> Spec:
    told = POLICIES.get(row["policy"], row["policy"])
    return {
        "share": 100 * row["selected"] / n,
        "right": vega.hundred(row["accuracy"]["value"]),
        "shape": MARKED[row["policy"]],
        "told": f"{told}: {numbers.count(row['selected'])} deferred, "
        f"{text_figures.long(row['accuracy'])}",
    }


def _scale(rows: Sequence[Spec]) -> Any:
    return scale_of([row["right"] for row in rows])


def _points(score: float) -> str:
    return numbers.difference(score, 0)
