"""Show a frozen trajectory again, with its frames as they were or changed.

A replay never plans and never retrieves anew: places, number and times of frames, prompts and
order stay; only what the frames show, or the words made of them, may change. SHAM and DESTROY take
one path through this module and differ by the edit alone, so that decoding, packing and the
renderer's noise are in both.

Views of two kinds can be replayed. An agent's view holds `Evidence`: words that were made of
frames, and are made anew by the answerer in the role `renderer`. A benchmark's view holds clips,
which are shown to the answerer itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from vidence.errors import NotApplicableError, UsageError
from vidence.media.clip import Clip, Codec, Edit, Fps
from vidence.seeds import seed_of
from vidence.view import Context, Evidence, Part, Rendering, Text, View

RENDERER = "renderer"
"""The role that makes words of an agent's frames."""
WITHHELD = "[no result]"
"""What stands where evidence is taken away."""


@dataclass(frozen=True)
class Frames:
    """How frames are shown, the same in all conditions that are compared.

    Args:
        fps, frames: sampling of a benchmark's clips; an agent's clips keep their own.
        codec: of the packed frames: `png`, or `jpeg-QUALITY-SUBSAMPLING` such as `jpeg-90-420`.

    Raises:
        UsageError: another codec.
    """

    fps: float = 1.0
    frames: int = 128
    codec: str = "jpeg-90-420"

    def __post_init__(self) -> None:
        self.packing()

    def packing(self) -> Codec:
        """Return the codec."""
        if self.codec == "png":
            return Codec("png")
        found = re.fullmatch(r"jpeg-(\d{1,2})-(444|422|420)", self.codec)
        if found is None:
            raise UsageError(
                f"codec = {self.codec!r} came; png or jpeg-QUALITY-SUBSAMPLING is allowed, such as "
                "jpeg-90-420 or jpeg-75-444."
            )
        return Codec("jpeg", int(found[1]), ":".join(found[2]))

    def of(self, clip: Clip) -> Clip:
        """Return a clip packed so."""
        return replace(clip, codec=self.packing())

    def sampled(self, clip: Clip) -> Clip:
        """Return a benchmark's clip sampled and packed so."""
        return replace(self.of(clip), sampling=Fps(self.fps, self.frames))


def replayed(
    view: View, context: Context, change: Callable[[Clip, int], Clip], frames: Frames
) -> View:
    """Return the view with its frames changed, and the words that were made of them made anew.

    Args:
        view: of an agent or of a benchmark.
        context: its seed names the draw: run, case, condition and repeat.
        change: `(clip, item) -> clip`; item counts from 0.
        frames: how frames are shown.

    Raises:
        NotApplicableError: there is nothing to replay.
    """
    evidence = view.evidence()
    if not evidence:
        if not any(isinstance(part, Clip) for _, part in view.parts):
            raise NotApplicableError("nothing to replay: no evidence and no clip")
        return view.map_clips(lambda clip: change(frames.sampled(clip), 0))
    if not any(part.clip is not None for part in evidence):
        raise NotApplicableError("no evidence whose frames can be rebuilt")

    def anew(part: Evidence) -> Part:
        if part.clip is None:
            return Text(part.text)
        return rendering(part, change(frames.of(part.clip), part.item), context)

    return view.map_evidence(anew)


def rendering(part: Evidence, clip: Clip, context: Context) -> Rendering | Clip:
    """Return the recipe that makes words of a clip in place of a piece of evidence.

    Where the agent was given frames themselves, it is the clip. The recipe's draw is named by run,
    case, condition, repeat and item, so that k draws stay k.
    """
    if part.direct:
        return clip
    draw = seed_of(context.seed, "render", part.item)
    return Rendering(clip, RENDERER, part.query, draw)


def edited(name: str, context: Context, **params: int | float | str) -> Callable[[Clip, int], Clip]:
    """Return a change that puts an edit on a clip.

    An edit that draws gets a `seed` named by run, case, condition, repeat and item; frames are
    drawn one after another from it.
    """
    from vidence.media.edits import draws

    def change(clip: Clip, item: int) -> Clip:
        seed = {"seed": seed_of(context.seed, "edit", item)} if draws(name) else {}
        return replace(clip, edits=(*clip.edits, Edit.of(name, **params, **seed)))

    return change


def as_logged(view: View) -> View:
    """Return the view with evidence as the words, or the frames, that the log has."""
    return view.map_evidence(logged)


def logged(part: Evidence) -> Text | Clip:
    """Return a piece of evidence as the agent was given it."""
    return part.clip if part.direct and part.clip is not None else Text(part.text)
