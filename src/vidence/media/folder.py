"""Folders of numbered frames."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from vidence.media.errors import EmptyVideoError, FrameFolderError

IMAGE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"})
_NUMBER = re.compile(r"(\d+)\D*$")


@dataclass(frozen=True)
class NumberedFrames:
    """Frames of a folder in the order of their numbers.

    Args:
        files: the frames.
        numbers: their numbers, ascending; frame k is on show from (numbers[k] - numbers[0]) / fps.
        notes: gaps in the numbering, images without a number.
    """

    files: tuple[Path, ...]
    numbers: tuple[int, ...]
    notes: tuple[str, ...] = ()


def numbered_frames(folder: Path) -> NumberedFrames:
    """List the frames of a folder by the last number in each name.

    Hidden files and sidecars (`._0001.jpg`) are ignored, suffixes count in any case.

    Raises:
        EmptyVideoError: no numbered image.
        FrameFolderError: two images have one number.
    """
    found: dict[int, Path] = {}
    unnumbered = 0
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or path.suffix.lower() not in IMAGE_SUFFIXES:
            continue
        match = _NUMBER.search(path.stem)
        if match is None:
            unnumbered += 1
            continue
        number = int(match[1])
        if number in found:
            raise FrameFolderError(
                folder,
                f"{found[number].name} and {path.name} both have the number {number}",
                "One image a number is needed. Move one of the two series elsewhere.",
            )
        found[number] = path
    if not found:
        raise EmptyVideoError(
            folder,
            "no numbered frame in this folder",
            f"Names like 00001.jpg are read ({', '.join(sorted(IMAGE_SUFFIXES))}).",
        )
    numbers = tuple(sorted(found))
    notes = []
    missing = numbers[-1] - numbers[0] + 1 - len(numbers)
    if missing:
        notes.append(f"{missing} of {missing + len(numbers)} frame numbers are missing")
    if unnumbered:
        notes.append(f"{unnumbered} images without a number ignored")
    return NumberedFrames(tuple(found[n] for n in numbers), numbers, tuple(notes))
