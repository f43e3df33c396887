"""One frame in place of the video."""

from dataclasses import replace

from vidence.check import probe
from vidence.media.clip import Centre
from vidence.view import Context, View


@probe(counts=True)
def center_frame(view: View, context: Context) -> tuple[View]:
    """Show the one frame in the middle of the clip, at (start + end) / 2.

    Source: Video-Oasis, temporal dependency.
    """
    return (view.map_clips(lambda clip: replace(clip, sampling=Centre())),)
