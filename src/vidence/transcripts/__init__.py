"""Words of a sound track with their times, read from files as they are found."""

from vidence.transcripts.cues import NO_TEXT, Cue, Line, Transcript
from vidence.transcripts.find import find_transcript
from vidence.transcripts.reading import SUFFIXES, read_transcript
from vidence.transcripts.words import TranscriptError

__all__ = [
    "NO_TEXT",
    "SUFFIXES",
    "Cue",
    "Line",
    "Transcript",
    "TranscriptError",
    "find_transcript",
    "read_transcript",
]
