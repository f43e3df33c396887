"""One frame, as long as the video."""

from dataclasses import replace

from vidence.check import probe
from vidence.media.clip import Clip, Edit, Fps
from vidence.view import Context, View


@probe()
def frozen_frame(
    view: View, context: Context, *, fps: float = 1.0, frames: int = 128
) -> tuple[View]:
    """Show the middle frame as often as `intact` shows frames.

    Beside `center_frame` it tells what one picture says from what the number of pictures does.
    """

    def freeze(clip: Clip) -> Clip:
        return replace(clip, sampling=Fps(fps, frames), edits=(*clip.edits, Edit("freeze")))

    return (view.map_clips(freeze),)
