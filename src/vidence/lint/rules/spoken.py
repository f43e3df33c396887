"""Faults of transcripts. A video has at most one of each kind, with the times in its detail."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from vidence.lint.rule import Found, rule
from vidence.lint.subject import Heard, Subject
from vidence.transcripts import Examined, FaultKind, TranscriptFault, language
from vidence.view import Case

NAMED = 3
"""Places that are named in one detail."""


@rule(severity="note", why="The audio check does not apply to its questions.")
def transcript_missing(subject: Subject) -> Iterator[Found]:
    """A video without a transcript file, or one without words."""
    for name, heard, _ in _heard(subject):
        if heard.examined is not None and not heard.examined.words:
            yield Found(name, "no words in its file")
        elif heard.examined is None and not heard.error:
            yield Found(name, "no file")


@rule(severity="warning", why="The audio check fails for its questions.")
def transcript_unreadable(subject: Subject) -> Iterator[Found]:
    """A transcript file that cannot be read."""
    for name, heard, _ in _heard(subject):
        if heard.error:
            yield Found(name, heard.error)


@rule(severity="warning", why="There is nothing to answer from; the audio check leaves it out.")
def transcript_noise(subject: Subject) -> Iterator[Found]:
    """A transcript without usable words; a note for credits that nobody says in one with words."""
    for name, examined in _examined(subject):
        faults = _of(examined, "noise")
        if examined.words and not examined.usable:
            left = f"{examined.different} different words of {examined.words} are left"
            yield Found(name, f"{left} without loops, credits, thanks and cries")
        elif faults:
            yield Found(name, _listed(faults), "note")


@rule(severity="note", why="The words are there once; what they hide is not.")
def transcript_loop(subject: Subject) -> Iterator[Found]:
    """One phrase over and over."""
    return _each(subject, "loop")


@rule(severity="note", why="Words stand twice; counts of words are a little too high.")
def transcript_double(subject: Subject) -> Iterator[Found]:
    """Words that stand twice, as recognisers write that work in overlapping chunks."""
    return _each(subject, "double")


@rule(
    severity="note", why="Words cannot be placed in time, so windows of the video get other ones."
)
def transcript_times(subject: Subject) -> Iterator[Found]:
    """Cues faster or slower than speech, minutes long, or without an end."""
    return _each(subject, "rate", "long_cue", "no_end")


@rule(severity="note", why="Words of another language match no words of the question.")
def transcript_language(subject: Subject) -> Iterator[Found]:
    """A transcript in another language than the questions."""
    # One video's questions may be too few to tell; those of the first videos are not.
    usual = language(" ".join(case.view.question for case in subject.cases[:50]))
    for name, heard, cases in _heard(subject):
        asked = language(" ".join(case.view.question for case in cases)) or usual
        if heard.language and asked and heard.language != asked:
            yield Found(name, f"it seems to be in {heard.language!r}, the questions in {asked!r}")


def _heard(subject: Subject) -> Iterator[tuple[str, Heard, Sequence[Case]]]:
    for video, cases in subject.videos.items():
        if subject.heard is not None:
            yield cases[0].cluster or video.path.name, subject.heard[video], cases


def _examined(subject: Subject) -> Iterator[tuple[str, Examined]]:
    for name, heard, _ in _heard(subject):
        if heard.examined is not None:
            yield name, heard.examined


def _each(subject: Subject, *kinds: FaultKind) -> Iterator[Found]:
    for name, examined in _examined(subject):
        if faults := _of(examined, *kinds):
            yield Found(name, _listed(faults))


def _of(examined: Examined, *kinds: FaultKind) -> list[TranscriptFault]:
    return [fault for fault in examined.faults if fault.kind in kinds]


def _listed(faults: Iterable[TranscriptFault]) -> str:
    found = list(faults)
    parts = [f"{f.start:.1f} to {f.end:.1f} s {f.detail}" for f in found[:NAMED]]
    rest = Counter(f.kind for f in found[NAMED:])
    more = "".join(f"; {n} more of kind {kind}" for kind, n in rest.items())
    return "; ".join(parts) + more
