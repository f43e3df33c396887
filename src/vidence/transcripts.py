"""Words of a sound track with their times, read from files as they are found.

ASS and SSA go through pysubs2. SRT and WebVTT are split here, because a broken stamp must be
reported and not read as another time, and Whisper's JSON has no reader elsewhere.
"""

from __future__ import annotations

import html
import json
import math
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from vidence.errors import MediaError

SUFFIXES = (".srt", ".vtt", ".ass", ".ssa", ".json")
"""Read by `read_transcript`; of several files for one video the first kind here is taken."""

NO_TEXT = "no text"
_STAMP = r"(?:(\d+):)?([0-5]?\d):([0-5]?\d)(?:[.,](\d{1,9}))?"
_ARROW = re.compile(rf"\s*{_STAMP}\s*-->\s*{_STAMP}(?:\s.*)?$")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>|<[\d:.]+>|\{\\[^{}]*\}")
# Rolling captions repeat a line at the very moment where the cue before it ends.
_TOUCH = 0.05
_MEDIA = frozenset({"mp4", "mkv", "webm", "mov", "avi", "mp3", "wav", "m4a", "flac", "ogg", "opus"})
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")


class TranscriptError(MediaError):
    """A transcript file that cannot be read, or of which there are too many."""


@dataclass(frozen=True)
class Cue:
    """Words with their time.

    Args:
        start: seconds of play time.
        end: seconds, None where the file does not say.
        text: the words, one or more lines, without tags.
    """

    start: float
    end: float | None
    text: str


@dataclass(frozen=True)
class Transcript:
    """Cues in the order of the file.

    Args:
        cues: none where the file has no words.
        source: the file's name.
        notes: what was odd about the file; `NO_TEXT` where it has no words.
    """

    cues: tuple[Cue, ...]
    source: str = ""
    notes: tuple[str, ...] = ()

    def text(self) -> str:
        """Return all words in one line, each shown once where overlapping cues repeat them."""
        return _words(self._timed())

    def window(self, start: float, end: float) -> str:
        """Return the words of a window in one line, empty if there are none.

        A cue lasts until its end, or until the next cue begins if that is earlier. It belongs to
        the window if the middle of the one lies in the other, so that windows longer than the
        cues, laid side by side, share no cue and lose none.

        Args:
            start: seconds of play time, included.
            end: seconds of play time, not included.
        """
        middle = (start + end) / 2
        return _words(
            (cue, until)
            for cue, until in self._timed()
            if start <= (cue.start + until) / 2 < end or cue.start <= middle < until
        )

    def _timed(self) -> Iterator[tuple[Cue, float]]:
        """Yield each cue with the time at which it gives way."""
        for cue, after in pairwise((*self.cues, None)):
            if cue is None:
                continue
            until = math.inf if cue.end is None else cue.end
            if after is not None and after.start > cue.start:
                until = min(until, after.start)
            yield cue, (until if math.isfinite(until) else cue.start)


def _words(cues: Iterable[tuple[Cue, float]]) -> str:
    """Join lines, leaving out those that an earlier cue on show at the same time has."""
    shown: list[Cue] = []
    words: list[str] = []
    for cue, _ in cues:
        shown = [old for old in shown if old.end is not None and old.end >= cue.start - _TOUCH]
        lines = cue.text.split("\n")
        words += [line for i, line in enumerate(lines) if not _repeats(line, i, cue, shown)]
        shown.append(cue)
    return " ".join(words)


def _repeats(line: str, place: int, cue: Cue, shown: list[Cue]) -> bool:
    flash = cue.end is not None and cue.end - cue.start <= _TOUCH
    for old in shown:
        lines = old.text.split("\n")
        overlaps = old.end is not None and cue.start < old.end and old.start <= cue.start
        if overlaps and line in lines:
            return True
        # A rolling caption: the last line moves up, or is held for a moment.
        rolls = place == 0 and ("\n" in cue.text or flash)
        if rolls and old.start <= cue.start and line == lines[-1]:
            return True
    return False


