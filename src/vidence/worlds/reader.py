"""Answerers that read the frames and words of the shapes world, each with its own weaknesses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from vidence.answer import Reply, Request, answerer
from vidence.prompt import LETTERS, Prompt, render
from vidence.seeds import digest, rng_of
from vidence.view import View
from vidence.worlds import eyes, reason
from vidence.worlds.facts import recall
from vidence.worlds.grammar import understand
from vidence.worlds.page import Page, frames_of, glimpse_of, read_page
from vidence.worlds.vocabulary import Glimpse, Sight

if TYPE_CHECKING:
    from numpy.random import Generator

    from vidence.media.pixels import FrameCache

_VERSION = 1
_STYLES = (
    "{letter}",
    "{letter}.",
    "({letter})",
    "{letter}. {text}",
    "Answer: {letter}",
    "The answer is ({letter}).",
    "The best option is {letter}.",
    "**{letter}**",
)
_UNSURE = "I cannot tell from what is shown."


@answerer("world_reader")
@dataclass(kw_only=True)
class WorldReader:
    """Read the frames, captions and transcripts of the shapes world, and answer with a letter.

    It gets the prompt's words and the frames in the order shown, and works the answer out of
    them. Where they say nothing it follows what it knows, then a long option, then its habit.

    Args:
        name: unique in the panel.
        acuity: weakest colour that is seen, 0 to 255.
        overlooks: chance to miss a small thing in a frame.
        confuses: two colours of which the first is sometimes taken for the second.
        confusion: how often, as a chance a question.
        shake: spread of the places in time at which frames are remembered, in frames.
        trust: how orderly a sequence of frames must be to be believed, 0 to 1.
        gaps: chance to lack a common fact; obscure facts are lacking far more often.
        length_ratio: how much longer than the second an option must be to attract a guess.
        length_excess: and by how many characters.
        habit: chance that a guess falls on the favourite letter instead of any.
        favourite: position of that letter.
        slip: chance to answer without looking.
        refusal: chance to refuse where nothing is known, instead of guessing.
        mind: names all its random choices and gaps; its name if empty.
        concurrency: most calls at a time.
    """

    name: str
    acuity: float = 60.0
    overlooks: float = 0.0
    confuses: tuple[str, ...] = ()
    confusion: float = 0.0
    shake: float = 0.0
    trust: float = 1.0
    gaps: float = 0.01
    length_ratio: float = 1.5
    length_excess: int = 12
    habit: float = 0.2
    favourite: int = 0
    slip: float = 0.01
    refusal: float = 0.0
    mind: str = ""
    concurrency: int = 2
    panel: str = field(default="model", init=False)
    batch: int = field(default=4, init=False)
    identity: Mapping[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        """Name everything that can change its replies."""
        self.mind = self.mind or self.name
        inner = ("name", "concurrency", "panel", "batch", "identity")
        settings = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in inner}
        settings["confuses"] = list(self.confuses)
        self.identity = {"kind": "world_reader", "version": [_VERSION, eyes.VERSION], **settings}

    def prepare(self, view: View) -> Prompt:
        """Return the prompt with frames at their own size."""
        return render(view)

    def ask(self, requests: Sequence[Request], media: FrameCache) -> list[Reply]:
        """Return one reply a request."""
        return [self._one(request, media) for request in requests]

    def _one(self, request: Request, media: FrameCache) -> Reply:
        rng = rng_of("reader", self.mind, request.seed, request.draw)
        page = read_page([piece for piece in request.prompt.pieces if isinstance(piece, str)])
        seen, notes = frames_of(request.prompt, media)
        text = self._reply(page, self._perceive(seen, rng), rng)
        usage = {"frames": float(len(seen)), "words": float(len(request.prompt.text().split()))}
        return Reply(text=text, finish_reason="stop", usage=usage, notes=notes)

    def _reply(self, page: Page, seen: list[Glimpse], rng: Generator) -> str:
        if not page.options:
            return _UNSURE
        possible = [] if rng.random() < self.slip else self._possible(page, seen)
        if not possible and rng.random() < self.refusal:
            return _UNSURE
        choice = self._guess(possible, len(page.options), rng)
        style = _STYLES[int(rng.integers(len(_STYLES)))]
        return style.format(letter=LETTERS[choice], text=page.options[choice])

    def _possible(self, page: Page, seen: list[Glimpse]) -> list[int]:
        """Return the options left by the first source that says anything."""
        fact = recall(page.question)
        if fact is not None:
            known = [i for i, text in enumerate(page.options) if text == fact.answer]
            return known if self._knows(fact.topic, fact.obscure) else []
        meaning = understand(page.question)
        if meaning is None:
            return reason.from_wording(page.question, page.options)
        possible = reason.from_speech(meaning, page.options, page.speech)
        glimpses = seen or [glimpse_of(caption) for caption in page.captions]
        if not possible and glimpses:
            possible = reason.from_glimpses(meaning, page.options, glimpses, trust=self.trust)
        return possible or reason.by_length(
            page.options, ratio=self.length_ratio, characters=self.length_excess
        )

    def _knows(self, topic: str, obscure: bool) -> bool:
        share = int(digest("fact", self.mind, topic)[:12], 16) / 16**12
        return share >= (0.5 + self.gaps if obscure else self.gaps)

    def _guess(self, possible: Sequence[int], count: int, rng: Generator) -> int:
        if not possible and self.favourite < count and rng.random() < self.habit:
            return self.favourite
        pool = possible or range(count)
        return pool[int(rng.integers(len(pool)))]

    def _perceive(self, seen: list[Glimpse], rng: Generator) -> list[Glimpse]:
        """Return what is left of the frames after this reader's weaknesses."""
        mixed_up = len(self.confuses) == 2 and rng.random() < self.confusion
        found = []
        for glimpse in seen:
            sights = [s for s in glimpse.sights if s.contrast >= self.acuity]
            sights = [s for s in sights if s.size > 0.147 or rng.random() >= self.overlooks]
            if mixed_up:
                sights = [self._confuse(sight) for sight in sights]
            found.append(replace(glimpse, sights=tuple(sights)))
        if self.shake:
            places = rng.normal(range(len(found)), self.shake)
            found = [found[i] for i in places.argsort(kind="stable")]
        return found

    def _confuse(self, sight: Sight) -> Sight:
        first, second = self.confuses
        return replace(sight, colour=second) if sight.colour == first else sight
