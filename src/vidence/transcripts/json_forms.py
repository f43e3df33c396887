"""Transcripts in JSON: Whisper's forms and YouTube's."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from vidence.transcripts.cues import Cue
from vidence.transcripts.words import TranscriptError, note_cues, plain_words

_ROWS = ("timestamps", "segments", "chunks", "events")
_WHOLE = ("transcript", "text")


def from_json(path: Path, text: str, notes: list[str]) -> list[Cue]:
    """Return the cues of a JSON file.

    Read are objects with `segments` (openai-whisper, WhisperX), `chunks` (transformers) or
    `timestamps`, lists of cues (faster-whisper, WhisperX, youtube-transcript-api), and YouTube's
    own `events`. Words that are doubled in `text` are not read twice.

    Args:
        path: for messages.
        text: the file's.
        notes: what is odd is added here.

    Raises:
        TranscriptError: no JSON, or of another form.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise TranscriptError(path, f"no JSON ({error})") from error
    rows, whole, form = data, "", ""
    if isinstance(data, dict):
        form = next((key for key in _ROWS if data.get(key)), "")
        rows = data[form] if form else []
        whole = next((data[key] for key in _WHOLE if isinstance(data.get(key), str)), "")
        if not data.keys() & {*_ROWS, *_WHOLE}:
            rows = None
    if not isinstance(rows, list):
        raise TranscriptError(
            path,
            "JSON of an unknown form",
            "Read are objects with timestamps, segments, chunks or events, and lists of cues.",
        )
    if form == "events":
        rows = [row for row in map(_of_event, rows) if row is not None]
    if not rows:
        return [Cue(0.0, None, plain_words(whole))]
    return _from_rows(rows, notes)


def _of_event(event: Any) -> Any:
    """Return an event of YouTube (milliseconds, pieces of text) as a row; None for mere breaks."""
    segs = event.get("segs") if isinstance(event, dict) else None
    if not isinstance(segs, list):
        # Events without text open a window on the screen.
        return None if isinstance(event, dict) and "segs" not in event else event
    pieces = [seg.get("utf8") for seg in segs if isinstance(seg, dict)]
    text = "".join(piece for piece in pieces if isinstance(piece, str))
    if not text.strip():
        return None
    start, length = (_number(event.get(key)) for key in ("tStartMs", "dDurationMs"))
    return {
        "text": text,
        "start": None if start is None else start / 1000,
        "duration": None if length is None else length / 1000,
    }


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
        cues.append(Cue(start, end, plain_words(text)))
    for what, numbers in faults.items():
        note_cues(notes, numbers, what)
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
