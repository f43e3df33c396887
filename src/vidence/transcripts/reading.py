"""Read transcript files as they are found.

ASS and SSA go through pysubs2. SRT and WebVTT are split here, because a broken stamp must be
reported and not read as another time, and Whisper's JSON has no reader elsewhere.
"""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

from vidence.transcripts.cues import NO_TEXT, Cue, Transcript
from vidence.transcripts.json_forms import from_json
from vidence.transcripts.words import TranscriptError, note_cues, plain_words

SUFFIXES = (".srt", ".vtt", ".ass", ".ssa", ".json")
"""Read by `read_transcript`; of several files for one video the first kind here is taken."""

_STAMP = r"(?:(\d+):)?([0-5]?\d):([0-5]?\d)(?:[.,](\d{1,9}))?"
_ARROW = re.compile(rf"\s*{_STAMP}\s*-->\s*{_STAMP}(?:\s.*)?$")


def read_transcript(path: Path) -> Transcript:
    """Read SRT, WebVTT, ASS/SSA, or JSON of Whisper or YouTube.

    Broken cues are left out and named in the notes; the others are kept. A file without words,
    0 bytes included, is a transcript with the note `NO_TEXT`.

    Raises:
        TranscriptError: no such file, another kind of file, or JSON of an unknown form.
    """
    kind = path.suffix.lower()
    if kind not in SUFFIXES:
        raise TranscriptError(
            path, f"{kind or 'no suffix'} came; {', '.join(SUFFIXES)} are read", "Convert it."
        )
    notes: list[str] = []
    text = _decoded(path, notes)
    if not text.strip():
        cues: list[Cue] = []
    elif kind == ".json":
        cues = from_json(path, text, notes)
    elif kind in (".ass", ".ssa"):
        cues = _from_ass(path, text, notes)
    else:
        cues = _from_arrows(text, kind == ".vtt", notes)
    cues = [cue for cue in cues if cue.text]
    if not cues:
        notes.append(NO_TEXT)
    return Transcript(tuple(cues), path.name, tuple(notes))


def _decoded(path: Path, notes: list[str]) -> str:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise TranscriptError(path, f"cannot be read ({error.strerror})") from error
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        notes.append("not UTF-8; read as Windows-1252")
        return data.decode("cp1252", errors="replace")


def _from_arrows(text: str, vtt: bool, notes: list[str]) -> list[Cue]:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    heads = [i for i, line in enumerate(lines) if "-->" in line]
    cues: list[Cue] = []
    broken: list[str] = []
    backwards: list[str] = []
    for ordinal, (at, following) in enumerate(pairwise([*heads, len(lines)]), 1):
        before = lines[at - 1].strip() if at else ""
        number = before if before.isdecimal() else str(ordinal)
        match = _ARROW.match(lines[at])
        if match is None:
            broken.append(number)
            continue
        start, end = _seconds(match.groups()[:4]), _seconds(match.groups()[4:])
        if end < start:
            backwards.append(number)
        body = lines[at + 1 : following]
        if vtt and "" in (stripped := [line.strip() for line in body]):
            # What follows a blank line is a note, a style, or the name of the next cue.
            body = body[: stripped.index("")]
        elif following < len(lines) and body and body[-1].strip().isdecimal():
            body = body[:-1]
        cues.append(Cue(start, end if end >= start else None, plain_words("\n".join(body))))
    note_cues(notes, broken, "with a broken time, left out")
    note_cues(notes, backwards, "that ends before it starts, its end left out")
    return cues


def _seconds(parts: tuple[str | Any, ...]) -> float:
    hours, minutes, seconds, fraction = parts
    whole = int(hours or 0) * 3600 + int(minutes) * 60 + int(seconds)
    return whole + (int(fraction) / 10 ** len(fraction) if fraction else 0.0)


def _from_ass(path: Path, text: str, notes: list[str]) -> list[Cue]:
    import pysubs2

    stamp = re.compile(r"\s*\d+:[0-5]?\d:[0-5]?\d[.:]\d+\s*")
    good, broken, number = [], [], 0
    for line in text.splitlines():
        if line.startswith("Dialogue:"):
            number += 1
            fields = line.split(",", 3)
            if len(fields) < 4 or not all(stamp.fullmatch(f) for f in fields[1:3]):
                broken.append(str(number))
                continue
        good.append(line)
    note_cues(notes, broken, "with a broken time, left out")
    try:
        file = pysubs2.SSAFile.from_string("\n".join(good))
    except (pysubs2.Pysubs2Error, ValueError) as error:
        raise TranscriptError(path, f"no subtitle file ({error})") from error
    return [
        Cue(e.start / 1000, e.end / 1000 if e.end >= e.start else None, plain_words(e.plaintext))
        for e in file
        if not e.is_comment
    ]
