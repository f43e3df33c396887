"""The frames as they were, through every step of a replay."""

from vidence.check import probe
from vidence.replay import Frames, edited, replayed
from vidence.view import Context, View


@probe()
def sham(
    view: View,
    context: Context,
    *,
    fps: float = 1.0,
    frames: int = 128,
    codec: str = "jpeg-90-420",
) -> tuple[View]:
    """Replay the frames unchanged: decoded, packed and put into words anew.

    What `destroy` is compared with. Its edit is `identity`, in the place of the other's edit, so
    that the two differ by pixels alone. Source: CARVE, condition SHAM.
    """
    how = Frames(fps, frames, codec)
    return (replayed(view, context, edited("identity", context), how),)
