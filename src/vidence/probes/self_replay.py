"""The same words, or the same frames, to the same model again."""

from dataclasses import replace

from vidence.check import probe
from vidence.media.clip import Fps
from vidence.replay import as_logged
from vidence.view import Context, View


@probe()
def self_replay(
    view: View, context: Context, *, fps: float = 1.0, frames: int = 128
) -> tuple[View]:
    """Replay the answer alone: evidence stays the words that the log has, a clip as in `intact`.

    It measures the answerer's own noise, and is not subtracted. Source: CARVE, condition SELF.
    """
    if view.evidence():
        return (as_logged(view),)
    return (view.map_clips(lambda clip: replace(clip, sampling=Fps(fps, frames))),)
