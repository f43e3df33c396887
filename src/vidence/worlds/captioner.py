"""A captioner of the shapes world: frames to sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from vidence.answer import Reply, Request, answerer
from vidence.prompt import Prompt, render
from vidence.seeds import rng_of
from vidence.view import View
from vidence.worlds import eyes
from vidence.worlds.page import frames_of
from vidence.worlds.vocabulary import COLOURS, Glimpse, Sight, place_words, size_word

if TYPE_CHECKING:
    from numpy.random import Generator

    from vidence.media.pixels import FrameCache

_VERSION = 1


@answerer("world_captioner")
@dataclass(kw_only=True)
class WorldCaptioner:
    """Describe frames of the shapes world in a sentence each, from their pixels.

    Args:
        name: unique in the panel.
        things: most things that are named in a frame, the largest first.
        error: chance that a frame's first thing gets a wrong colour.
        miss: chance that a frame's first thing is not mentioned.
        precise: whether places are told in hundredths of the picture too.
        mind: names its random choices; its name if empty.
        concurrency: most calls at a time.
    """

    name: str
    things: int = 2
    error: float = 0.03
    miss: float = 0.02
    precise: bool = False
    mind: str = ""
    concurrency: int = 2
    panel: str = field(default="model", init=False)
    batch: int = field(default=4, init=False)
    identity: Mapping[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        """Name everything that can change its words."""
        self.mind = self.mind or self.name
        self.identity = {
            "kind": "world_captioner",
            "version": [_VERSION, eyes.VERSION],
            "things": self.things,
            "error": self.error,
            "miss": self.miss,
            "precise": self.precise,
            "mind": self.mind,
        }

    def prepare(self, view: View) -> Prompt:
        """Return the prompt with frames at their own size."""
        return render(view)

    def ask(self, requests: Sequence[Request], media: FrameCache) -> list[Reply]:
        """Return one description a request."""
        return [self._one(request, media) for request in requests]

    def _one(self, request: Request, media: FrameCache) -> Reply:
        seen, notes = frames_of(request.prompt, media)
        if not seen:
            return Reply(status="absent", error="no frame came to describe", notes=notes)
        rng = rng_of("captioner", self.mind, request.seed, request.draw)
        text = " ".join(self._describe(glimpse, rng) for glimpse in seen)
        usage = {"frames": float(len(seen))}
        return Reply(text=text, finish_reason="stop", usage=usage, notes=notes)

    def _describe(self, glimpse: Glimpse, rng: Generator) -> str:
        sights = list(glimpse.sights[: self.things])
        if sights and rng.random() < self.miss:
            sights.pop(0)
        if sights and rng.random() < self.error:
            sights[0] = replace(sights[0], colour=list(COLOURS)[int(rng.integers(len(COLOURS)))])
        scenery = f"{glimpse.tone} {glimpse.pattern} background".strip()
        if not sights:
            return ("Nothing but a {}.", "An empty {}.")[int(rng.integers(2))].format(scenery)
        named = " and ".join(_name(sight, self.precise) for sight in sights)
        wordings = (
            "{} on a {}.",
            "The picture shows {} in front of a {}.",
            "One can see {}, on a {}.",
        )
        text = wordings[int(rng.integers(len(wordings)))].format(named, scenery)
        return text[0].upper() + text[1:]


def _name(sight: Sight, precise: bool) -> str:
    place = place_words(sight.x, sight.y)
    exact = f" ({sight.x:.0%} across, {sight.y:.0%} down)" if precise else ""
    return f"a {size_word(sight.size)} {sight.colour} {sight.shape} at the {place}{exact}"
