"""Read a prompt as a model does: its words, its captions, its frames in the order shown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vidence.prompt import Prompt
from vidence.worlds.eyes import look
from vidence.worlds.grammar import backdrop_of
from vidence.worlds.vocabulary import COLOURS, HEIGHT, SHAPES, SIZES, Glimpse, Sight

if TYPE_CHECKING:
    from vidence.media.pixels import FrameCache

_OPTION = re.compile(r"([A-Z])\. (.+)")
_NUMBERED = re.compile(r"\d+\. (.+)")
_THING = re.compile(
    rf"({'|'.join(SIZES)}) ({'|'.join(COLOURS)}) ({'|'.join(SHAPES)})"
    r"(?: at the (top|bottom) (left|right)(?: \((\d+)% across, (\d+)% down\))?)?"
)


@dataclass(frozen=True)
class Page:
    """The words of a prompt.

    Args:
        question: what is asked.
        options: their texts in the order shown.
        speech: sentences of a transcript.
        captions: descriptions of frames, in the order given.
    """

    question: str
    options: tuple[str, ...]
    speech: tuple[str, ...] = ()
    captions: tuple[str, ...] = ()


def read_page(texts: Sequence[str]) -> Page:
    """Read the text pieces of a prompt: sections first, the question and its options last."""
    *sections, last = "\n\n".join(texts).split("\n\n")
    lines = last.splitlines()
    options = [found for line in lines if (found := _OPTION.fullmatch(line))]
    question = lines[0] if lines else ""
    speech: list[str] = []
    captions: list[str] = []
    kind = ""
    for section in sections:
        head, _, body = section.partition("\n")
        if "transcript" in head.lower():
            kind = "speech"
        elif "description" in head.lower():
            kind = "captions"
        else:
            body = section  # a transcript may hold empty lines
        if kind == "speech":
            speech += re.split(r"(?<=[.!?])\s+", body)
        elif kind == "captions":
            captions += [
                found.group(1) if (found := _NUMBERED.fullmatch(line)) else line
                for line in body.splitlines()
            ]
    return Page(question, tuple(o.group(2) for o in options), tuple(speech), tuple(captions))


def glimpse_of(caption: str) -> Glimpse:
    """Imagine what a description describes."""
    sights = tuple(
        Sight(
            colour,
            shape,
            SIZES[size] / HEIGHT,
            int(across) / 100 if across else {"left": 0.25, "right": 0.75}.get(side, 0.5),
            int(down) / 100 if down else {"top": 0.25, "bottom": 0.75}.get(level, 0.5),
        )
        for size, colour, shape, level, side, across, down in _THING.findall(caption.lower())
    )
    return Glimpse(sights, *backdrop_of(caption))


def frames_of(prompt: Prompt, media: FrameCache) -> tuple[list[Glimpse], tuple[str, ...]]:
    """Look at every frame of a prompt in the order shown; returns what is seen, and notes."""
    seen: list[Glimpse] = []
    notes: list[str] = []
    for clip in prompt.clips():
        encoded = media.encoded(clip)
        seen += [look(image) for image in encoded.images]
        notes += encoded.notes
    return seen, tuple(notes)
