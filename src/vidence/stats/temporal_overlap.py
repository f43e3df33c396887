"""How much of the annotated interval the evidence covers: seconds, unions first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from vidence.errors import UsageError

Span = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Overlap:
    """Hold how two sets of spans meet.

    Args:
        covered: whether they share any time.
        recall: shared time over annotated time; None where nothing is annotated.
        iou: shared time over all time in either; None where nothing is annotated.
    """

    covered: bool
    recall: float | None
    iou: float | None


def temporal_overlap(
    evidence: Iterable[Span], gold: Iterable[Span], *, least: float = 1.0
) -> Overlap:
    """Compare the time that evidence shows with the annotated time.

    Formula: with E and G the unions of their spans, |E and G| > 0, |E and G| / |G|, and |E and G|
    / |E or G|. A span shorter than `least` seconds is widened by least / 2 on each side, on both
    sets alike, since a frame is looked at and not a point. No evidence: nothing covered, 0; no
    annotation: no ratio.

    Args:
        evidence, gold: (start, end) in seconds, end not before start.
        least: spans below this length are widened; 0 leaves them, and points then have no length.

    Raises:
        UsageError: an end before its start, or a time that is not finite.
    """
    shown, wanted = union(evidence, least=least), union(gold, least=least)
    shared = sum(max(0.0, min(b, d) - max(a, c)) for a, b in shown for c, d in wanted)
    length = sum(b - a for a, b in wanted)
    if length <= 0:
        return Overlap(False, None, None)
    either = length + sum(b - a for a, b in shown) - shared
    return Overlap(shared > 0, shared / length, shared / either)


def union(spans: Iterable[Span], *, least: float = 0.0) -> tuple[Span, ...]:
    """Return disjoint spans in order that cover the same time; short ones are widened first."""
    wide = []
    for start, end in spans:
        if not (-1e12 < start <= end < 1e12):
            raise UsageError(f"Span {start} to {end}; start <= end in seconds is allowed.")
        grow = least / 2 if end - start < least else 0.0
        wide.append((max(0.0, start - grow) if start >= 0 else start - grow, end + grow))
    merged: list[Span] = []
    for start, end in sorted(wide):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return tuple(merged)
