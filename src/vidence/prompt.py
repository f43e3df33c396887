"""The prompt, derived from the View alone.

Letters exist only here and in `vidence.parse`: option A is the first one shown, whatever its key.
A prompt speaks of a transcript only if the view holds one, and never says that frames are in
order, since under some checks they are not.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from string import ascii_uppercase

from vidence.errors import UsageError
from vidence.media.clip import Clip, Sound
from vidence.seeds import digest
from vidence.view import Evidence, Part, Rendering, Text, View

LETTERS = ascii_uppercase
Piece = str | Clip | Sound

_CLIP_HEAD = "Frames of a video:"
_SOUND_HEAD = "Sound track of a video:"
_TEXT_HEADS = {
    "transcript": "Transcript of the video's sound track:",
    "captions": "Descriptions of parts of the video:",
}
_DIALOGUE = "dialogue"
CHOOSE = "Answer with the letter of the best option only."


@dataclass(frozen=True)
class Prompt:
    """What is sent, before any pixel is decoded.

    Args:
        pieces: text, clips and sounds in the order sent.
        question: the question alone, for answerers that score options (encoders).
        options: the options' texts in the order shown, A first; empty for open questions.
    """

    pieces: tuple[Piece, ...]
    question: str
    options: tuple[str, ...] = ()

    def key(self) -> str:
        """Return a name that changes with anything that could change a reply."""
        names: list[str | int] = ["prompt", self.question, len(self.options), *self.options]
        for piece in self.pieces:
            names += ["text", piece] if isinstance(piece, str) else ["media", piece.key()]
        return digest(*names)

    def clips(self) -> tuple[Clip, ...]:
        """Return the clips in the order sent."""
        return tuple(piece for piece in self.pieces if isinstance(piece, Clip))

    def text(self) -> str:
        """Return the words alone, with a mark where frames or sound stand."""
        marks = {Clip: "<frames>", Sound: "<sound>"}
        return "\n".join(p if isinstance(p, str) else marks[type(p)] for p in self.pieces)


def render(view: View, *, size: int | None = None, instruction: str = CHOOSE) -> Prompt:
    """Render a view whose renderings are resolved.

    Args:
        view: what is shown.
        size: longest side of the frames in pixels, bound here because the model decides it; a
            clip that has a size keeps it.
        instruction: the last line where there are options.

    Raises:
        UsageError: more options than letters, or a rendering that is not resolved.
    """
    if len(view.options) > len(LETTERS):
        raise UsageError(
            f"{len(view.options)} options came, {len(LETTERS)} letters exist. Split the question."
        )
    pieces: list[Piece] = []
    for role, group in groupby(view.parts, key=lambda pair: pair[0]):
        pieces += _section(role, [part for _, part in group], size)
    lines = [view.question]
    if view.options:
        lines += [
            f"{letter}. {option.text}"
            for letter, option in zip(LETTERS, view.options, strict=False)
        ]
        lines.append(instruction)
    pieces.append("\n".join(lines))
    return Prompt(_join(pieces), view.question, tuple(option.text for option in view.options))


def _section(role: str, parts: list[Part], size: int | None) -> list[Piece]:
    pieces: list[Piece] = []
    texts = [part.text for part in parts if isinstance(part, Text | Evidence)]
    if texts and role in _TEXT_HEADS:
        numbered = len(texts) > 1
        body = [f"{i}. {text}" if numbered else text for i, text in enumerate(texts, 1)]
        pieces.append("\n".join([_TEXT_HEADS[role], *body]))
    for part in parts:
        if isinstance(part, Rendering):
            raise UsageError(
                f"A {part.role} rendering came unresolved; a prompt holds words and media only. "
                "Ask its maker first and call view.resolve()."
            )
        if isinstance(part, Clip):
            bound = part if part.size is not None or size is None else part.bind(size=size)
            pieces += [_CLIP_HEAD, bound]
        elif isinstance(part, Sound):
            pieces += [_SOUND_HEAD, part]
        elif role == _DIALOGUE and pieces and isinstance(pieces[-1], str):
            pieces[-1] += part.text  # it was cut where evidence stands, and is whole again
        elif role not in _TEXT_HEADS:
            pieces.append(part.text)
    return pieces


def _join(pieces: list[Piece]) -> tuple[Piece, ...]:
    joined: list[Piece] = []
    for piece in pieces:
        if isinstance(piece, str) and joined and isinstance(joined[-1], str):
            joined[-1] = f"{joined[-1]}\n\n{piece}"
        else:
            joined.append(piece)
    return tuple(joined)