def read_transcript(path: Path) -> Transcript:
    """Read SRT, WebVTT, ASS/SSA or Whisper's JSON.

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
        cues = _from_json(path, text, notes)
    elif kind in (".ass", ".ssa"):
        cues = _from_ass(path, text, notes)
    else:
        cues = _from_arrows(text, kind == ".vtt", notes)
    cues = [cue for cue in cues if cue.text]
    if not cues:
        notes.append(NO_TEXT)
    return Transcript(tuple(cues), path.name, tuple(notes))


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
        cues.append(Cue(start, end if end >= start else None, _clean("\n".join(body))))
    _report(notes, broken, "with a broken time, left out")
    _report(notes, backwards, "that ends before it starts, its end left out")
    return cues


def _seconds(parts: tuple[str | Any, ...]) -> float:
    hours, minutes, seconds, fraction = parts
    whole = int(hours or 0) * 3600 + int(minutes) * 60 + int(seconds)
    return whole + (int(fraction) / 10 ** len(fraction) if fraction else 0.0)


def _clean(text: str) -> str:
    plain = html.unescape(_TAG.sub("", text)).replace("\xa0", " ")
    return "\n".join(" ".join(line.split()) for line in plain.split("\n") if line.strip())


def _report(notes: list[str], numbers: list[str], what: str) -> None:
    if numbers:
        more = f" and {len(numbers) - 5} more" if len(numbers) > 5 else ""
        notes.append(f"cue {', '.join(numbers[:5])}{more} {what}")


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
    _report(notes, broken, "with a broken time, left out")
    try:
        file = pysubs2.SSAFile.from_string("\n".join(good))
    except (pysubs2.Pysubs2Error, ValueError) as error:
        raise TranscriptError(path, f"no subtitle file ({error})") from error
    return [
        Cue(e.start / 1000, e.end / 1000 if e.end >= e.start else None, _clean(e.plaintext))
        for e in file
        if not e.is_comment
    ]


_ROWS = ("timestamps", "segments", "chunks")
_WHOLE = ("transcript", "text")


def _from_json(path: Path, text: str, notes: list[str]) -> list[Cue]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise TranscriptError(path, f"no JSON ({error})") from error
    rows, whole = data, ""
    if isinstance(data, dict):
        rows = next((data[key] for key in _ROWS if data.get(key)), [])
        whole = next((data[key] for key in _WHOLE if isinstance(data.get(key), str)), "")
        if not data.keys() & {*_ROWS, *_WHOLE}:
            rows = None
    if not isinstance(rows, list):
        raise TranscriptError(
            path,
            "JSON of an unknown form",
            "Read are objects with timestamps, segments or chunks, and lists of cues.",
        )
    if not rows:
        return [Cue(0.0, None, _clean(whole))]
    return _from_rows(rows, notes)


def _from_rows(rows: list[Any], notes: list[str]) -> list[Cue]:
    cues: list[Cue] = []
    faults: dict[str, list[str]] = {}
    for number, row in enumerate(rows, 1):
        text = row.get("text") if isinstance(row, dict) else None
        if not isinstance(text, str):
            faults.setdefault("without words, left out", []).append(str(number))
            continue
        start, end = _span(row)
        if start is None:
            faults.setdefault("without a time, put after the one before", []).append(str(number))
            last = cues[-1] if cues else Cue(0.0, 0.0, "")
            start = last.start if last.end is None else last.end
        if end is not None and end < start:
            what = "that ends before it starts, its end left out"
            faults.setdefault(what, []).append(str(number))
            end = None
        if cues and start < cues[-1].start:
            faults.setdefault("that goes back in time", []).append(str(number))
        cues.append(Cue(start, end, _clean(text)))
    for what, numbers in faults.items():
        _report(notes, numbers, what)
    return cues


def _span(row: dict[str, Any]) -> tuple[float | None, float | None]:
    pair = row.get("timestamp")
    if not isinstance(pair, list) or len(pair) != 2:
        pair = [row.get("start"), row.get("end")]
    start, end = (_number(value) for value in pair)
    length = _number(row.get("duration"))
    if end is None and start is not None and length is not None:
        end = start + length
    return start, end


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) and value >= 0 else None
