"""How questions of the shapes world are worded, and how they are understood.

A form is one meaning with several wordings. The generator says it, a reader recognises it from
the words alone. Nothing here knows an answer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from vidence.worlds.vocabulary import COLOURS, PATTERNS, SHAPES, SIZES, TONES

ROUTES = (
    "from left to right",
    "from right to left",
    "from edge to middle",
    "from middle to edge",
)


@dataclass(frozen=True)
class Form:
    """One meaning of a question.

    Args:
        name: what is asked.
        wordings: sentences with `{shape}` where the thing is named.
        speech: sentences that tell the answer aloud, with `{shape}` and `{answer}`.
    """

    name: str
    wordings: tuple[str, ...]
    speech: tuple[str, ...] = ()


FORMS: dict[str, Form] = {
    form.name: form
    for form in (
        Form(
            "sequence",
            (
                "In which order do the {shape}s appear?",
                "The {shape}s come one after another. What is the order of their colours?",
                "Which colours do the {shape}s have, from the first one to the last one?",
            ),
            (
                "Now to the {shape}s: {answer}.",
                "If you follow the {shape}s, you will see {answer}.",
            ),
        ),
        Form(
            "ends",
            (
                "Which {shape} comes first, and which one comes last?",
                "What are the colours of the first and of the last {shape}?",
            ),
            ("The {shape}s open and close like this: {answer}.",),
        ),
        Form(
            "sizes",
            (
                "How does the size of the {shape} change over time?",
                "The {shape} comes in several sizes. In which order?",
            ),
            ("Look at the {shape} again: {answer}.",),
        ),
        Form(
            "route",
            (
                "Which way does the {shape} hop over time?",
                "How does the {shape} move through the picture?",
            ),
            ("Here the {shape} goes {answer}.", "The {shape} moved {answer} this time."),
        ),
        Form(
            "changes",
            (
                "How many times does the {shape} change its colour?",
                "Count the colour changes of the {shape}. How many are there?",
            ),
            ("Colour changes of the {shape} in all: {answer}.",),
        ),
        Form(
            "appears",
            (
                "Which of these {shape}s can be seen at some time?",
                "One of these {shape}s is in the video. Which one?",
            ),
        ),
        Form(
            "pair",
            (
                "Which two {shape}s can both be seen?",
                "Two {shape}s of different colours show up. Which two?",
            ),
        ),
        Form(
            "never",
            (
                "Which of these {shape}s is never seen?",
                "All but one of these {shape}s show up. Which one does not?",
            ),
        ),
        Form(
            "colour",
            (
                "What colour is the {shape}?",
                "Which colour does the {shape} have?",
            ),
        ),
        Form(
            "largest",
            ("Which shape does the largest object have?", "What is the largest object?"),
        ),
        Form(
            "place",
            (
                "Where in the picture is the {shape}?",
                "In which corner is the {shape}?",
            ),
        ),
        Form(
            "stays",
            (
                "Which object stays in the picture all the time?",
                "What is visible from beginning to end?",
            ),
        ),
        Form(
            "backdrop",
            (
                "What does the background look like?",
                "Which background is used?",
            ),
        ),
    )
}

_FILLER = {"a", "an", "the", "and", "then", "from", "to", "first", "last", "at", "of", "in", "it"}


@dataclass(frozen=True)
class Meaning:
    """What a question asks: the name of a form and the shape it is about ("" for none)."""

    form: str
    shape: str = ""


@lru_cache(maxsize=1)
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    shapes = "|".join(SHAPES)
    return tuple(
        (
            form.name,
            re.compile(
                re.escape(wording).replace(re.escape("{shape}"), f"(?P<shape>{shapes})"), re.I
            ),
        )
        for form in FORMS.values()
        for wording in form.wordings
    )


def understand(question: str) -> Meaning | None:
    """Return what a question asks, or None for a sentence of no known form."""
    for name, pattern in _patterns():
        found = pattern.fullmatch(question.strip())
        if found:
            return Meaning(name, found.groupdict().get("shape", ""))
    return None


def words(text: str) -> tuple[str, ...]:
    """Return the words of a text in lower case, without those that carry nothing."""
    return tuple(w for w in re.findall(r"[a-z0-9]+", text.lower()) if w not in _FILLER)


def colours_of(text: str) -> tuple[str, ...]:
    """Return the colour words of a text in the order said."""
    return tuple(w for w in words(text) if w in COLOURS)


def sizes_of(text: str) -> tuple[str, ...]:
    """Return the size words of a text in the order said."""
    return tuple(w for w in words(text) if w in SIZES)


def shapes_of(text: str) -> tuple[str, ...]:
    """Return the shape words of a text in the order said, in the singular."""
    singular = (w[:-1] if w.endswith("s") and w[:-1] in SHAPES else w for w in words(text))
    return tuple(w for w in singular if w in SHAPES)


def backdrop_of(text: str) -> tuple[str, str]:
    """Return the tone and pattern words of a text, "" where one is missing."""
    said = words(text)
    tone = next((w for w in said if w in TONES), "")
    return tone, next((w for w in said if w in PATTERNS), "")
