"""Dots with intervals in rows on one axis, wide with names at the left, narrow with names above."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vidence.report import numbers, vega
from vidence.report.untrusted import visible
from vidence.report.vega import Spec

LABEL = 64
LIMIT, NARROW_LIMIT = 350, 280
"""Most pixels of a name at the left, and above its row."""
NAME = 18
"""Pixels that a name above its row takes."""


@dataclass(frozen=True)
class Look:
    """How a dot is drawn: a colour of the style sheet, a shape, whether it is filled."""

    colour: str
    shape: str = "circle"
    filled: bool = True


@dataclass(frozen=True)
class Dots:
    """What is drawn; all places are in percent.

    Args:
        dots: made by `dot`.
        order: names of the rows, from the top.
        slots: dots a row, one below the other.
        lines: (place, colour, dash) of thin lines through all rows.
        ticks: `{"name", "at"}`, a thin line through one row.
        bands: `{"name", "low", "high", "told"}`, a shade behind a row's first dot.
        figures: whether the values are written at the right.
        title: of the axis.
        least: the lowest place that there can be.
    """

    dots: Sequence[Spec]
    order: Sequence[str]
    slots: int = 1
    lines: Sequence[tuple[float | None, str, tuple[int, ...]]] = ()
    ticks: Sequence[Spec] = ()
    bands: Sequence[Spec] = ()
    figures: bool = False
    title: str = "right answers"
    least: float = 0.0

    def spec(self, *, narrow: bool = False) -> Spec | None:
        """Return the chart; None where there is no dot.

        Args:
            narrow: for a screen without room for names at the left.
        """
        import altair as alt

        if not self.dots:
            return None
        scale, height = self._scale(), self._height(narrow)
        y = _rows(alt, self.order, narrow)
        slots = [-1, *range(self.slots)] if narrow else list(range(self.slots))
        offset = alt.YOffset("slot:O", scale=alt.Scale(domain=slots, paddingOuter=0.5))
        x = alt.X("value:Q", title=self.title, scale=scale, axis=vega.percent_axis())
        low, high = alt.X("low:Q", scale=scale), alt.X2("high:Q")
        told = alt.Tooltip("told:N")
        base = alt.Chart(vega.values(self.dots)).encode(y=y, yOffset=offset)
        shades = alt.Chart(vega.values([{**band, "slot": 0} for band in self.bands]))
        layers = [
            shades.mark_bar(height=20, color="var(--null)").encode(
                y=y, yOffset=offset, x=low, x2=high, tooltip=told
            ),
            *self._lines(alt, scale),
            alt.Chart(vega.values(self.ticks))
            .mark_tick(thickness=1.5, color="var(--ink-2)", bandSize=height)
            .encode(y=y, x=alt.X("at:Q", scale=scale)),
            base.mark_rule(strokeWidth=2).encode(x=low, x2=high, color=vega.raw(alt, "colour")),
            base.mark_point(filled=True, size=75, opacity=1, strokeWidth=2).encode(
                x=x,
                fill=alt.Fill("fill:N", scale=None, legend=None),
                stroke=alt.Stroke("colour:N", scale=None, legend=None),
                shape=vega.raw_shape(alt, "shape"),
                tooltip=told,
            ),
        ]
        if narrow:
            names = [{"name": name, "slot": -1} for name in self.order]
            above = alt.Chart(vega.values(names)).encode(y=y, yOffset=offset, x=alt.value(0))
            # The first copy is a margin of paper around the letters: lines do not cross them.
            looks: list[dict[str, Any]] = [{"stroke": "var(--paper)", "strokeWidth": 4}, {}]
            for outline in looks:
                mark = above.mark_text(align="left", dx=2, limit=NARROW_LIMIT, **outline)
                layers.append(mark.encode(text=alt.Text("name:N")))
        if self.figures:
            layers.append(
                base.mark_text(align="left", dx=10).encode(
                    x=alt.value("width"), text=alt.Text("text:N")
                )
            )
        right = 58 if self.figures else 8
        return vega.finish(alt.layer(*layers), height=len(self.order) * height, right=right)

    def _height(self, narrow: bool) -> int:
        return {1: 27, 2: 38}.get(self.slots, 13 * self.slots) + (NAME if narrow else 0)

    def _lines(self, alt: Any, scale: Any) -> list[Any]:
        marks = []
        for place, colour, dash in self.lines:
            if place is not None:
                mark = alt.Chart(vega.values([{"at": place}])).mark_rule(
                    color=colour, strokeWidth=1.5, strokeDash=list(dash)
                )
                marks.append(mark.encode(x=alt.X("at:Q", scale=scale)))
        return marks

    def _scale(self) -> Any:
        ends = [dot[end] for dot in self.dots for end in ("value", "low", "high")]
        ends += [band[end] for band in self.bands for end in ("low", "high")]
        ends += [tick["at"] for tick in self.ticks]
        return scale_of([*ends, *(place for place, _, _ in self.lines)], self.least)


def dot(
    name: str,
    estimate: Any,
    look: Look,
    write: Callable[[Any], tuple[str, str]],
    slot: int = 0,
) -> list[Spec]:
    """Return a dot for an estimate; none where nothing was measured.

    Args:
        name: of the row.
        estimate: of a share.
        look: of the dot.
        write: estimate -> its value in words, and all of it.
        slot: place among the dots of a row.
    """
    if not isinstance(estimate, Mapping) or numbers.number(estimate.get("value")) is None:
        return []
    figure, told = write(estimate)
    return [
        {
            "name": row_name(name),
            "slot": slot,
            "value": vega.hundred(estimate["value"]),
            "low": vega.hundred(estimate["low"]),
            "high": vega.hundred(estimate["high"]),
            "colour": look.colour,
            "fill": look.colour if look.filled else "var(--paper)",
            "shape": look.shape,
            "text": figure,
            "told": told,
        }
    ]


def row_name(name: str) -> str:
    """Return a name that is safe and short enough for a row."""
    return visible(name, LABEL)


def scale_of(places: Sequence[float | None], floor: float = 0.0) -> Any:
    """Return the scale in percent that holds all places; dots and lines need no zero."""
    import altair as alt

    found = [place for place in places if place is not None]
    least, most = min(found), max(found)
    room = max(2.5 - (most - least) / 2, 0.05 * (most - least))
    domain = [max(floor, least - room), min(100.0, most + room)]
    return alt.Scale(domain=domain, nice=False, zero=False)


def _rows(alt: Any, order: Sequence[str], narrow: bool) -> Any:
    axis = alt.Axis(
        grid=True,
        tickBand="extent",
        labels=not narrow,
        labelLimit=LIMIT,
        labelColor="var(--ink)",
    )
    return alt.Y(
        "name:N",
        title=None,
        sort=list(order),
        scale=alt.Scale(domain=list(order), paddingInner=0, paddingOuter=0),
        axis=axis,
    )
