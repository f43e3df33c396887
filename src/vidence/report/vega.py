"""What all charts share: the look by names of the style sheet, scales and axes in percent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from vidence.report import numbers

Spec = dict[str, Any]

FONT = "-apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', Arial, sans-serif"
CONFIG: Spec = {
    "aria": False,
    "background": "transparent",
    "font": FONT,
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


def raw(alt: Any, field: str) -> Any:
    """Return a colour channel whose data are colours."""
    return alt.Color(f"{field}:N", scale=None, legend=None)


def raw_shape(alt: Any, field: str) -> Any:
    """Return a shape channel whose data are names of shapes."""
    return alt.Shape(f"{field}:N", scale=None, legend=None)


def percent_scale() -> Any:
    """Return the scale from 0 to 100."""
    import altair as alt

    return alt.Scale(domain=[0, 100], nice=False)


def percent_axis(ticks: int = 5) -> Any:
    """Return an axis with a percent sign at each label."""
    import altair as alt

    return alt.Axis(labelExpr="datum.value + ' %'", tickCount=ticks)


def values(rows: Sequence[Spec]) -> Any:
    """Return rows as inline data."""
    import altair as alt

    data: Any = alt.Data
    return data(values=list(rows))


def hundred(share: Any) -> float | None:
    """Return a share in percent, or None where it is no number."""
    value = numbers.number(share)
    return None if value is None else round(100 * value, 4)


def once(rows: Sequence[Spec]) -> list[Spec]:
    """Return rows without repetitions."""
    return list({tuple(row.items()): row for row in rows}.values())


def finish(chart: Any, height: int, *, right: int = 4) -> Spec:
    """Return the spec, as wide as its place on the page.

    Args:
        chart: an altair chart.
        height: of the plot, pixels.
        right: room for labels beyond the plot, pixels.
    """
    # Checking against the schema takes longer than the rest of a report; the tests do it.
    spec: Spec = chart.properties(width="container", height=height).to_dict(validate=False)
    spec["config"] = CONFIG
    spec["padding"] = {"left": 4, "top": 14, "right": right, "bottom": 4}
    spec["autosize"] = {"type": "fit-x", "contains": "padding"}
    return spec
