"""The answering half of an agent that investigates films of the shapes world."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from vidence.answer import Reply, Request, answerer
from vidence.errors import UsageError
from vidence.prompt import LETTERS, Prompt, render
from vidence.seeds import digest, rng_of
from vidence.view import View
from vidence.worlds import reason
from vidence.worlds.grammar import understand
from vidence.worlds.page import glimpse_of

if TYPE_CHECKING:
    from numpy.random import Generator

    from vidence.media.pixels import FrameCache

_VERSION = 1
OPEN, CLOSE = "<seen>\n", "\n</seen>"
"""Around the words that were made of frames, in the agent's dialogue."""
_SEEN = re.compile(f"{OPEN}(.*?){CLOSE}", re.S)
_SENTENCE = re.compile(r"(?<=[.!?])\s+")


@answerer("world_agent")
@dataclass(kw_only=True)
class WorldAgent:
    """Answer from an agent's dialogue: from what its looks say, or from a prior.

    How much it relies on its evidence is known, so that an audit's score can be held against it.
    Each question is of one sort: one that it answers from the descriptions in the dialogue, or
    one to which it has a favourite answer whatever they say. Both slip now and then.

    Args:
        name: unique in the panel.
        reliance: chance that a question is one that it answers from its evidence, 0 to 1.
        slip: chance that such an answer is a guess among all options.
        habit: chance that the other sort gets the favourite instead of a guess.
        mind: names all its random choices; its name if empty.
        concurrency: most calls at a time.

    Raises:
        UsageError: a chance outside its range.
    """

    name: str
    reliance: float = 1.0
    slip: float = 0.2
    habit: float = 0.7
    mind: str = ""
    concurrency: int = 2
    panel: str = field(default="model", init=False)
    batch: int = field(default=8, init=False)
    identity: Mapping[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        """Name everything that can change its replies."""
        for name in ("reliance", "slip", "habit"):
            value = getattr(self, name)
            if not 0 <= value <= 1:
                raise UsageError(f"{name} = {value} came; a chance from 0 to 1 is allowed.")
        self.mind = self.mind or self.name
        self.identity = {
            "kind": "world_agent",
            "version": _VERSION,
            "reliance": self.reliance,
            "slip": self.slip,
            "habit": self.habit,
            "mind": self.mind,
        }

    def prepare(self, view: View) -> Prompt:
        """Return the prompt; frames, where there are any, are not looked at."""
        return render(view)

    def ask(self, requests: Sequence[Request], media: FrameCache) -> list[Reply]:
        """Return one reply a request."""
        return [self._one(request) for request in requests]

    def relies_on_evidence(self, question: str) -> bool:
        """Say of which sort a question is; its words alone decide."""
        return self._share("sort", question) < self.reliance

    def expected_delta(self, question: str, options: int) -> float:
        """Return the Delta that is planted in a question.

        The evidence leaves one option, and destroyed evidence leaves none. Then the agent's
        answer and a `sham` reply agree with chance sum p^2, p being 1 - s + s/n for that option
        and s/n for the others (slip s, n options), a `destroy` reply agrees with chance 1/n, and

            Delta = sum p^2 - 1/n = (1 - s)^2 (1 - 1/n)

        0 where the agent answers from its prior: both conditions then have one law.

        Args:
            question: its words.
            options: how many.
        """
        if options == 0 or not self.relies_on_evidence(question):
            return 0.0
        return (1 - self.slip) ** 2 * (1 - 1 / options)

    def _one(self, request: Request) -> Reply:
        prompt = request.prompt
        rng = rng_of("world agent", self.mind, request.seed, request.draw)
        text = "\n".join(piece for piece in prompt.pieces if isinstance(piece, str))
        usage = {"words": float(len(text.split()))}
        if not prompt.options:
            return Reply(text="I do not know.", finish_reason="stop", usage=usage)
        choice = self._choice(text, prompt, rng)
        return Reply(text=f"Answer: {LETTERS[choice]}", finish_reason="stop", usage=usage)

    def _choice(self, text: str, prompt: Prompt, rng: Generator) -> int:
        count = len(prompt.options)
        if not self.relies_on_evidence(prompt.question):
            favourite = int(self._share("favourite", prompt.question) * count)
            return favourite if rng.random() < self.habit else int(rng.integers(count))
        left = [] if rng.random() < self.slip else possible(text, prompt.question, prompt.options)
        pool = left or range(count)
        return pool[int(rng.integers(len(pool)))]

    def _share(self, what: str, question: str) -> float:
        return int(digest("world agent", self.mind, what, question)[:12], 16) / 16**12


def possible(dialogue: str, question: str, options: Sequence[str]) -> list[int]:
    """Return the options that the descriptions in a dialogue leave; none if they say nothing."""
    meaning = understand(question)
    found = [words for block in _SEEN.findall(dialogue) for words in _SENTENCE.split(block)]
    glimpses = [glimpse_of(words) for words in found]
    if meaning is None or not any(glimpse.sights for glimpse in glimpses):
        return []
    return reason.from_glimpses(meaning, options, glimpses, trust=1.0)
