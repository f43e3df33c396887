"""The frames backwards."""

from dataclasses import replace

from vidence.check import probe
from vidence.media.clip import Fps
from vidence.view import Context, View


@probe()
def reversed(view: View, context: Context, *, fps: float = 1.0, frames: int = 128) -> tuple[View]:
    """Show the frames of `intact` from last to first.

    Being right says that direction does not matter; order among neighbours is kept, so it is
    milder than `frame_shuffle`.
    """
    sampling = Fps(fps, frames)
    return (view.map_clips(lambda clip: replace(clip, sampling=sampling, order="reversed")),)
