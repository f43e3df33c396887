"""Frames for encoders that know no order."""

from dataclasses import replace

from vidence.check import probe
from vidence.media.clip import Fps
from vidence.view import Context, View


@probe(panel="encoder", counts=True)
def bag_of_frames(
    view: View, context: Context, *, fps: float = 1.0, frames: int = 2048
) -> tuple[View]:
    """Show frames at `fps`, at most `frames`, to image-text encoders.

    How many frames count, and how they are pooled, are settings of the `bag_of_frames` answerer.
    Source: Video-Oasis, temporal dependency, 1 fps with a cap of 2048.
    """
    return (view.map_clips(lambda clip: replace(clip, sampling=Fps(fps, frames))),)
