"""One colour and one shape for each answerer, the same on the whole page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

COLOURS = 8
SHAPES = (
    ("circle", "●"),
    ("square", "■"),
    ("triangle-up", "▲"),
    ("diamond", "◆"),
    ("triangle-down", "▼"),
)


@dataclass(frozen=True)
class Look:
    """How an answerer is drawn.

    Args:
        number: its place in the palette.
        colour: a colour of the style sheet.
        shape: Vega's name of the shape.
        glyph: the same shape as a character.
    """

    number: int
    colour: str
    shape: str
    glyph: str


class Palette:
    """Looks by answerer name; colour and shape repeat together only after 40 answerers."""

    def __init__(self, names: Iterable[str]) -> None:
        self._looks = {
            name: Look(i % COLOURS, f"var(--m{i % COLOURS})", *SHAPES[i % len(SHAPES)])
            for i, name in enumerate(dict.fromkeys(names))
        }

    def __getitem__(self, name: str) -> Look:
        return self._looks[name]

    def items(self) -> list[tuple[str, Look]]:
        """Return the names with their looks, in order."""
        return list(self._looks.items())


def palette_of(data: Mapping[str, Any]) -> Palette:
    """Give looks to the panel first, then to whoever else answered or cost something."""
    names = [str(member["name"]) for member in data["run"].get("panel", ())]
    names += [str(row["answerer"]) for row in data["accuracy"]]
    names += [str(row["answerer"]) for row in data.get("costs", ())]
    return Palette(names)
