"""What an agent looked at, shown to a model itself: the fallback of a routing policy."""

from __future__ import annotations

from dataclasses import replace

from vidence.check import probe
from vidence.errors import NotApplicableError
from vidence.media.clip import At, Clip, Fps
from vidence.view import Context, View


@probe()
def widened_evidence(
    view: View,
    context: Context,
    *,
    windows: int = 3,
    seconds: float = 10.0,
    fps: float = 2.0,
    frames: int = 64,
) -> tuple[View]:
    """Show the question with the first windows that the agent looked at, widened, and no dialogue.

    A window shorter than `seconds` is widened to it around its middle, or as far as the video goes;
    frames are taken at `fps`, at most `frames` of each. A benchmark's clip is shown whole. Neither
    the agent's words nor its answer are shown. Source: the fallback of CARVE.
    """
    clips = [part.clip for part in view.evidence() if part.clip is not None]
    if clips:
        shown = [_widened(clip, seconds, context) for clip in clips[:windows]]
        shown = [replace(clip, sampling=Fps(fps, frames)) for clip in shown]
        return (view.with_parts(*(("video", clip) for clip in shown)),)
    if not any(isinstance(part, Clip) for _, part in view.parts):
        raise NotApplicableError("no evidence whose frames can be rebuilt, and no clip")
    return (view.map_clips(lambda clip: replace(clip, sampling=Fps(fps, frames))),)


def _widened(clip: Clip, seconds: float, context: Context) -> Clip:
    start, end = clip.start, clip.end
    if isinstance(clip.sampling, At):
        start, end = min(clip.sampling.seconds), max(clip.sampling.seconds)
    if start is None or end is None or end - start >= seconds:
        return replace(clip, start=start, end=end)
    last = end if context.duration is None else max(end, context.duration(clip))
    begin = max(0.0, min((start + end - seconds) / 2, last - seconds))
    return replace(clip, start=begin, end=min(begin + seconds, last))
