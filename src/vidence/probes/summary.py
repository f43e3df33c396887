"""A few captions in place of the video."""

from dataclasses import replace
from itertools import pairwise

from vidence.check import probe
from vidence.errors import NotApplicableError, UsageError
from vidence.media.clip import Centre
from vidence.view import Context, Rendering, View

INSTRUCTION = "Describe this frame of a video in one or two sentences."
MOST = 1000
"""Captions of one clip; each is a call."""


@probe(counts=True)
def summary(view: View, context: Context, *, segments: int = 8) -> tuple[View]:
    """Show captions of the middle frames of `segments` equal parts instead of the video.

    The captions come from the panel's `captioner`; questions on one window share them.
    Source: Video-Oasis, visual dependency, 8 segments.
    """
    clip = view.clip()
    if not 1 <= segments <= MOST:
        raise UsageError(f"{segments} segments came; 1 to {MOST} are allowed.")
    if clip.end is None and context.duration is None:
        raise NotApplicableError("the clip has no end and its duration is unknown")
    start = clip.start or 0.0
    end = clip.end if clip.end is not None else context.duration(clip)  # type: ignore[misc]
    edges = [start + (end - start) * i / segments for i in range(segments + 1)]
    parts = [replace(clip, start=a, end=b, sampling=Centre()) for a, b in pairwise(edges)]
    return (
        view.with_parts(*(("captions", Rendering(p, "captioner", INSTRUCTION)) for p in parts)),
    )
