"""The frames without their order."""

from dataclasses import replace

from vidence.check import probe
from vidence.media.clip import Fps, Shuffled
from vidence.view import Context, View


@probe(counts=True)
def frame_shuffle(
    view: View, context: Context, *, fps: float = 1.0, frames: int = 128
) -> tuple[View]:
    """Show the frames of `intact` in one seeded order, the same for the whole panel.

    The sampling is that of `intact`, so that only the order differs. Source: Video-Oasis,
    temporal dependency, up to 128 uniform frames.
    """
    order = Shuffled(context.seed)
    return (view.map_clips(lambda clip: replace(clip, sampling=Fps(fps, frames), order=order)),)
