"""Grey frames in place of the video."""

from dataclasses import replace

from vidence.check import probe
from vidence.media.clip import Clip, Edit, Fps
from vidence.view import Context, View


@probe()
def blank_video(
    view: View, context: Context, *, fps: float = 1.0, frames: int = 128
) -> tuple[View]:
    """Show as many frames as `intact`, all mid grey.

    A blind check for models that behave otherwise without any image.
    """

    def wipe(clip: Clip) -> Clip:
        return replace(clip, sampling=Fps(fps, frames), edits=(*clip.edits, Edit("blank")))

    return (view.map_clips(wipe),)
