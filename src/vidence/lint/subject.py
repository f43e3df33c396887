"""What the rules look at."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from vidence.benchmark import Benchmark
from vidence.errors import MediaError
from vidence.media.clip import Clip, Video
from vidence.media.video import VideoInfo
from vidence.transcripts import Examined
from vidence.view import Case


@dataclass(frozen=True)
class Heard:
    """What there is of a video's sound in words.

    Args:
        examined: what a look at its transcript found; None where there is no file, or none that
            can be read.
        language: a guess at it, empty where it cannot be told.
        error: why the file cannot be read.
    """

    examined: Examined | None = None
    language: str = ""
    error: str = ""


@dataclass(frozen=True)
class Subject:
    """A benchmark and what was measured of it.

    Args:
        benchmark: what the loader read.
        probed: video -> what it really holds, or what is wrong with it; None without videos.
        heard: video -> its transcript; None without transcripts.
    """

    benchmark: Benchmark
    probed: Mapping[Video, VideoInfo | MediaError] | None = None
    heard: Mapping[Video, Heard] | None = None

    @cached_property
    def cases(self) -> tuple[Case, ...]:
        """All cases, open-ended ones included."""
        return self.benchmark.cases

    @cached_property
    def videos(self) -> Mapping[Video, tuple[Case, ...]]:
        """The videos in the order of the file, each with the questions on it."""
        found: dict[Video, list[Case]] = {}
        for case in self.cases:
            if (clip := clip_of(case)) is not None:
                found.setdefault(clip.video, []).append(case)
        return {video: tuple(cases) for video, cases in found.items()}

    def measured(self, case: Case) -> float | None:
        """Return the measured length of a case's video in seconds, None where it was not."""
        clip = clip_of(case)
        info = (self.probed or {}).get(clip.video) if clip is not None else None
        return info.duration if isinstance(info, VideoInfo) else None

    def stated(self, case: Case) -> float | None:
        """Return the length of a case's video as the file states it, in seconds."""
        return self.benchmark.seconds.get(case.cluster)


def clip_of(case: Case) -> Clip | None:
    """Return a case's clip, None where it has none or several."""
    clips = [part for _, part in case.view.parts if isinstance(part, Clip)]
    return clips[0] if len(clips) == 1 else None


def folded(text: str) -> str:
    """Return a text without what does not change its meaning: case, spaces, a last full stop.

    Other signs stay: "-5" is not "5", "m²" is not "m2".
    """
    plain = " ".join(unicodedata.normalize("NFC", text).casefold().split())
    return plain.removesuffix(".").rstrip() or plain


def key_of(case: Case) -> str | None:
    """Return the text of a case's key, None where it has no key."""
    if case.gold is None:
        return None
    place = case.gold_position()
    return str(case.gold) if place is None else case.view.options[place].text
