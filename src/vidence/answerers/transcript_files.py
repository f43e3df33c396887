"""Transcripts that are at hand as files; a maker for the role `transcriber`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vidence.answer import MEDIA, Reply, Request, answerer
from vidence.errors import MediaError, PanelError
from vidence.media.clip import Sound
from vidence.prompt import Prompt, render
from vidence.transcripts import (
    NO_TEXT,
    Examined,
    Transcript,
    examine,
    find_transcript,
    read_transcript,
)
from vidence.view import View

if TYPE_CHECKING:
    from vidence.media.pixels import FrameCache


NOISE = "nothing but noise or loops"
"""Why a transcript with words is not shown."""


class TranscriptFiles:
    """Give the words of a video's transcript file: SRT, WebVTT, ASS, Whisper's or YouTube's JSON.

    A file is found by the video's name (`clip.srt`, `clip.en.vtt`, `clip.mp4.json`). A window of
    the video gets the words of that window, as they stand. Where there is no file, or no usable
    words in it (docs/transcripts.md), the check does not apply to the case; a file that cannot be
    read fails it.

    Args:
        name: unique in the panel.
        folder: of the files; not searched below.
        concurrency: most files read at a time.
        keep_noise: give the words of a transcript that is nothing but loops, credits and thanks.
    """

    panel = "model"
    batch = 16

    def __init__(
        self, *, name: str, folder: Path, concurrency: int = 2, keep_noise: bool = False
    ) -> None:
        if not folder.is_dir():
            raise PanelError(f"folder = {folder} of {name!r} is no folder. Give that of the files.")
        self.name, self.concurrency, self._folder = name, concurrency, folder
        self._keep_noise = keep_noise
        self.identity: Mapping[str, Any] = {
            "kind": "transcript_files",
            "folder": str(folder),
            "keep_noise": keep_noise,
        }

    def prepare(self, view: View) -> Prompt:
        """Return the prompt, of which the sound counts."""
        return render(view)

    def ask(self, requests: Sequence[Request], media: FrameCache) -> list[Reply]:
        """Return the words of each request's sound."""
        return [self._one(request.prompt) for request in requests]

    def _one(self, prompt: Prompt) -> Reply:
        sounds = [piece for piece in prompt.pieces if isinstance(piece, Sound)]
        if len(sounds) != 1:
            return Reply(status="absent", error=f"{len(sounds)} sounds came, 1 has a transcript")
        (sound,) = sounds
        try:
            path = find_transcript(self._folder, sound.video.path.stem)
            if path is None:
                return Reply(status="absent", error=f"no transcript of {sound.video.path.name}")
            transcript = read_transcript(path)
        except MediaError as error:
            return Reply(status="failed", error=f"{MEDIA}{error}")
        start, end = sound.start or 0.0, math.inf if sound.end is None else sound.end
        whole = sound.start is None and sound.end is None
        text = transcript.text() if whole else transcript.window(start, end)
        if not text:
            return Reply(status="absent", error=NO_TEXT, notes=transcript.notes)
        if not self._keep_noise and not _usable(transcript, start, end):
            return Reply(status="absent", error=NOISE, notes=transcript.notes)
        return Reply(text, finish_reason="stop", notes=(transcript.source, *transcript.notes))


@lru_cache(maxsize=256)
def _examined(transcript: Transcript) -> Examined:
    return examine(transcript)


def _usable(transcript: Transcript, start: float, end: float) -> bool:
    """Return whether a transcript is usable and has one sound word in a window."""
    examined = _examined(transcript)
    return examined.usable and bool(examined.between(start, end))


answerer("transcript_files")(TranscriptFiles)
