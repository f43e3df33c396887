"""The frames of another video."""

from dataclasses import replace

from vidence.check import probe
from vidence.errors import NotApplicableError
from vidence.media.clip import Clip
from vidence.replay import Frames, replayed
from vidence.view import Context, View


@probe()
def swapped_evidence(
    view: View,
    context: Context,
    *,
    fps: float = 1.0,
    frames: int = 128,
    codec: str = "jpeg-90-420",
) -> tuple[View]:
    """Replay with the frames of another case's video, chosen by name.

    Unlike scrambled frames these look natural and say something, which is wrong here.
    """
    how = Frames(fps, frames, codec)
    peer = context.peer() if context.peer is not None else None
    if peer is None:
        raise NotApplicableError("no other video in the run")
    other = peer

    def swap(clip: Clip, item: int) -> Clip:
        return replace(clip, video=other.video, start=other.start, end=other.end)

    return (replayed(view, context, swap, how),)
