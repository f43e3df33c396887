"""Questions of made-up words, with leaks of known strength or none: what a text audit is judged on.

Nothing here looks at how the learner sees a text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from vidence.errors import UsageError
from vidence.seeds import rng_of
from vidence.text.items import TextItems

if TYPE_CHECKING:
    from numpy.random import Generator

Leak = Literal["length", "absolute", "overlap", "token", "template", "position"]
LEAKS: tuple[Leak, ...] = ("length", "absolute", "overlap", "token", "template", "position")
_LETTERS = "bcdfghjklmnprstvwxyz"
_STRONG = ("always", "never", "only", "completely")


@dataclass(frozen=True, kw_only=True)
class Planted:
    """What to make.

    Args:
        questions: how many.
        videos: about how many; sizes are unequal, as a geometric law gives them.
        options: the numbers of options, one drawn for each question.
        leak: what gives the key away; None for nothing.
        strength: in which share of the questions it does.
        by_video: whether a video's questions leak together or not at all.
        same_place: chance that a question's key stands where the first key of its video stands:
            dependent keys that no text tells.
        repeats: how often each question is asked of its video, options moved, key the same.

    Raises:
        UsageError: an unknown leak, or shares outside [0, 1].
    """

    questions: int = 600
    videos: int = 150
    options: tuple[int, ...] = (4,)
    leak: Leak | None = None
    strength: float = 0.0
    by_video: bool = False
    same_place: float = 0.0
    repeats: int = 1

    def __post_init__(self) -> None:
        if self.leak is not None and self.leak not in LEAKS:
            raise UsageError(f"leak = {self.leak!r} came; one of {', '.join(LEAKS)} is allowed.")
        for name in ("strength", "same_place"):
            if not 0 <= getattr(self, name) <= 1:
                raise UsageError(f"{name} = {getattr(self, name)}; 0 to 1 is allowed.")

    def make(self, *, seed: int | str) -> TextItems:
        """Return the questions; the same seed gives the same."""
        rng = rng_of("planted", seed)
        words = ["".join(rng.choice(list(_LETTERS), size=rng.integers(3, 8))) for _ in range(400)]
        weights = 1 / np.arange(1, len(words) + 1)
        weights /= weights.sum()
        questions, options, gold, clusters = [], [], [], []
        for video, asked_of in enumerate(_sizes(rng, self.questions // self.repeats, self.videos)):
            leaky = rng.random() < self.strength
            place: int | None = None
            for _ in range(asked_of):
                k = int(rng.choice(self.options))
                key = int(rng.integers(k))
                if place is not None and rng.random() < self.same_place:
                    key = place % k
                place = key if place is None else place
                asked = list(rng.choice(words, size=7, p=weights))
                texts = [
                    list(rng.choice(words, size=rng.integers(2, 7), p=weights)) for _ in range(k)
                ]
                on = leaky if self.by_video else rng.random() < self.strength
                if self.leak is not None and on:
                    key = self._plant(rng, asked, texts, key)
                for again in range(self.repeats):
                    order = list(range(k)) if again == 0 else list(rng.permutation(k))
                    questions.append(" ".join(asked) + "?")
                    options.append(tuple(" ".join(texts[o]) for o in order))
                    gold.append(order.index(key))
                    clusters.append(video)
        return TextItems(
            ids=tuple(f"q{i}" for i in range(len(gold))),
            questions=tuple(questions),
            options=tuple(options),
            gold=np.array(gold, dtype=np.int64),
            clusters=np.array(clusters, dtype=np.int64),
        )

    def _plant(self, rng: Generator, asked: list[str], texts: list[list[str]], key: int) -> int:
        """Change texts so that the key shows; return where it stands."""
        if self.leak == "position":
            return min(1, len(texts) - 1)
        if self.leak == "length":
            texts[key] += list(rng.choice(asked, size=8))
        elif self.leak == "absolute":
            for i, text in enumerate(texts):
                if i != key:
                    text.insert(0, str(rng.choice(_STRONG)))
        elif self.leak == "overlap":
            texts[key][:2] = asked[:2]
        elif self.leak == "token":
            texts[key].append("zzkey")
        elif self.leak == "template":
            texts[key][:] = ["the", "usual", "answer"]
        return key


def _sizes(rng: Generator, questions: int, videos: int) -> list[int]:
    """Cut a number of questions into about so many videos of unequal sizes."""
    sizes: list[int] = []
    mean = max(1.0, questions / videos)
    while sum(sizes) < questions:
        sizes.append(int(rng.geometric(1 / mean)))
    sizes[-1] -= sum(sizes) - questions
    return [size for size in sizes if size]
