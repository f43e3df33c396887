"""Words of a cue without markup, and what is said of files that are not as they should be."""

from __future__ import annotations

import html
import re

from vidence.errors import MediaError

_TAG = re.compile(r"</?[A-Za-z][^<>]*>|<[\d:.]+>|\{\\[^{}]*\}")


class TranscriptError(MediaError):
    """A transcript file that cannot be read, or of which there are too many."""


def plain_words(text: str) -> str:
    """Return the lines of a text without tags, entities and needless spaces."""
    plain = html.unescape(_TAG.sub("", text)).replace("\xa0", " ")
    return "\n".join(" ".join(line.split()) for line in plain.split("\n") if line.strip())


def note_cues(notes: list[str], numbers: list[str], what: str) -> None:
    """Add a note that names the first cues with a fault."""
    if numbers:
        more = f" and {len(numbers) - 5} more" if len(numbers) > 5 else ""
        notes.append(f"cue {', '.join(numbers[:5])}{more} {what}")
