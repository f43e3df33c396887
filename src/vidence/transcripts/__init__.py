"""Words of a sound track with their times, read from files as they are found."""

from vidence.transcripts.cues import NO_TEXT, Cue, Line, Transcript
from vidence.transcripts.find import find_transcript
from vidence.transcripts.language import language
from vidence.transcripts.quality import Examined, FaultKind, TranscriptFault, examine, faults
from vidence.transcripts.reading import SUFFIXES, read_transcript
from vidence.transcripts.words import TranscriptError

__all__ = [
    "NO_TEXT",
    "SUFFIXES",
    "Cue",
    "Examined",
    "FaultKind",
    "Line",
    "Transcript",
    "TranscriptError",
    "TranscriptFault",
    "examine",
    "faults",
    "find_transcript",
    "language",
    "read_transcript",
]
