"""Find the transcript of a video by its name."""

from __future__ import annotations

import os
import re
from pathlib import Path

from vidence.transcripts.reading import SUFFIXES
from vidence.transcripts.words import TranscriptError

_MEDIA = frozenset({"mp4", "mkv", "webm", "mov", "avi", "mp3", "wav", "m4a", "flac", "ogg", "opus"})
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")


def find_transcript(folder: Path, video_stem: str) -> Path | None:
    """Return the transcript file of a video, None if there is none.

    Names are the video's own, then any of media suffixes and a language, then a suffix that is
    read: `clip.srt`, `clip.en.vtt`, `clip.mp4.mp3.json`. Of several kinds the first of `SUFFIXES`
    is taken, and one without a language before one with.

    Raises:
        TranscriptError: several languages and none without.
    """
    found: list[tuple[int, int, Path]] = []
    names = os.listdir(folder) if folder.is_dir() else ()
    for path in sorted(folder / name for name in names if name.startswith(f"{video_stem}.")):
        kind = path.suffix.lower()
        if kind not in SUFFIXES:
            continue
        between = path.name[len(video_stem) + 1 : -len(kind)].lower().rstrip(".").split(".")
        rest = [part for part in between if part and part not in _MEDIA]
        if all(_LANGUAGE.fullmatch(part) for part in rest):
            found.append((len(rest), SUFFIXES.index(kind), path))
    found.sort()
    if len(found) > 1 and found[0][:2] == found[1][:2] and found[0][0]:
        several = ", ".join(path.name for _, _, path in found[:4])
        raise TranscriptError(
            folder / video_stem, f"several transcripts ({several})", "Keep one language."
        )
    return found[0][2] if found else None
