"""Three plain pictures before a long run: does the answerer see what it is sent?

Some servers keep replies by the words alone, and give the first film's reply for every film. A red,
a green and a blue picture with the same words tell: three equal choices mean that the picture did
not count.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from vidence.answer import Answer, Answerer, Request
from vidence.chunk import Chunk, Sending, ask_chunk
from vidence.errors import RejectedError
from vidence.media.clip import Clip, Uniform, Video
from vidence.parse import parse
from vidence.seeds import seed_of
from vidence.view import Option, View

if TYPE_CHECKING:
    from vidence.media.pixels import FrameCache

COLOURS = {"red": (220, 30, 30), "green": (30, 180, 40), "blue": (30, 60, 220)}
QUESTION = "Which colour fills the picture?"


@dataclass(frozen=True)
class Sight:
    """What an answerer said of the plain pictures.

    Args:
        answers: colour shown -> answer.
        right: how many of the three it named.
    """

    answers: dict[str, Answer]
    right: int

    def __str__(self) -> str:
        """Say it in one line."""
        said = ", ".join(f"{colour}: {a.value or a.status}" for colour, a in self.answers.items())
        return f"{self.right} of {len(self.answers)} colours right ({said})"


def look(answerer: Answerer, media: FrameCache) -> Sight:
    """Show an answerer three plain pictures with the same words.

    A reply without a choice (a thinking model that ran out of tokens) does not count against it.

    Raises:
        RejectedError: the same choice for all three: the pictures do not reach the model, or its
            server keeps replies by the words alone.
        UnreachableError: nothing answers.
    """
    options = tuple(Option(i, colour) for i, colour in enumerate(COLOURS))
    answers: dict[str, Answer] = {}
    with _pictures() as clips:
        for colour, clip in clips.items():
            view = View(QUESTION, options, (("video", clip),))
            request = Request(answerer.prepare(view), seed_of("canary", answerer.name, colour))
            chunk = Chunk(answerer, (Sending(colour, request, "canary"),))
            (reply,) = ask_chunk(chunk, media)
            answer = parse(reply, view)
            named = None if answer.value is None else options[int(answer.value)].text
            answers[colour] = Answer(answer.status, named, answer.reason)
    values = [answer.value for answer in answers.values()]
    if values[0] is not None and len(set(values)) == 1:
        raise RejectedError(
            f"{answerer.name!r} calls a red, a green and a blue picture all {values[0]!r}. "
            "Pictures do not reach the model, or its server keeps replies by the words alone. "
            "Switch off its prompt cache, or ask a model that sees."
        )
    return Sight(answers, sum(answers[colour].value == colour for colour in COLOURS))


@contextmanager
def _pictures() -> Iterator[dict[str, Clip]]:
    from PIL import Image

    with TemporaryDirectory(prefix="vidence-canary-") as folder:
        clips: dict[str, Clip] = {}
        for colour, rgb in COLOURS.items():
            place = Path(folder) / colour
            place.mkdir()
            Image.new("RGB", (64, 64), rgb).save(place / "000001.png")
            clips[colour] = Clip(Video(place, fps=1.0), sampling=Uniform(1))
        yield clips
