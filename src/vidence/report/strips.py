"""Film strips: what a check showed of a case, small enough to be many on a page."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from vidence.errors import MediaError
from vidence.media.clip import Clip, Codec, Shuffled, Sound
from vidence.view import Evidence, Rendering, Text, View

if TYPE_CHECKING:
    from vidence.media.pixels import FrameCache

FRAMES, SIZE = 8, 160
CODEC = Codec(quality=70)


def strip(views: Sequence[View], cache: FrameCache) -> dict[str, Any]:
    """Return the frames and the words of some views, as plain values for a card.

    At most 8 frames, evenly chosen in the order shown, longest side 160 pixels. A video that
    cannot be decoded gives no frames and a note, never an error.

    Args:
        views: what a check showed, renderings resolved to text; a part that several views share
            is shown once.
        cache: gives the frames.

    Returns:
        `{"frames": [{"t": seconds, "src": data address}], "text": str or None, "notes": [str]}`.
    """
    parts = list(dict.fromkeys(part for view in views for part in view.parts))
    frames, notes = _frames([part for _, part in parts if isinstance(part, Clip)], cache)
    words = [(role, part.text) for role, part in parts if isinstance(part, Text | Evidence)]
    notes += [_words(role, [t for r, t in words if r == role]) for role in dict(words)]
    notes += [_sound(part) for _, part in parts if isinstance(part, Sound)]
    notes += [f"{role} not made yet" for role, part in parts if isinstance(part, Rendering)]
    if len(views) > 1:
        notes.append(f"asked {len(views)} times, each with another view")
    text = "\n\n".join(text for _, text in words)
    return {"frames": frames, "text": text if words else None, "notes": notes}


def even(count: int, most: int = FRAMES) -> list[int]:
    """Return at most `most` of `count` places, evenly spread, first and last among them."""
    if count <= most:
        return list(range(count))
    if most == 1:
        return [count // 2]
    return [round(i * (count - 1) / (most - 1)) for i in range(most)]


def _frames(clips: Sequence[Clip], cache: FrameCache) -> tuple[list[dict[str, Any]], list[str]]:
    shown: list[tuple[float, bytes]] = []
    notes: list[str] = []
    for clip in clips:
        try:
            encoded = cache.encoded(clip.bind(size=SIZE, codec=CODEC))
        except MediaError as error:
            notes.append(str(error))
            continue
        shown += zip(encoded.times, encoded.images, strict=True)
        notes += encoded.notes
    places = even(len(shown))
    if shown:
        count = f"{len(shown)} frame{'s' if len(shown) > 1 else ''}"
        notes.insert(0, count if len(places) == len(shown) else f"{len(places)} of {count}")
    notes += dict.fromkeys(_order(clip) for clip in clips if clip.order != "forward")
    notes += dict.fromkeys(f"edited: {edit.name}" for clip in clips for edit in clip.edits)
    frames = [
        {
            "t": round(float(shown[place][0]), 3),
            "src": f"data:{CODEC.mime};base64,{b64encode(shown[place][1]).decode('ascii')}",
        }
        for place in places
    ]
    return frames, list(dict.fromkeys(notes))


def _order(clip: Clip) -> str:
    how = "shuffled" if isinstance(clip.order, Shuffled) else "reversed"
    return f"{how}; in the order shown"


def _words(role: str, texts: Sequence[str]) -> str:
    size = f"{sum(map(len, texts)):,} characters"
    return f"{role}, {size}" if len(texts) == 1 else f"{role}, {len(texts)} texts, {size}"


def _sound(part: Sound) -> str:
    start = f"{part.start or 0:.1f} s"
    return f"sound from {start} to {'the end' if part.end is None else f'{part.end:.1f} s'}"
