"""How many bytes a file says it has: the surest sign of one that was cut off.

Containers store their own size. A copy that stopped early still has the size of the whole, even
where its table of contents stands at the front and all of it "plays".
"""

from __future__ import annotations

import struct
from pathlib import Path

_BOXES = frozenset(
    {b"ftyp", b"moov", b"mdat", b"free", b"skip", b"wide", b"moof", b"styp", b"sidx"}
)
_EBML, _SEGMENT = 0x1A45DFA3, 0x18538067


def missing_bytes(path: Path) -> int:
    """Return how many bytes are missing at the end, 0 where none are or the format cannot tell.

    Reads the outermost structure of MP4/MOV, AVI and Matroska/WebM only.
    """
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(64)
        if head[4:8] in _BOXES:
            end = _walk(path, size, ">I", tag_first=False)
        elif head[:4] == b"RIFF":
            end = _walk(path, size, "<I", tag_first=True)
        else:
            end = _segment_end(head)
    return max(0, end - size)


def _walk(path: Path, size: int, word: str, *, tag_first: bool) -> int:
    """Return where the last outermost box or chunk ends."""
    at = 0
    with path.open("rb") as file:
        while at + 8 <= size:
            file.seek(at)
            head = file.read(16)
            length = struct.unpack_from(word, head, 4 if tag_first else 0)[0]
            if tag_first:
                # A recorder that was stopped leaves 0 here; chunks have an even size.
                length = length + 8 + length % 2 if length else size - at
            elif length == 1 and len(head) == 16:
                length = struct.unpack_from(">Q", head, 8)[0]
            elif length == 0:
                length = size - at
            if length < 8:
                break
            at += length
    return at


def _segment_end(head: bytes) -> int:
    """Return where a Matroska segment ends, 0 where it does not say (a live recording)."""
    at, element, length = _element(head, 0)
    if element != _EBML or length is None:
        return 0
    at, element, length = _element(head, at + length)
    return at + length if element == _SEGMENT and length is not None else 0


def _element(data: bytes, at: int) -> tuple[int, int, int | None]:
    """Return where an EBML element's content starts, its id, and its length if it says."""
    if at + 12 > len(data) or not data[at]:
        return at, 0, None
    id_size = 9 - data[at].bit_length()
    element = int.from_bytes(data[at : at + id_size], "big")
    at += id_size
    if not data[at]:
        return at, 0, None
    width = 9 - data[at].bit_length()
    mask = (1 << 7 * width) - 1
    length = int.from_bytes(data[at : at + width], "big") & mask
    return at + width, element, None if length == mask else length
