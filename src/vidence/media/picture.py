"""Turn one decoded picture into upright RGB of a wanted size."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Transfer functions of high dynamic range, as numbered in the bit stream.
_HDR = {16: "PQ", 18: "HLG"}


@dataclass(frozen=True)
class Turn:
    """What makes a stored picture upright: first swap rows and columns, then mirror each way."""

    swap: bool = False
    flip_rows: bool = False
    flip_columns: bool = False

    @property
    def degrees(self) -> int:
        """Return the turn in degrees clockwise, of what is left when it is no mirror image."""
        if self.swap:
            return 90 if self.flip_columns else 270
        return 180 if self.flip_rows else 0

    @property
    def mirrored(self) -> bool:
        """Return whether left and right change places besides the turn."""
        return self.swap ^ self.flip_rows ^ self.flip_columns

    def apply(self, image: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return an upright image [h, w, 3] from a stored one."""
        if self.swap:
            image = image.transpose(1, 0, 2)
        if self.flip_rows:
            image = image[::-1]
        if self.flip_columns:
            image = image[:, ::-1]
        return np.ascontiguousarray(image)


def turn_of(frame: Any) -> Turn:
    """Read the display matrix of a frame; angles between quarter turns go to the nearest one."""
    for data in frame.side_data:
        if data.type.name == "DISPLAYMATRIX":
            a, b, _, c, d = struct.unpack_from("=5i", bytes(data))
            # x' = a x + c y and y' = b x + d y, so where b and c rule, rows become columns.
            if abs(a) + abs(d) >= abs(b) + abs(c):
                return Turn(False, d < 0, a < 0)
            return Turn(True, b < 0, c < 0)
    return Turn()


def fit(width: int, height: int, size: int | None) -> tuple[int, int]:
    """Return (width, height) with a longest side of at most `size`, never enlarged."""
    longest = max(width, height)
    if size is None or size >= longest:
        return width, height
    return max(1, round(width * size / longest)), max(1, round(height * size / longest))


def notes_of(frame: Any, stream: Any) -> list[str]:
    """Return what is unusual about the pictures of a stream."""
    notes = []
    hdr = _HDR.get(int(frame.color_trc))
    if hdr:
        notes.append(f"high dynamic range ({hdr}) is shown without tone mapping")
    if frame.interlaced_frame:
        notes.append("interlaced pictures are shown as stored")
    ratio = stream.sample_aspect_ratio
    if ratio and ratio != 1:
        notes.append(f"pixels are not square ({ratio}) and are not stretched")
    return notes


class Painter:
    """Convert and resize pictures with one scaler, set up once.

    The matrix and range that the stream names are used, BT.601 and limited range where it names
    none. Resizing is bicubic over the area that a target pixel covers, colours included. At its
    own size a picture goes through FFmpeg's direct conversion, which gives the pixels that other
    readers give and repeats colours instead of interpolating them; the other one takes 16 times
    as long.
    """

    def __init__(self) -> None:
        from av.video.reformatter import Interpolation, VideoReformatter

        self._scaler = VideoReformatter()
        self._how = Interpolation.BICUBIC | Interpolation.FULL_CHR_H_INT

    def paint(self, frame: Any, turn: Turn, width: int, height: int) -> NDArray[np.uint8]:
        """Return a frame as upright RGB [height, width, 3]."""
        if turn.swap:
            width, height = height, width
        rgb = self._scaler.reformat(
            frame, width, height, "rgb24", interpolation=self._how, threads=1
        )
        pixels: Any = rgb.to_ndarray()
        return turn.apply(pixels)
