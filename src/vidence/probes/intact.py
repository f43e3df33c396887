"""The full video, as models are evaluated."""

from dataclasses import replace

from vidence.check import probe
from vidence.media.clip import Fps
from vidence.view import Context, View


@probe()
def intact(view: View, context: Context, *, fps: float = 1.0, frames: int = 128) -> tuple[View]:
    """Show the full clip at `fps` frames a second, at most `frames` of them over all of it.

    Source: Video-Oasis evaluates at 1 fps with a cap of 128 frames.
    """
    return (view.map_clips(lambda clip: replace(clip, sampling=Fps(fps, frames))),)
