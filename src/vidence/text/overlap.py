"""What is said answers the question: options matched against the words of the sound track.

No model is asked. For each option the words of question and option are looked up in windows of the
video's transcript by BM25, and the option with the best window is taken. Long options match more
words in any transcript, so the same is done with the transcripts of other videos of like length;
only what is left over that can be owed to what is said in this video.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vidence.stats import Estimate, difference_by_cluster, mean_by_cluster
from vidence.stats.arrays import Bools, Floats, Ints
from vidence.text.bm25 import K1, B, Index, inverse_frequency
from vidence.text.items import TextItems
from vidence.text.priors import best, chance_of
from vidence.text.tokens import words
from vidence.transcripts import Cue, Transcript

SLICE = 30.0
"""Seconds; a window is two slices side by side, and windows begin at every slice."""
SWAPS = 4
"""Transcripts of other videos that each question is also matched against."""
SETTINGS = {"window_seconds": 2 * SLICE, "step_seconds": SLICE, "k1": K1, "b": B, "swaps": SWAPS}

Span = tuple[float | None, float | None]
Words = tuple[str, ...]


@dataclass(frozen=True)
class Overlap:
    """What matching against transcripts reached, on the questions whose video has one.

    Args:
        where: positions of those questions among the items, [M].
        right: probability of taking the key, ties by expectation, [M].
        ties: questions with two or more best options.
        accuracy, chance: of these questions.
        over_chance: paired difference.
        swapped: accuracy with transcripts of other videos; None with fewer than two transcripts.
        over_swapped: paired difference to that: what this very transcript carries.
    """

    where: Ints
    right: Floats
    ties: int
    accuracy: Estimate
    chance: Estimate
    over_chance: Estimate
    swapped: Estimate | None
    over_swapped: Estimate | None


def overlap(
    items: TextItems,
    videos: Sequence[str],
    transcripts: Mapping[str, Transcript],
    spans: Sequence[Span] | None = None,
) -> Overlap:
    """Answer each question by the option that best matches the transcript of its video.

    Formula: score(option) = max over windows of BM25(words of question and option); weights of
    words and the mean length are those of all windows of all transcripts given, so that scores of
    a swapped transcript mean the same. Other videos are those next in the number of words, two
    shorter and two longer. Intervals are clustered by video; that several questions are matched
    against the same swapped transcript is not counted in them.

    Args:
        items: the questions [N].
        videos: name of each question's video [N].
        transcripts: name of a video -> its transcript, usable ones only.
        spans: seconds of the video that the question is about [N]; None means all of it.
    """
    spoken = {name: _windows(t) for name, t in sorted(transcripts.items())}
    where = np.array([i for i, name in enumerate(videos) if name in spoken], dtype=np.int64)
    shapes = max((len(items.options[i]) for i in where), default=0)
    own, other = np.zeros((len(where), shapes)), np.zeros((SWAPS, len(where), shapes))
    beside = _beside(spoken)
    wanted: dict[str, list[tuple[int, Floats]]] = {name: [] for name in spoken}
    for row, i in enumerate(where):
        wanted[videos[i]].append((row, own))
        for swap, name in enumerate(beside[videos[i]]):
            wanted[name].append((row, other[swap]))
    matcher = _Matcher(items, where, spans, spoken)
    for name, asked in wanted.items():
        matcher.match(name, asked)
    there = np.arange(shapes) < np.array([len(items.options[i]) for i in where])[:, None]
    swaps = min(map(len, beside.values()), default=0)
    return _summary(items, where, there, own, other[:swaps])


def _summary(items: TextItems, where: Ints, there: Bools, own: Floats, other: Floats) -> Overlap:
    clusters, rows, gold = items.clusters[where], np.arange(len(where)), items.gold[where]
    guess, choices = chance_of(items)[where], best(own, there)
    right: Floats = choices[rows, gold]
    swapped = over_swapped = None
    if len(other):
        control = np.mean([best(scores, there)[rows, gold] for scores in other], axis=0)
        swapped = mean_by_cluster(control, clusters, bounds=(0.0, 1.0))
        over_swapped = difference_by_cluster(right - control, clusters)
    return Overlap(
        where=where,
        right=right,
        ties=int(((choices > 0).sum(axis=1) > 1).sum()),
        accuracy=mean_by_cluster(right, clusters, bounds=(0.0, 1.0)),
        chance=mean_by_cluster(guess, clusters, bounds=(0.0, 1.0)),
        over_chance=difference_by_cluster(right - guess, clusters),
        swapped=swapped,
        over_swapped=over_swapped,
    )


class _Matcher:
    """Score questions against one transcript at a time, so that one index is held at a time."""

    def __init__(
        self,
        items: TextItems,
        where: Ints,
        spans: Sequence[Span] | None,
        spoken: Mapping[str, Mapping[int, Words]],
    ) -> None:
        self._queries = [
            (words(items.questions[i]), [words(text) for text in items.options[i]]) for i in where
        ]
        self._spans = [(None, None) if spans is None else spans[i] for i in where]
        self._spoken = spoken
        windows = [window for heard in spoken.values() for window in heard.values()]
        self._weights = inverse_frequency(windows)
        self._mean = sum(map(len, windows)) / max(1, len(windows))

    def match(self, name: str, asked: Sequence[tuple[int, Floats]]) -> None:
        """Write the score of each option of the rows `asked` into their tables."""
        windows = self._spoken[name]
        index = Index(list(windows.values()), weights=self._weights, mean_length=self._mean)
        for row, table in asked:
            question, options = self._queries[row]
            inside = _inside(self._spans[row], windows)
            base = index.scores(question)[inside]
            known = frozenset(question)
            for place, option in enumerate(options):
                more = index.scores(word for word in option if word not in known)[inside]
                table[row, place] = float((base + more).max(initial=0.0))


def _slices(transcript: Transcript) -> dict[int, Words]:
    """Return the words of each slice of `SLICE` seconds that has any, by its number.

    A cue lies where its middle is; lines that rolling captions repeat are counted once.
    """
    parts: dict[int, list[Cue]] = {}
    cues = sorted(transcript.cues, key=lambda cue: cue.start)
    for cue, after in zip(cues, [*cues[1:], None], strict=True):
        until = cue.start if cue.end is None else cue.end
        if after is not None and after.start > cue.start:
            until = min(until, after.start)
        parts.setdefault(int((cue.start + until) / 2 // SLICE), []).append(cue)
    said = {n: words(Transcript(tuple(part)).text()) for n, part in sorted(parts.items())}
    return {n: tuple(map(sys.intern, spoken)) for n, spoken in said.items() if spoken}


def _windows(transcript: Transcript) -> dict[int, Words]:
    """Return the words of each two slices side by side; one alone where its neighbours are mute."""
    slices = _slices(transcript)
    return {
        n: spoken + slices.get(n + 1, ())
        for n, spoken in slices.items()
        if n + 1 in slices or n - 1 not in slices
    }


def _inside(span: Span, windows: Mapping[int, Words]) -> Bools:
    """Return which windows touch a span of seconds; all of them where none does."""
    begins = np.array(list(windows), dtype=np.float64) * SLICE
    start, end = span[0] or 0.0, math.inf if span[1] is None else span[1]
    inside: Bools = (begins + 2 * SLICE > start) & (begins < end)
    return inside if inside.any() else np.ones(len(begins), dtype=np.bool_)


def _beside(spoken: Mapping[str, Mapping[int, Words]]) -> dict[str, list[str]]:
    """Return for each video the others that are next to it in number of words."""
    order = sorted(spoken, key=lambda name: (sum(map(len, spoken[name].values())), name))
    count = min(SWAPS, len(order) - 1)
    beside: dict[str, list[str]] = {}
    for place, name in enumerate(order):
        first = min(max(0, place - count // 2), len(order) - 1 - count)
        near = order[first : first + count + 1]
        beside[name] = [other for other in near if other != name]
    return beside
