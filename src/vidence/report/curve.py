"""The shortcut curve, the first picture of a report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from vidence.report import numbers, vega
from vidence.report.vega import Spec

Data = Mapping[str, Any]


def curve(data: Data) -> Spec | None:
    """Draw the share flagged against the threshold, over the luck line, with the excess shaded."""
    import altair as alt

    chosen = data["headline"]["threshold"]
    rows = [_row(point, chosen) for point in data["curve"]]
    rows = [row for row in rows if row["shortcut"] is not None]
    if not rows:
        return None
    first, last = rows[0]["c"], rows[-1]["c"]
    pad = 0.06 * (last - first) or 0.5
    x = alt.X(
        "c:Q",
        title=f"right answers it takes, of {data['headline']['panel_size']} models",
        scale=alt.Scale(domain=[first - pad, last + pad], nice=False),
        axis=alt.Axis(values=[row["c"] for row in rows], format="d", grid=False),
    )
    base = alt.Chart(vega.values(rows))

    def y(field: str) -> alt.Y:
        return alt.Y(f"{field}:Q", title=None, scale=vega.percent_scale(), axis=vega.percent_axis())

    layers = [
        base.mark_area(color="var(--excess)").encode(x=x, y=y("luck"), y2=alt.Y2("shortcut:Q")),
        base.mark_area(color="var(--band)").encode(x=x, y=y("low"), y2=alt.Y2("high:Q")),
        base.mark_line(color="var(--ink-3)", strokeDash=[1, 4], strokeWidth=1.5).encode(
            x=x, y=y("independent")
        ),
        base.mark_line(color="var(--ink-2)", strokeDash=[6, 4], strokeWidth=2).encode(
            x=x, y=y("luck")
        ),
        base.mark_line(color="var(--accent)", strokeWidth=2.5).encode(x=x, y=y("shortcut")),
        base.mark_rule(color="var(--accent)", strokeWidth=1.5).encode(
            x=x, y=y("low"), y2=alt.Y2("high:Q"), tooltip=alt.Tooltip("told:N")
        ),
        base.mark_rule(color="var(--accent-2)", strokeWidth=5, opacity=0.55).encode(
            x=x, y=y("worst"), y2=alt.Y2("best:Q"), tooltip=alt.Tooltip("told:N")
        ),
        base.mark_point(
            shape="circle", size=70, filled=True, opacity=1, stroke="var(--paper)", strokeWidth=1.5
        ).encode(x=x, y=y("luck"), color=alt.value("var(--ink-2)"), tooltip=alt.Tooltip("told:N")),
        base.mark_point(
            shape="circle", size=110, filled=True, opacity=1, stroke="var(--paper)", strokeWidth=1.5
        ).encode(
            x=x, y=y("shortcut"), color=alt.value("var(--accent)"), tooltip=alt.Tooltip("told:N")
        ),
    ]
    layers += _labels(alt, rows, x, y)
    return vega.finish(alt.layer(*layers), height=300, right=48)


def _row(point: Data, chosen: int) -> Spec:
    shortcut, luck = point["shortcut"], point["luck"]
    lowest, highest = point.get("bounds") or (None, None)
    told = (
        f"at least {point['c']} right: {numbers.short(shortcut)} flagged, luck alone "
        f"{numbers.value(luck)}, excess {numbers.short_difference(point['excess'])} points"
    )
    best, worst = vega.hundred(highest), vega.hundred(lowest)
    return {
        "c": point["c"],
        "shortcut": vega.hundred(shortcut["value"]),
        "low": vega.hundred(shortcut["low"]),
        "high": vega.hundred(shortcut["high"]),
        "luck": vega.hundred(luck["value"]),
        "independent": vega.hundred(point.get("independent")),
        # Bounds are drawn only where a missing reply could move the share.
        "best": best if best != worst else None,
        "worst": worst if best != worst else None,
        "text": numbers.value(shortcut),
        "luck_text": numbers.value(luck),
        "chosen": point["c"] == chosen,
        "told": told,
    }


def _labels(alt: Any, rows: Sequence[Spec], x: Any, y: Any) -> list[Any]:
    """Write each point's two shares apart: the higher one above, the lower one below."""
    groups: dict[tuple[str, str, int, int, str, str], list[Spec]] = {}
    for row in rows:
        for look in _label_looks(row):
            groups.setdefault(look, []).append(row)
    layers = []
    for (field, text, dy, size, weight, colour), mine in groups.items():
        base = alt.Chart(vega.values(mine))
        # The first copy is a margin of paper around the letters, so that lines do not cross them.
        for outline in ({"stroke": "var(--paper)", "strokeWidth": 4}, {}):
            mark = base.mark_text(
                dx=9, dy=dy, align="left", fontSize=size, fontWeight=weight, **outline
            )
            layers.append(
                mark.encode(x=x, y=y(field), text=alt.Text(f"{text}:N"), color=alt.value(colour))
            )
    return layers


def _label_looks(row: Spec) -> Iterator[tuple[str, str, int, int, str, str]]:
    """Yield (field, words, offset, size, weight, colour) of a point's labels."""
    luck, share = row["luck"], row["shortcut"]
    up = luck is None or share >= luck
    weight = "bold" if row["chosen"] else "normal"
    yield "shortcut", "text", -11 if up else 15, 15, weight, "var(--accent-ink)"
    # Near the axis there is room for a label above the luck line only, or for none.
    if luck is not None and up and luck < 5:
        if share - luck > 15:
            yield "luck", "luck_text", -9, 13, "normal", "var(--ink-2)"
    elif luck is not None:
        yield "luck", "luck_text", 15 if up else -11, 13, "normal", "var(--ink-2)"
