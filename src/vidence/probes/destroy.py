"""The frames with what they show scrambled away."""

from vidence.check import probe
from vidence.replay import Frames, edited, replayed
from vidence.view import Context, View


@probe()
def destroy(
    view: View,
    context: Context,
    *,
    edit: str = "phase",
    fps: float = 1.0,
    frames: int = 128,
    codec: str = "jpeg-90-420",
) -> tuple[View]:
    """Replay the frames with their phases scrambled, or with another edit.

    Places, number, times, sizes, prompts and packing are those of `sham`. `edit=phase_reference`
    is the operator of CARVE's authors; see `vidence list edits`. Source: CARVE, condition DESTROY.
    """
    how = Frames(fps, frames, codec)
    return (replayed(view, context, edited(edit, context), how),)
