"""Which questions have a transcript that can be used, and what the others lack."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from vidence.errors import MediaError, UsageError
from vidence.media.clip import Clip
from vidence.text.overlap import Span
from vidence.transcripts import Transcript, examine, find_transcript, read_transcript
from vidence.view import Case


@dataclass(frozen=True)
class Heard:
    """The transcripts of a benchmark's videos.

    Args:
        videos: name of each case's video, in the order of the cases.
        spans: seconds of the video that each case is about.
        found: videos for which there is a file.
        usable: video -> transcript, those whose words can be looked up.
        faults: kind of fault -> videos.
    """

    videos: tuple[str, ...]
    spans: tuple[Span, ...]
    found: int
    usable: dict[str, Transcript]
    faults: dict[str, int] = field(default_factory=dict)

    def coverage(self) -> dict[str, int]:
        """Return how many videos there are, have a file, and have one that can be used."""
        return {
            "videos": len(set(self.videos)),
            "with_transcript": self.found,
            "usable": len(self.usable),
        }


def hear(cases: Sequence[Case], folder: Path) -> Heard:
    """Read the transcript of every case's video.

    Args:
        cases: each with one clip.
        folder: of the transcript files; not searched below.

    Raises:
        UsageError: no such folder.
    """
    if not folder.is_dir():
        raise UsageError(f"{folder} is no folder. Give the folder of the transcripts.")
    clips = [_clip(case) for case in cases]
    names = tuple(clip.video.path.stem if clip is not None else "" for clip in clips)
    spans = tuple((None, None) if clip is None else (clip.start, clip.end) for clip in clips)
    usable: dict[str, Transcript] = {}
    faults: Counter[str] = Counter()
    found = 0
    for name in sorted(set(names) - {""}):
        try:
            path = find_transcript(folder, name)
            if path is None:
                faults["transcript_missing"] += 1
                continue
            found += 1
            transcript = read_transcript(path)
        except MediaError:
            faults["transcript_unreadable"] += 1
            continue
        examined = examine(transcript)
        faults.update(f"transcript_{kind}" for kind in examined.kinds)
        if examined.usable:
            usable[name] = transcript
    return Heard(names, spans, found, usable, dict(sorted(faults.items())))


def _clip(case: Case) -> Clip | None:
    clips = [part for _, part in case.view.parts if isinstance(part, Clip)]
    return clips[0] if len(clips) == 1 else None
